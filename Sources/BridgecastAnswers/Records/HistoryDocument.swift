// A page of openings as JSON, CSV or a JSON object a line; the answer of `/history`.
private import BridgecastCore

/// A page of openings.
package struct HistoryDocument: Sendable, JSONAnswer {
    /// What the answer begins with.
    package let envelope: Envelope
    /// The openings in order.
    package let list: OpeningList
    /// The page.
    package let page: OpeningList.Page
    /// How many openings a page has at most.
    package let limit: Int
    /// How many stand before the page.
    package let offset: Int
    /// The address of the next page; nil on the last.
    package let next: String?

    /// Creates a document; parameters as the properties.
    package init(
        envelope: Envelope, list: OpeningList, page: OpeningList.Page, limit: Int, offset: Int,
        next: String?
    ) {
        (self.envelope, self.list, self.page) = (envelope, list, page)
        (self.limit, self.offset, self.next) = (limit, offset, next)
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            envelope.write(into: &json)
            json.list("openings", page.openings) { write($1, to: &$0) }
            json.field("total", page.total)
            json.field("limit", limit)
            json.field("offset", offset)
            json.field("next", next)
            json.field("order", "opened_at, bridge_id")
        }
    }

    /// The openings, one object a line.
    package func ndjsonBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        var json = JSONWriter()
        for opening in page.openings {
            json.removeAll()
            write(opening, to: &json)
            bytes += json.bytes
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// The openings as CSV (RFC 4180) with a line of names; no field has a comma in it.
    package func csvBytes() -> [UInt8] {
        var text = "bridge,bridge_id,opened_at,closed_at,duration_s\r\n"
        for opening in page.openings {
            let (bridge, end) = (BridgeCatalogue[opening.bridge], list.knownEnd(of: opening))
            let fields = [
                bridge.name, "\(bridge.id)", TimeText.rfc3339(opening.start),
                end.map(TimeText.rfc3339) ?? "", duration(opening).map { "\($0)" } ?? "",
            ]
            text += fields.joined(separator: ",") + "\r\n"
        }
        return Array(text.utf8)
    }

    private func write(_ opening: Opening, to json: inout JSONWriter) {
        json.object { json in
            let bridge = BridgeCatalogue[opening.bridge]
            json.field("bridge", bridge.name)
            json.field("bridge_id", bridge.id.rawValue)
            json.field("opened_at", opening.start)
            json.field("closed_at", list.knownEnd(of: opening))
            json.field("duration_s", duration(opening))
        }
    }

    /// Whole seconds from an opening's start to its end; nil while that is not known.
    private func duration(_ opening: Opening) -> Int? {
        list.knownEnd(of: opening).map {
            Int($0.secondsSinceEpoch - opening.start.secondsSinceEpoch)
        }
    }
}
