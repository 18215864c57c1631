// The board where there is no terminal: a line for each event.
import Bridgecast
import BridgecastCore
import Observation

/// Writes what happens as it happens.
@MainActor
final class LinesView {
    private let app: AppStateModel
    private let clock: any WallClock
    private var lastEvent = 0

    init(_ app: AppStateModel, clock: any WallClock) { (self.app, self.clock) = (app, clock) }

    /// Writes until the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` where output cannot be written.
    func run() async throws {
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

    private func write(_ line: StyledLine) throws {
        let text = line.text(width: 1_000, hasColour: false)
        let trimmed = String(text.reversed().drop { $0 == " " }.reversed())
        try Console.print(trimmed)
    }
}
