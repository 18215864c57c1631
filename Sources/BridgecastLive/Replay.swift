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

/// A clock that starts at some time, runs faster than real time, and moves with the events of the replay.
///
/// It never passes the time that a sleeper waits for, and stands still while there is none: the program part that drives a
/// replay wakes exactly when it wanted to, and nothing is missed on a slow or busy machine. Such a machine takes longer instead.
/// Sleepers are woken in the order of their times. Those who only read it sleep on a ``FollowingClock``.
public final class ReplayClock: WallClock {
    private let start: Timestamp
    private let speed: Double
    private let end: Timestamp?
    private let state: Mutex<State>

    private struct State {
        /// The last time that a sleeper was woken at, seconds of the replay since its start.
        var reached = 0.0
        /// When the replay would have begun, had it always run at its speed.
        var origin = ContinuousClock.now
        /// What sleepers wait for, seconds since the start.
        var wakes: [Double] = []
    }

    /// Lateness up to this is made up for, so that the waits do not add up to a drift.
    ///
    /// After more, such as while the
    /// process was stopped, the replay goes on from where it was.
    private static let slack = Duration.milliseconds(250)
    /// Longer than any replay runs.
    private static let foreverSeconds = 10.0 * 366 * 86_400

    /// Creates a clock.
    ///
    /// - Precondition: The speed is above zero.
    /// - Parameters:
    ///   - speed: Seconds of the replay in a second, above zero; infinite for a clock that
    ///     jumps to the time that is waited for.
    ///   - end: Where it stops, so that the end stays on show; nil if it goes on.
    public init(from start: Timestamp, speed: Double, until end: Timestamp? = nil) {
        precondition(speed > 0, "a replay runs forwards")
        self.start = start
        self.speed = speed
        self.end = end
        state = Mutex(State())
    }

    /// The time of the replay.
    public var now: Timestamp {
        // A sum of fractions may lack a billionth.
        start.adding(seconds: Int64((monotonicSeconds + 1e-6).rounded(.down)))
    }

    /// Seconds of the replay since its start.
    public var monotonicSeconds: Double { state.withLock { seconds($0) } }

    /// How many wait now.
    var sleepers: Int { state.withLock { $0.wakes.count } }

    /// Its speed: nil for one that jumps, 0 at the end.
    public var pace: ClockPace {
        if let end, now >= end { return ClockPace(rate: 0, end: end) }
        return ClockPace(rate: speed.isInfinite ? nil : speed, end: end)
    }

    /// Waits for a number of seconds of the replay; without end if they reach beyond its end.
    public func sleep(seconds: Double) async throws {
        let wake = state.withLock { state in
            let wake = self.seconds(state) + max(0, seconds)
            state.wakes.append(min(wake, endSeconds))
            return wake
        }
        let reachable = min(wake, endSeconds)
        do {
            while let wait = state.withLock({ waitBeforeTurn(of: reachable, $0) }) {
                try await Task.sleep(for: wait)
            }
            try Task.checkCancellation()
        } catch {
            leave(reachable, isReached: false)
            throw error
        }
        leave(reachable, isReached: true)
        if wake > endSeconds { try await Task.sleep(for: .seconds(Self.foreverSeconds)) }
        if speed.isInfinite { await Task.yield() }
    }

    private var endSeconds: Double {
        end.map { Double($0.secondsSinceEpoch - start.secondsSinceEpoch) } ?? .infinity
    }

    private func instant(
        of seconds: Double, from origin: ContinuousClock.Instant
    ) -> ContinuousClock.Instant {
        origin.advanced(by: .seconds(min(seconds / speed, Self.foreverSeconds)))
    }

    private func seconds(_ state: State) -> Double {
        guard !speed.isInfinite, let next = state.wakes.min() else { return state.reached }
        let elapsed = state.origin.duration(to: .now) / .seconds(1) * speed
        return max(state.reached, min(next, elapsed))
    }

    /// How long a sleeper has to wait before it may look again; nil if it is the first of all and its time has come.
    private func waitBeforeTurn(of wake: Double, _ state: State) -> Duration? {
        guard wake.isFinite else { return .seconds(Self.foreverSeconds) }
        if let earlier = state.wakes.min(), earlier < wake { return Self.turnCheck }
        guard !speed.isInfinite else { return nil }
        let wait = ContinuousClock.now.duration(to: instant(of: wake, from: state.origin))
        return wait > .zero ? wait : nil
    }

    /// How often a sleeper looks whether those before it have been woken.
    private static let turnCheck = Duration.milliseconds(1)

    private func leave(_ wake: Double, isReached: Bool) {
        state.withLock { state in
            state.reached = max(state.reached, isReached ? wake : seconds(state))
            if let index = state.wakes.firstIndex(of: wake) { state.wakes.remove(at: index) }
            guard isReached, !speed.isInfinite else { return }
            let late = instant(of: wake, from: state.origin).duration(to: .now)
            if late > Self.slack { state.origin += late }
        }
    }
}
