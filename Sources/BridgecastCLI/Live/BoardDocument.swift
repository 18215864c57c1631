// The board as JSON, a line for each change; used by LinesView.
import Bridgecast
import BridgecastCore

/// The board as JSON.
struct BoardDocument: Encodable {
    struct Bridge: Encodable {
        let bridge: String
        let bridgeId: Int
        let state: String
        let since: String?
        let probabilityStopped: Double?
        let expectedDelayS: Double?
        let confidence: String?
        let outlook: [Point]
    }

    struct Point: Encodable {
        let leadTimeS: Double
        let probabilityStopped: Double
        let expectedDelayS: Double
    }

    struct Feed: Encodable {
        let id: String
        let fetchedAt: String?
        let problem: String?
    }

    struct Event: Encodable {
        let id: Int
        let at: String
        let bridgeId: Int?
        let text: String
    }

    let at: String
    let issueTime: String?
    let phase: String
    let bridges: [Bridge]
    let feeds: [Feed]
    let events: [Event]

    @MainActor
    init(_ app: AppStateModel, at now: Timestamp, eventsAfter last: Int) {
        at = TimeText.rfc3339(now)
        issueTime = app.bridges.compactMap(\.issueTime).max().map(TimeText.rfc3339)
        switch app.phase {
        case .idle: phase = "idle"
        case .loading: phase = "loading"
        case .ready: phase = "ready"
        case .stale: phase = "stale"
        case .failed: phase = "failed"
        }
        bridges = app.bridges.map { model in
            let (state, since): (String, Timestamp?) =
                switch model.state {
                case .raised(let since): ("raised", since)
                case .lowered: ("lowered", nil)
                case .unknown: ("unknown", nil)
                }
            return Bridge(
                bridge: model.name, bridgeId: model.id.rawValue, state: state,
                since: since.map(TimeText.rfc3339),
                probabilityStopped: model.openProbability.map { Self.rounded($0, 1e5) },
                expectedDelayS: model.realTimeDelay.map { Self.rounded($0, 10) },
                confidence: model.confidence?.rawValue,
                outlook: model.outlook.map {
                    Point(
                        leadTimeS: $0.leadMinutes * 60,
                        probabilityStopped: Self.rounded($0.probability, 1e5),
                        expectedDelayS: Self.rounded($0.expectedDelaySeconds, 10))
                })
        }
        feeds = app.feeds.map {
            Feed(
                id: $0.id, fetchedAt: $0.fetchedAt.map(TimeText.rfc3339),
                problem: $0.problem.map { printable($0, most: 300) })
        }
        events = app.events.filter { $0.id > last }.reversed().map {
            Event(
                id: $0.id, at: TimeText.rfc3339($0.at),
                bridgeId: $0.bridge.map { BridgeCatalogue[$0].id.rawValue }, text: $0.text)
        }
    }

    private static func rounded(_ value: Double, _ perUnit: Double) -> Double {
        (value * perUnit).rounded() / perUnit
    }
}
