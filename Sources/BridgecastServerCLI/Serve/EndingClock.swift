// The clock of a replay that is served: at its end it stands still, and the last moment stays on show.
import BridgecastCore

/// A replay's clock that stops at a moment.
struct EndingClock: WallClock {
    private let clock: any WallClock
    private let end: Timestamp

    /// Longer than any service runs, seconds.
    private static let foreverSeconds: Int64 = 10 * 366 * 86_400

    init(_ clock: any WallClock, until end: Timestamp) { (self.clock, self.end) = (clock, end) }

    /// The moment of the replay, at most its end.
    var now: Timestamp { min(clock.now, end) }

    /// The replay's; 0 from the end on.
    var pace: ClockPace { ClockPace(rate: now < end ? clock.pace.rate : 0, end: end) }

    func sleep(until moment: Timestamp) async throws {
        try await clock.sleep(until: min(moment, end))
        // What lies behind the end never comes; what waits for it is cancelled one day.
        if moment > end { try await Task.sleep(for: .seconds(Self.foreverSeconds)) }
    }

    func sleep(seconds: Double) async throws { try await clock.sleep(seconds: seconds) }
}
