// A live service for tests, on replayed records or on a scripted feed.
import Bridgecast
@testable import BridgecastCore
@testable import BridgecastLive
import BridgecastData
import BridgecastStore
import BridgecastTestSupport
import Logging
import Observation
import Synchronization

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A feed that says what a test wants at each time of its clock.
struct ScriptedFeed: BridgeFeed {
    let name = "scripted"
    let clock: any WallClock
    let asked = Asked()
    let script: @Sendable (Timestamp) throws -> [BridgeIndex: Bool]

    final class Asked: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }

    func answer() async throws -> BridgeFeedAnswer {
        asked.add()
        return BridgeFeedAnswer(
            BridgeReading(receivedAt: clock.now, isRaised: try script(clock.now)))
    }
}

/// Writes down what a model shows whenever it changes.
@MainActor
final class Diary {
    private(set) var phases: [AppPhase] = []
    private(set) var failures: [RefreshFailure] = []
    private let app: AppStateModel

    init(_ app: AppStateModel) {
        self.app = app
        look()
    }

    private func look() {
        withObservationTracking {
            if phases.last != app.phase { phases.append(app.phase) }
            if let error = app.error, failures.last != error { failures.append(error) }
        } onChange: {
            Task { @MainActor in self.look() }
        }
    }
}

/// A forecaster by the shipped model.
@MainActor func forecaster(_ history: OpeningHistory) throws -> LiveForecaster {
    try LiveForecaster(
        TrafficInference(try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))),
        history: history)
}

/// A service on the shipped records from a time on, the model of the screen, and the clock of both.
@MainActor
func replay(
    from start: String, speed: Double = .infinity, store: HistoryStore? = nil,
    feed: ((any WallClock) -> any BridgeFeed)? = nil, interval: RefreshInterval = .live,
    archiver: ((any WallClock) -> ForecastArchiver)? = nil, diagnostics: DiagnosticLog? = nil
) throws -> (LiveService, AppStateModel, ReplayClock) {
    let history = Fixtures.shippedHistory
    let clock = ReplayClock(from: Fixtures.timestamp(start), speed: speed)
    var parts = LiveParts(
        bridges: feed?(clock) ?? ReplayFeed(history, clock: clock),
        records: { history.before(SeattleTime.startOfDay(SeattleTime.civil(at: $0).date)) },
        log: quiet)
    parts.clock = clock
    parts.store = store
    parts.interval = interval
    parts.archiver = archiver?(clock)
    parts.diagnostics = diagnostics
    let app = AppStateModel()
    return (
        try LiveService(parts, forecaster: forecaster(try parts.records(clock.now)), app: app),
        app, clock
    )
}

/// Whether a bridge is raised at a time, by the records.
func truth(_ bridge: BridgeIndex, _ time: Timestamp) -> Bool {
    !Fixtures.shippedHistory.openings(
        of: bridge, overlapping: time..<time.adding(seconds: 1)
    )
    .isEmpty
}
