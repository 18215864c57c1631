// The board of all bridges as JSON: what `GET /bridges` answers, and `watch --format ndjson` at each change.
package import BridgecastCore
package import BridgecastObservation

/// All bridges at a moment.
package struct BoardDocument: Sendable, JSONAnswer {
    /// What every answer begins with.
    package let envelope: Envelope
    /// All bridges, by ``BridgeIndex``.
    package let bridges: [BridgeSummary]
    /// How the whole stands and what has happened since the document before; nil where nobody follows.
    package let news: News?
    /// How the clock of those who are answered runs; nil where nobody asks.
    package let pace: ClockPace?

    /// What those who follow are told besides.
    package struct News: Sendable {
        /// How the whole stands.
        package let phase: AppPhase
        /// What has happened, the oldest first.
        package let events: [BridgeEvent]

        /// Creates news.
        package init(_ phase: AppPhase, _ events: [BridgeEvent]) {
            (self.phase, self.events) = (phase, events)
        }
    }

    /// The board of a view.
    package init(
        _ view: BridgeView, _ envelope: Envelope, news: News? = nil, pace: ClockPace? = nil
    ) {
        (self.envelope, self.news, self.pace) = (envelope, news, pace)
        bridges = BridgeIndex.all.map { BridgeSummary($0, in: view) }
    }

    /// Writes what every board begins with into an object that is open.
    func writeHead(into json: inout JSONWriter) {
        envelope.write(into: &json)
        pace?.write(into: &json)
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            writeHead(into: &json)
            if let news { json.field("phase", news.phase.word) }
            json.list("bridges", bridges)
            guard let news else { return }
            json.list("events", news.events) { json, event in
                json.object { json in
                    json.field("id", event.id)
                    json.field("at", event.at)
                    json.field("bridge_id", event.bridge.map { BridgeCatalogue[$0].id.rawValue })
                    json.field("text", event.text)
                }
            }
        }
    }
}
