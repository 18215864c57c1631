// The live feed as the records would have had it answer; for replays.
public import Bridgecast
public import BridgecastData
private import Foundation
private import Synchronization

/// Answers with what a history says of each time, in the format of the city's feed.
///
/// Only bridges that have a sensor, and only where their records are complete.
public struct ReplayFeed: BridgeFeed {
    /// The feed's name.
    public let name = "replay"
    private let history: OpeningHistory
    private let clock: any WallClock

    /// Creates a feed.
    public init(_ history: OpeningHistory, clock: any WallClock) {
        self.history = history
        self.clock = clock
    }

    /// What the city would have answered now.
    ///
    /// - Throws: ``FeedError`` where the records cover no bridge.
    public func answer() async throws -> BridgeFeedAnswer {
        let now = clock.now
        do {
            let reply = try BridgeDataReply(Array(body(at: now).utf8))
            return BridgeFeedAnswer(BridgeReading(receivedAt: now, isRaised: reply.isRaised))
        } catch {
            throw FeedError.refused(
                url: name, reason: "the records do not cover \(TimeText.rfc3339(now))")
        }
    }

    /// GetBridgeData's reply of a time: JSON in a JSON string.
    package func body(at now: Timestamp) -> String {
        let entries = BridgeIndex.all.filter {
            BridgeCatalogue[$0].hasLiveSensor && history.coverage.contains(now, of: $0)
        }.map { bridge in
            let facts = BridgeCatalogue[bridge]
            let isRaised = !history.openings(of: bridge, overlapping: now..<now.adding(seconds: 1))
                .isEmpty
            return "{\\\"BridgeID\\\":\(facts.id),\\\"DisplayName\\\":\\\"\(facts.name)\\\","
                + "\\\"Latitude\\\":\(facts.latitude),\\\"Longitude\\\":\(facts.longitude),"
                + "\\\"Name\\\":\\\"Bridge_\(facts.name).Input01\\\","
                + "\\\"Status\\\":\\\"\(isRaised ? "Open" : "Closed")\\\"}"
        }
        return "\"[" + entries.joined(separator: ",") + "]\""
    }
}

/// A clock that starts at some time and runs faster than real time, or jumps to the time that is waited for.
public final class ReplayClock: WallClock {
    private let start: Timestamp
    private let began = ContinuousClock.now
    private let speed: Double
    private let jumpedTo: Mutex<Timestamp>

    /// Creates a clock.
    ///
    /// - Precondition: The speed is above zero.
    /// - Parameter speed: Seconds of the replay in a second, above zero; infinite for a clock that
    ///   stands still while work is done and jumps to the time that is waited for.
    public init(from start: Timestamp, speed: Double) {
        precondition(speed > 0, "a replay runs forwards")
        self.start = start
        self.speed = speed
        jumpedTo = Mutex(start)
    }

    /// The time of the replay.
    public var now: Timestamp {
        if speed.isInfinite { return jumpedTo.withLock { $0 } }
        let seconds = began.duration(to: .now) / .seconds(1) * speed
        return start.adding(seconds: Int64(seconds))
    }

    /// Its speed; nil for one that jumps.
    public var pace: ClockPace { ClockPace(rate: speed.isInfinite ? nil : speed) }

    /// Waits for a time of the replay.
    ///
    /// The wait is counted from the beginning of the replay, so that waits do not add up to a drift.
    public func sleep(until time: Timestamp) async throws {
        if speed.isInfinite {
            try Task.checkCancellation()
            jumpedTo.withLock { $0 = max($0, time) }
            await Task.yield()
            return
        }
        let ahead = Double(time.secondsSinceEpoch - start.secondsSinceEpoch) / speed
        try await Task.sleep(until: began.advanced(by: .seconds(ahead)), clock: .continuous)
    }

    /// Waits for a number of seconds of the replay.
    public func sleep(seconds: Double) async throws {
        if speed.isInfinite {
            return try await sleep(until: now.adding(seconds: Int64(seconds.rounded(.up))))
        }
        try await Task.sleep(for: .seconds(max(0, seconds) / speed))
    }
}
