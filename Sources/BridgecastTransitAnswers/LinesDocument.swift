// The lines of a timetable with the drawbridges that they cross, as JSON.
package import BridgecastAnswers
internal import BridgecastCore
package import BridgecastSupport
package import BridgecastTransit

/// The lines of a timetable, or those that a text names: `GET /lines`.
package struct LinesDocument: Sendable, JSONAnswer {
    package let envelope: TransitEnvelope
    /// Those of the page that was asked for.
    package let lines: [TransitRoute]
    /// How many there are in all.
    package let total: Int
    private let crossings: BridgeCrossings

    /// - Parameters:
    ///   - text: Only lines whose names or identifiers contain it, the best first; nil for all.
    ///   - range: Which part of the matching list is shown.
    package init(
        matching text: String?, in feed: TransitFeed, _ crossings: BridgeCrossings,
        showing range: Range<Int>, envelope: TransitEnvelope
    ) {
        self.envelope = envelope
        self.crossings = crossings
        let found = feed.routes(matching: text)
        total = found.count
        lines = found.dropFirst(range.lowerBound).prefix(range.count).map { feed[$0] }
    }

    package func write(to json: inout JSONWriter) {
        envelope.writeDocument(to: &json) { json, _ in
            json.field("total", total)
            json.list("lines", objects: lines) { json, line in
                json.fields(of: line)
                let bridges = BridgeIndex.all.filter {
                    crossings.routes(over: $0).contains(line.index)
                }
                json.list("bridges", objects: bridges) { $0.fields(of: $1) }
            }
        }
    }
}
