// The clock that live parts wait by, replaced in replays and tests; how long readings stay fresh.
private import Foundation

/// A clock that can be read and waited for.
public protocol WallClock: Sendable {
    /// The current time.
    var now: Timestamp { get }
    /// Returns at a time, at once if it has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    func sleep(until time: Timestamp) async throws
    /// Returns after `seconds`.
    ///
    /// - Throws: As ``sleep(until:)``.
    func sleep(seconds: Double) async throws
    /// How fast it runs now; by default as fast as real time.
    var pace: ClockPace { get }
}

extension WallClock {
    /// As fast as real time.
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
    public func sleep(until time: Timestamp) async throws {
        while now < time {
            let left = Double(time.secondsSinceEpoch) - Date().timeIntervalSince1970
            try await sleep(seconds: min(left, 60))
        }
    }

    /// Waits on the system's monotonic clock.
    public func sleep(seconds: Double) async throws {
        // Tasks cannot sleep without end; a thousand years is enough.
        try await Task.sleep(for: .seconds(min(max(0, seconds), 3e10)))
    }
}

/// The pace of a clock.
public struct ClockPace: Sendable, Equatable {
    /// Seconds of the clock in a second: 0 while it is stopped, nil for one that jumps from event to event.
    public let rate: Double?
    /// Where it stops; nil if it goes on.
    public let end: Timestamp?

    /// Creates a pace.
    public init(rate: Double?, end: Timestamp? = nil) {
        self.rate = rate
        self.end = end
    }

    /// As fast as real time.
    public static let live = ClockPace(rate: 1)
    /// Stopped.
    public static let standing = ClockPace(rate: 0)
}

/// How old a reading may be and still count as current.
package struct Freshness: Sendable {
    /// A reading older than this is stale, minutes.
    package let limitMinutes: Double

    /// Readings may be this much later than the time they are used at, because clocks differ; minutes.
    package static let clockToleranceMinutes = 1.0

    /// - Parameter limitMinutes: The age up to which a reading counts.
    package init(limitMinutes: Double) { self.limitMinutes = limitMinutes }

    /// Whether a reading counts at a time: neither too old nor from after it.
    package func holds(_ readAt: Timestamp, at time: Timestamp) -> Bool {
        time.minutes(since: readAt) >= -Self.clockToleranceMinutes && !isStale(readAt, at: time)
    }

    package func isStale(_ readAt: Timestamp, at time: Timestamp) -> Bool {
        time.minutes(since: readAt) > limitMinutes
    }

    /// The first full second at which a reading is too old.
    package func end(of readAt: Timestamp) -> Timestamp {
        readAt.adding(minutes: limitMinutes).adding(seconds: 1)
    }
}
