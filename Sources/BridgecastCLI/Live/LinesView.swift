// The board where there is no terminal: a line for each event, or a JSON document for each update.
import Bridgecast
import BridgecastCore
import Observation

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
