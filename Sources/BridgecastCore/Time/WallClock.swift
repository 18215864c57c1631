// The clock that live parts wait by, replaced in replays and tests; how long readings stay fresh.

/// A clock that can be read and waited for.
public protocol WallClock: Sendable {
    /// The current time. It jumps when the system's clock is set.
    var now: Timestamp { get }
    /// Seconds since some fixed moment, by a clock that is never set: intervals are measured and waited for by it.
    var monotonicSeconds: Double { get }
    /// Returns after `seconds` of ``monotonicSeconds``, at once if they are not above zero.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    func sleep(seconds: Double) async throws
    /// How fast it runs now; by default as fast as real time.
    var pace: ClockPace { get }
}

extension WallClock {
    /// As fast as real time.
    public var pace: ClockPace { .live }

    /// Whether seconds have passed since a time of ``monotonicSeconds``; true if there is none.
    ///
    /// Whole seconds count: a wait may end a little earlier after its time than the one before.
    package func havePassed(_ seconds: Double, since start: Double?) -> Bool {
        start.map { (monotonicSeconds - $0).rounded() >= seconds } ?? true
    }

    /// Returns when ``monotonicSeconds`` has reached a value, at once if it has passed.
    ///
    /// - Throws: As ``sleep(seconds:)``.
    public func sleep(untilMonotonicSeconds time: Double) async throws {
        // Less than that is lost in the rounding of large numbers.
        while time - monotonicSeconds > 1e-6 { try await sleep(seconds: time - monotonicSeconds) }
    }
}

/// Tasks cannot sleep without end; a thousand years is enough.
private let maxSleepSeconds = 3e10

/// The system's clock.
public struct SystemWallClock: WallClock {
    private static let reference = ContinuousClock.now

    /// Creates the clock.
    public init() {}

    /// The system's time.
    public var now: Timestamp { .now }

    /// Goes on while the machine is suspended.
    public var monotonicSeconds: Double { Self.reference.duration(to: .now) / .seconds(1) }

    /// Waits on the system's monotonic clock.
    public func sleep(seconds: Double) async throws {
        try await Task.sleep(for: .seconds(min(max(0, seconds), maxSleepSeconds)))
    }
}

/// A clock for those who only read one that others drive: sleeping on it does not hold that clock back.
public struct FollowingClock: WallClock {
    private let driven: any WallClock

    /// Follows a clock.
    public init(_ driven: any WallClock) { self.driven = driven }

    /// The followed clock's time.
    public var now: Timestamp { driven.now }
    /// The followed clock's.
    public var monotonicSeconds: Double { driven.monotonicSeconds }
    /// The followed clock's.
    public var pace: ClockPace { driven.pace }

    /// Waits as long as the followed clock takes for these seconds at its present pace: without end where it is stopped,
    /// as long as in real time where it jumps.
    public func sleep(seconds: Double) async throws {
        let rate = driven.pace.rate ?? 1
        let wait = rate > 0 ? max(0, seconds) / rate : maxSleepSeconds
        try await Task.sleep(for: .seconds(min(wait, maxSleepSeconds)))
    }
}

/// Notices that the system's clock was set.
package struct ClockWatchdog: Sendable {
    private var last: (now: Timestamp, monotonicSeconds: Double)?

    /// A clock that differs by less was not set: times are whole seconds, and a clock may be slewed.
    package static let toleranceSeconds = 5.0

    package init() {}

    /// By how much a clock was set forward since the last call, seconds, negative if back; nil if it was not.
    package mutating func shiftSeconds(_ clock: any WallClock) -> Double? {
        let seconds = clock.monotonicSeconds
        let now = clock.now
        // Stopped in between, or a clock that runs so fast that two looks are of different times.
        guard clock.monotonicSeconds - seconds < 1 else { return nil }
        defer { last = (now, seconds) }
        guard let last else { return nil }
        let shift = now.minutes(since: last.now) * 60 - (seconds - last.monotonicSeconds)
        return abs(shift) > Self.toleranceSeconds ? shift : nil
    }

    /// "the system's clock was set back by 60 min".
    package static func description(_ shiftSeconds: Double) -> String {
        let duration = TimeText.roughDuration(minutes: abs(shiftSeconds.rounded()) / 60)
        return "the system's clock was set \(shiftSeconds < 0 ? "back" : "forward") by \(duration)"
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

    /// From a reading to the first full second at which it is too old.
    package var lifetimeSeconds: Double { limitMinutes * 60 + 1 }
}
