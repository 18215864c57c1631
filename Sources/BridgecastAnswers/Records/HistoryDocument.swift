// Openings of the past as JSON, CSV or NDJSON, page by page, and by weekday and hour: `/history`,
// `/bridges/{id}/pattern`.
package import BridgecastCore
package import BridgecastSupport

package struct HistoryDocument: Sendable, JSONObjectAnswer {
    package let envelope: Envelope
    package let list: OpeningList
    package let page: OpeningList.Page
    /// The maximum number of openings on a page.
    package let limit: Int
    /// The number of openings before the page.
    package let offset: Int
    /// The address of the next page; nil on the last.
    package let next: String?

    package init(
        envelope: Envelope, list: OpeningList, page: OpeningList.Page, limit: Int, offset: Int,
        next: String?
    ) {
        self.envelope = envelope
        self.list = list
        self.page = page
        self.limit = limit
        self.offset = offset
        self.next = next
    }

    package func writeFields(into json: inout JSONWriter) {
        envelope.write(into: &json)
        json.list("openings", page.openings) { write($1, to: &$0) }
        json.field("total", page.total)
        json.field("limit", limit)
        json.field("offset", offset)
        json.field("next", next)
        json.field("order", "opened_at, bridge_id")
    }

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
            let bridge = BridgeCatalogue[opening.bridge]
            let end = list.knownEnd(of: opening)
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
            json.fields(of: opening.bridge)
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

/// Openings in order of their start, then of the bridges, as known at a time.
package struct OpeningList: Sendable {
    /// When it was made: nothing later is in it, and an opening that went on then has no end.
    package let time: Timestamp
    private let all: [Opening]
    private let byBridge: [[Opening]]

    package struct Page: Sendable {
        package let openings: ArraySlice<Opening>
        /// The openings of all pages.
        package let total: Int
    }

    /// Puts a history in order; O(n log n).
    package init(_ history: OpeningHistory, at time: Timestamp) {
        self.time = time
        byBridge = history.openings.map { list in Array(list.prefix { $0.start <= time }) }
        all = byBridge.joined().sorted { ($0.start, $0.bridge) < ($1.start, $1.bridge) }
    }

    /// A page of the openings that begin in an interval; O(log n).
    ///
    /// - Parameters:
    ///   - bridge: The bridge; nil for all of them.
    ///   - interval: From when on they began, and before when.
    ///   - offset: How many are left out first; the page is empty if there are no more.
    ///   - limit: The maximum number on the page.
    package func page(
        of bridge: BridgeIndex?, in interval: Range<Timestamp>, offset: Int, limit: Int
    ) -> Page {
        let list = bridge.map { byBridge[$0.rawValue] } ?? all
        let first = list.partitioningIndex { $0.start >= interval.lowerBound }
        let last = max(first, list.partitioningIndex { $0.start >= interval.upperBound })
        let start = first + min(offset, last - first)
        return Page(openings: list[start..<start + min(limit, last - start)], total: last - first)
    }

    /// When an opening ended, as known when the list was made; nil if it went on.
    package func knownEnd(of opening: Opening) -> Timestamp? {
        opening.end.flatMap { $0 < time ? $0 : nil }
    }
}

package struct PatternDocument: Sendable, JSONObjectAnswer {
    package let envelope: Envelope
    package let bridge: BridgeIndex
    package let pattern: OpeningPattern

    /// A document of a count; it warns where there are no records.
    package init(_ bridge: BridgeIndex, _ pattern: OpeningPattern, envelope: Envelope) {
        self.bridge = bridge
        self.pattern = pattern
        var envelope = envelope
        if pattern.interval == nil {
            envelope.warnings.append("no records of this bridge, which does not mean no openings")
        }
        self.envelope = envelope
    }

    package func writeFields(into json: inout JSONWriter) {
        envelope.write(into: &json)
        json.fields(of: bridge)
        json.field("from", pattern.interval?.lowerBound)
        json.field("to", pattern.interval?.upperBound)
        json.field("covered_days", Double(pattern.coveredSeconds) / 86_400, decimals: 2)
        json.field("openings", pattern.openings)
        json.field("median_duration_s", pattern.medianSeconds, decimals: 1)
        json.list("hours", pattern.hours) { write($1, to: &$0) }
    }

    private func write(_ hour: OpeningPattern.Hour, to json: inout JSONWriter) {
        json.object { json in
            json.field("weekday", hour.weekday.rawValue + 1)
            json.field("hour", hour.hour)
            json.field("covered_h", Double(hour.coveredSeconds) / 3600, decimals: 4)
            json.field("openings", hour.openings)
            json.field("openings_per_h", hour.openingsPerHour, decimals: 5)
            json.field("median_duration_s", hour.medianSeconds, decimals: 1)
            json.field("raised_share", hour.raisedShare, decimals: 5)
        }
    }
}
