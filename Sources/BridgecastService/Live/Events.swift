// What stands in the events: a change of one bridge, all bridges in short, how the feeds stand.
internal import BridgecastLive
internal import BridgecastAnswers
internal import Bridgecast
internal import BridgecastCore
internal import BridgecastObservation

/// A bridge that went up, down or out of sight.
struct StateEvent: JSONAnswer {
    let change: BridgeChange
    let texts: [String]
    let issueTime: Timestamp
    let pace: ClockPace

    init(_ change: BridgeChange, _ events: [BridgeEvent], _ board: Board) {
        self.change = change
        let own = events.filter { $0.bridge == change.bridge }
        texts = (own.isEmpty ? events : own).map(\.text)
        (issueTime, pace) = (board.issueTime, board.pace)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            let facts = BridgeCatalogue[change.bridge]
            json.field("at", TimeText.rfc3339(change.at))
            json.field("bridge", facts.name)
            json.field("bridge_id", facts.id.rawValue)
            json.field("state", change.after.word)
            json.field("before", change.before.word)
            json.field("since", change.after.since.map(TimeText.rfc3339))
            json.field("text", texts.joined(separator: "; "))
            json.field("issue_time", TimeText.rfc3339(issueTime))
            pace.write(into: &json)
        }
    }
}

/// All bridges in short.
struct ForecastEvent: JSONAnswer {
    let board: Board

    init(_ board: Board) { self.board = board }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("generated_at", TimeText.rfc3339(board.madeAt))
            json.field("issue_time", TimeText.rfc3339(board.issueTime))
            json.field("model", board.model.header.name)
            json.field("phase", board.phase.word)
            board.pace.write(into: &json)
            json.list("bridges", board.update.bridges) { json, bridge in
                json.object { json in
                    let facts = BridgeCatalogue[bridge.bridge]
                    json.field("bridge", facts.name)
                    json.field("bridge_id", facts.id.rawValue)
                    json.field("state", bridge.state.word)
                    json.field("since", bridge.state.since.map(TimeText.rfc3339))
                    json.field(
                        "probability_stopped", bridge.delay.probabilityDelayed, decimals: 5)
                    json.field("expected_delay_s", bridge.delay.expectedSeconds, decimals: 1)
                    json.field("confidence", bridge.confidence.rawValue)
                }
            }
        }
    }
}

/// How the feeds stand.
struct FeedEvent: JSONAnswer {
    let board: Board

    init(_ board: Board) { self.board = board }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("generated_at", TimeText.rfc3339(board.madeAt))
            json.field("phase", board.phase.word)
            board.pace.write(into: &json)
            json.list("sources", board.sources(at: board.madeAt))
        }
    }
}
