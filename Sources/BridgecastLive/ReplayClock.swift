// A clock that runs through the past, at any speed; for replays.
public import Bridgecast
private import Synchronization

/// A clock that starts at some moment and runs faster than time, or jumps wherever somebody waits.
public final class ReplayClock: WallClock {
    private let start: Timestamp
    private let began = ContinuousClock.now
    private let speed: Double
    private let jumpedTo: Mutex<Timestamp>

    /// Creates a clock.
    ///
    /// - Precondition: The speed is above zero.
    /// - Parameter speed: Seconds of the replay in a second, above zero; infinite for a clock that
    ///   stands still while work is done and jumps to the moment that is waited for.
    public init(from start: Timestamp, speed: Double) {
        precondition(speed > 0, "a replay runs forwards")
        (self.start, self.speed) = (start, speed)
        jumpedTo = Mutex(start)
    }

    /// The moment of the replay.
    public var now: Timestamp {
        if speed.isInfinite { return jumpedTo.withLock { $0 } }
        let seconds = began.duration(to: .now) / .seconds(1) * speed
        return start.adding(seconds: Int64(seconds))
    }

    /// Its speed; nil for one that jumps.
    public var pace: ClockPace { ClockPace(rate: speed.isInfinite ? nil : speed) }

    /// Waits for a moment of the replay.
    ///
    /// The wait is counted from the beginning of the replay, so that waits do not add up to a drift.
    public func sleep(until moment: Timestamp) async throws {
        if speed.isInfinite {
            try Task.checkCancellation()
            jumpedTo.withLock { $0 = max($0, moment) }
            await Task.yield()
            return
        }
        let ahead = Double(moment.secondsSinceEpoch - start.secondsSinceEpoch) / speed
        try await Task.sleep(until: began.advanced(by: .seconds(ahead)), clock: .continuous)
    }

    /// Waits for so many seconds of the replay.
    public func sleep(seconds: Double) async throws {
        if speed.isInfinite {
            return try await sleep(until: now.adding(seconds: Int64(seconds.rounded(.up))))
        }
        try await Task.sleep(for: .seconds(max(0, seconds) / speed))
    }
}
