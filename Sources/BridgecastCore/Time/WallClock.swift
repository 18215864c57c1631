// The clock that everything live reads and waits by; replays and tests put another in its place.
private import Foundation

/// Tells the time and waits for it.
public protocol WallClock: Sendable {
    /// The present.
    var now: Timestamp { get }
    /// Returns at a moment, at once if it has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    func sleep(until moment: Timestamp) async throws
    /// Returns after so many seconds.
    ///
    /// - Throws: As ``sleep(until:)``.
    func sleep(seconds: Double) async throws
    /// How fast it runs now; as time itself unless a clock says otherwise.
    var pace: ClockPace { get }
}

extension WallClock {
    /// As time itself.
    public var pace: ClockPace { .live }
}

/// The system's clock.
public struct SystemWallClock: WallClock {
    /// Creates the clock.
    public init() {}

    /// The system's time.
    public var now: Timestamp { .now }

    /// Waits on the system's monotonic clock, a minute at a time, so that a clock that is set
    /// meanwhile does not keep it waiting.
    public func sleep(until moment: Timestamp) async throws {
        while now < moment {
            let left = Double(moment.secondsSinceEpoch) - Date().timeIntervalSince1970
            try await sleep(seconds: min(left, 60))
        }
    }

    /// Waits on the system's monotonic clock.
    public func sleep(seconds: Double) async throws {
        // Tasks cannot sleep for ever; a thousand years will do.
        try await Task.sleep(for: .seconds(min(max(0, seconds), 3e10)))
    }
}
