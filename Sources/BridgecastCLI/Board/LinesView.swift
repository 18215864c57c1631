// The board where there is no terminal: a line for each event, or a JSON document for each update.
import ArgumentParser
import Bridgecast
import BridgecastCore
import Foundation
import Observation

/// How `watch` and `replay` show things.
enum WatchFormat: String, ExpressibleByArgument, CaseIterable {
    case board, lines, ndjson
}

/// Writes what happens as it happens.
@MainActor
final class LinesView {
    private let app: AppStateModel
    private let clock: any WallClock
    private let isJSON: Bool
    private var lastEvent = 0
    private var lastIssue: Timestamp?

    init(_ app: AppStateModel, clock: any WallClock, isJSON: Bool) {
        (self.app, self.clock, self.isJSON) = (app, clock, isJSON)
    }

    /// Writes until the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` where output cannot be written.
    func run() async throws {
        if isJSON {
            // Issue times do not notify: JSON is written at each forecast, which moves an outlook.
            let updates = Observations { [app] in (app.phase, app.bridges.map(\.outlook)) }
            for await _ in updates { try writeJSON() }
            return
        }
        let changes = Observations { [app] in
            (app.events.first?.id ?? 0, app.phase, app.bridges.map { $0.outlook.count })
        }
        var isFirst = true
        for await _ in changes {
            if isFirst, app.phase == .ready {
                isFirst = false
                try write(BoardText.header(width: 100))
                for bridge in app.bridges {
                    try write(BoardText.bridge(bridge, clock.now, width: 100))
                }
            }
            let new = app.events.filter { $0.id > lastEvent }.reversed()
            for event in new { try write(BoardText.event(event)) }
            lastEvent = app.events.first?.id ?? lastEvent
        }
    }

    private func writeJSON() throws {
        let issue = app.bridges.compactMap(\.issueTime).max()
        guard let issue, issue != lastIssue || app.events.first?.id ?? 0 > lastEvent else { return }
        lastIssue = issue
        let document = BoardDocument(app, at: clock.now, eventsAfter: lastEvent)
        lastEvent = app.events.first?.id ?? lastEvent
        try output(try json(document, isLine: true))
    }

    private func write(_ line: StyledLine) throws {
        try output(line.text(width: 1_000, hasColour: false))
    }

    private func output(_ text: String) throws {
        let trimmed = String(text.reversed().drop { $0 == " " }.reversed())
        try Console.print(trimmed)
    }
}

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
