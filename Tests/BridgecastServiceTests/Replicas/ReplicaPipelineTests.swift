// Replicas that share a log: the same states and events at all of them, whichever polls and whatever ends.
import BridgecastAnswers
import BridgecastCore
import BridgecastData
import BridgecastLive
import BridgecastObservation
import BridgecastStore
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import BridgecastService

/// What a client was sent.
private final class Transcript: Sendable {
    let text = Mutex("")

    /// The id of the last event of the log; before the first, of the one before that.
    var lastID: String {
        text.withLock { text in
            text.components(separatedBy: "\n").last { $0.hasPrefix("id: memory-") }
                .map { String($0.dropFirst("id: ".count)) } ?? "memory-0"
        }
    }
}

/// A service with replicas, without a network.
private final class Replica: Sendable {
    let state: ServiceState
    private let task: Task<Void, any Error>
    private let seen = Transcript()
    private let reader: Task<Void, Never>

    /// - Parameter clock: Moved by the one that polls.
    init(
        _ log: MemoryReplicaLog, clock: ReplayClock, store: HistoryStore? = nil,
        transit: TransitParts? = nil
    ) throws {
        var parts = try ServiceFixture.parts()
        parts.live.clock = clock
        parts.live.store = store
        parts.live.bridges = ReplayFeed(Fixtures.shippedHistory, clock: clock)
        parts.live.records = { Fixtures.shippedHistory.before($0) }
        parts.replicaLog = log
        parts.transit = transit
        state = ServiceState(parts, ServiceSettings())
        // The clock runs 2,000 times as fast: on a busy machine all that is published is old.
        let pipeline = try ReplicaPipeline(
            state, try #require(state.replicas), maxAgeSeconds: .infinity)
        task = Task { try await pipeline.run() }
        reader = Task { [seen, events = state.events] in
            // As a client does: a stream that ends is followed by another.
            while !Task.isCancelled {
                for await chunk in events.listen(after: seen.lastID).chunks {
                    seen.text.withLock { $0 += String(buffer: chunk) }
                }
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
    }

    /// The events that a client got, in order, as "id event data".
    var events: [String] {
        seen.text.withLock { $0 }.components(separatedBy: "\n\n").compactMap { block in
            let lines = block.split(separator: "\n")
            // A service that ends says so with the number of the last event.
            guard lines.count == 3, lines[0].hasPrefix("id: memory-"), lines[1] != "event: bye"
            else { return nil }
            return lines.map { $0.drop { $0 != " " }.dropFirst() }.joined(separator: " ")
        }
    }

    var polls: Bool { state.replicas?.term != nil }

    func end() async {
        task.cancel()
        _ = await task.result
        reader.cancel()
        state.events.finish()
        await reader.value
    }
}

/// Waits until something holds; a minute at most.
private func eventually(_ condition: () async throws -> Bool) async throws {
    for _ in 0..<6_000 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("it does not come true within a minute")
}

extension EventHub {
    /// The first bytes of a stream.
    fileprivate func beginning(after last: String) async -> String {
        for await chunk in listen(after: last).chunks { return String(buffer: chunk) }
        return ""
    }
}

extension BridgesSnapshot {
    fileprivate var chances: [Double] { update.bridges.map(\.delay.probabilityDelayed) }
}

@Suite struct ReplicaPipelineTests {
    /// An evening with openings of several bridges.
    private static let start = Fixtures.timestamp("2026-02-20T17:50")
    private static let end = start.adding(minutes: 90)

    private func clock() -> ReplayClock {
        ReplayClock(from: Self.start, speed: 2_000, until: Self.end)
    }

    /// What the bridges did, from the events of a state that a client got.
    private func movements(_ events: [String]) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for event in events where event.contains(" state {") {
            let bridge = event.split(separator: "\"bridge\":\"")[1].prefix { $0 != "\"" }
            let state = event.split(separator: "\"state\":\"")[1].prefix { $0 != "\"" }
            found[String(bridge), default: []].append(String(state))
        }
        return found
    }

    /// What they did by the records, to a tracker that reads every second.
    private func recorded() async throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        var tracker = BridgeTracker()
        for second in stride(from: Int64(0), to: 90 * 60, by: 1) {
            let now = Self.start.adding(seconds: second)
            let feed = ReplayFeed(Fixtures.shippedHistory, clock: StandingClock(now: now))
            for change in tracker.apply(try await feed.answer().reading).changes {
                found[BridgeCatalogue[change.bridge].name, default: []].append(change.after.name)
            }
        }
        return found
    }

    @Test func allReplicasShowTheSameAndSendTheSameEvents() async throws {
        let log = MemoryReplicaLog()
        let clock = clock()
        let replicas = try (0..<3).map { _ in try Replica(log, clock: clock) }
        let expected = try await recorded()
        // The clock ends before the last entries are written and read.
        try await eventually {
            let shown = replicas.compactMap { try? $0.state.snapshot() }
            let events = replicas.map(\.events)
            return shown.count == replicas.count && clock.now >= Self.end
                && shown.allSatisfy { $0.issueTime == shown[0].issueTime }
                && shown.allSatisfy { $0.chances == shown[0].chances }
                && events.allSatisfy { $0 == events[0] } && movements(events[0]) == expected
        }
        #expect(replicas.filter(\.polls).count == 1)
        #expect(log.entries.count > 90 && log.term == 1)
        let numbers = replicas[0].events.map { $0.prefix { $0 != " " } }
        #expect(numbers == (1...numbers.count).map { "memory-\($0)" })
        #expect(expected.values.reduce(0) { $0 + $1.count } > 5)
        for replica in replicas { await replica.end() }
    }

    @Test func anotherPollsWhenOneEndsAndNoEventIsLostOrDoubled() async throws {
        let log = MemoryReplicaLog()
        let clock = clock()
        let store = try HistoryStore(inMemoryNamed: "replicas")
        var replicas = try (0..<3).map { _ in try Replica(log, clock: clock, store: store) }
        let observer = replicas[2]
        for minutes in [15.0, 30, 45, 60, 75] {
            try await eventually { clock.now >= Self.start.adding(minutes: minutes) }
            guard let index = replicas.firstIndex(where: { $0.polls && $0 !== observer }) else {
                log.depose()
                continue
            }
            await replicas[index].end()
            replicas[index] = try Replica(log, clock: clock, store: store)
        }
        let expected = try await recorded()
        try await eventually {
            clock.now >= Self.end && movements(observer.events) == expected
        }
        for replica in replicas { await replica.end() }
        #expect(log.term > 3)
        for replica in replicas {
            let numbers = replica.events.compactMap {
                Int($0.prefix { $0 != " " }.dropFirst("memory-".count))
            }
            let first = replica === observer ? 1 : numbers.first ?? 0
            #expect(numbers == Array(first..<first + numbers.count))
        }
        try expectStored(store.history())
    }

    /// The records' openings that began and ended in the period, each as it was seen by the one that polled.
    private func expectStored(_ stored: OpeningHistory) throws {
        let period = Self.start.adding(minutes: 1)..<Self.end.adding(minutes: -1)
        var count = 0
        for bridge in BridgeIndex.all where BridgeCatalogue[bridge].hasLiveSensor {
            let recorded = Fixtures.shippedHistory.openings(of: bridge, overlapping: period)
                .filter { period.contains($0.start) && $0.end.map(period.contains) == true }
            let seen = stored.openings(of: bridge, overlapping: period)
                .filter { period.contains($0.start) && $0.end.map(period.contains) == true }
            #expect(seen.count == recorded.count, "\(bridge)")
            for (one, other) in zip(seen, recorded) {
                let late = one.start.secondsSinceEpoch - other.start.secondsSinceEpoch
                #expect((0...20).contains(late), "\(bridge)")
            }
            count += recorded.count
        }
        #expect(count > 1)
    }

    @Test func withoutTheLogReplicasShowWhatTheyKnewAndComeBack() async throws {
        let log = MemoryReplicaLog()
        let clock = clock()
        let replicas = try (0..<2).map { _ in try Replica(log, clock: clock) }
        try await eventually { clock.now >= Self.start.adding(minutes: 20) }
        log.cut()
        try await eventually { replicas.allSatisfy { !$0.polls } }
        for replica in replicas {
            try await eventually {
                try replica.state.snapshot().feeds.contains { $0.id == "replicas" }
            }
            let snapshot = try replica.state.snapshot()
            let sources = snapshot.sources(at: clock.now)
            #expect(
                sources.contains {
                    $0.id == "replicas"
                        && $0.problem == "the database of the replicas cannot be read"
                })
            #expect(sources.contains { $0.id == "replay" })
        }
        log.restore()
        try await eventually { replicas.contains(where: \.polls) }
        try await eventually { clock.now >= Self.start.adding(minutes: 40) }
        for replica in replicas {
            try await eventually {
                try !replica.state.snapshot().feeds.contains { $0.id == "replicas" }
            }
            await replica.end()
        }
    }

    @Test func aReplicaAloneWithoutTheLogForecastsWithoutStates() async throws {
        let log = MemoryReplicaLog()
        log.cut()
        let replica = try Replica(log, clock: clock())
        try await eventually { replica.state.isReady }
        let snapshot = try replica.state.snapshot()
        #expect(snapshot.phase == .failed && snapshot.feeds.map(\.id) == ["replicas"])
        await replica.end()
    }

    @Test func aLogThatWasReplacedIsReadFromItsBeginning() async throws {
        try await expectReset(to: "id: other-") { $0.replace() }
    }

    @Test func aLogThatHasLostItsEndContinuesUnderAnotherID() async throws {
        try await expectReset(to: "id: memoryb-") { $0.loseEnd(of: 5) }
    }

    private static func body(_ number: Int) throws -> [UInt8] {
        try ReplicaRecord(nil, sent: [.init(name: "feed", json: "\(number)")]).bytes()
    }

    /// With a shorter log than before, and with others' entries under the numbers that were read.
    @Test(arguments: [0, 1, 3]) func whatIsGoneFromTheLogIsNoticed(_ others: Int) async throws {
        let log = MemoryReplicaLog()
        let term = try await log.campaign()
        for number in 1...3 {
            try await term.append(Self.body(number), eventCount: 1, isPublication: false)
        }
        let replica = try Replica(log, clock: clock())
        try await eventually { replica.events.count == 3 }
        log.loseEnd(of: 1, writing: try (0..<others).map { try Self.body(10 + $0) })
        try await eventually {
            let old = await replica.state.events.beginning(after: "memory-3")
            let new = await replica.state.events.beginning(after: "memoryb-2")
            return old.contains("event: reset") && new.contains("data: 10") == (others > 0)
        }
        await replica.end()
    }

    /// Clients of a log that something happens to begin again, at all replicas.
    private func expectReset(to id: String, after change: (MemoryReplicaLog) -> Void) async throws {
        let log = MemoryReplicaLog()
        let clock = clock()
        let replicas = try (0..<2).map { _ in try Replica(log, clock: clock) }
        try await eventually { clock.now >= Self.start.adding(minutes: 20) }
        change(log)
        for replica in replicas {
            try await eventually {
                let seen = await replica.state.events.beginning(after: "memory-3")
                return seen.contains("event: reset") && seen.contains(id)
            }
            await replica.end()
        }
    }

    @Test func whatAnEventOfBusesIsAboutIsReadBeforeItIsSent() async throws {
        let log = MemoryReplicaLog()
        let term = try await log.campaign()
        // Its own requests, every half minute, do not run.
        let replica = try Replica(
            log, clock: clock(), transit: try TransitFixture.parts([CountedSource()]))
        // The header of a message of GTFS realtime, with its version alone.
        try await term.put(
            [0x0a, 5, 0x0a, 3] + Array("2.0".utf8), problem: nil, of: "trip_updates",
            at: Self.start)
        // What a new replica begins with is older than its own first reading.
        try await term.append(Self.body(1), eventCount: 1, isPublication: false)
        try await eventually { replica.events.count == 1 }
        let event = ReplicaRecord.SentEvent(name: "transit", json: "{}")
        try await term.append(
            ReplicaRecord(nil, sent: [event]).bytes(), eventCount: 1, isPublication: false)
        try await eventually { replica.events.last == "memory-2 transit {}" }
        let sources = try #require(replica.state.transit).timetable.snapshot.sources
        #expect(sources.first?.fetchedAt != nil && sources.first?.problem == nil)
        await replica.end()
    }

    /// A feed whose answers a test chooses.
    private final class CountedSource: RealtimeSource {
        struct Refused: Error {}

        let id = "trip_updates"
        let count = Mutex(0)
        let fails = Mutex(false)

        func fetch(at now: Timestamp) async throws -> [UInt8]? {
            count.withLock { $0 += 1 }
            if fails.withLock({ $0 }) { throw Refused() }
            return [1, 2, 3]
        }
    }

    @Test func onlyTheReplicaThatPollsRequestsARealtimeFeed() async throws {
        let log = MemoryReplicaLog()
        let sources = [CountedSource(), CountedSource()]
        let outboxes = [ReplicaOutbox(log), ReplicaOutbox(log)]
        let shared = zip(sources, outboxes).map {
            SharedRealtimeSource($0, every: 30, through: $1)
        }
        await #expect(throws: SharedRealtimeSource.Problem.self) {
            _ = try await shared[0].fetch(at: Self.start)
        }
        _ = outboxes[0].begin(try await log.campaign())
        #expect(try await shared[0].fetch(at: Self.start) == [1, 2, 3])
        #expect(try await shared[1].fetch(at: Self.start) == [1, 2, 3])
        #expect(try await shared[1].fetch(at: Self.start) == nil)
        #expect(sources.map { $0.count.withLock { $0 } } == [1, 0])
        // A feed that fails fails for all; one that is no longer requested is not up to date.
        sources[0].fails.withLock { $0 = true }
        await #expect(throws: CountedSource.Refused.self) {
            _ = try await shared[0].fetch(at: Self.start)
        }
        await #expect(throws: SharedRealtimeSource.Problem.self) {
            _ = try await shared[1].fetch(at: Self.start)
        }
        sources[0].fails.withLock { $0 = false }
        _ = try await shared[0].fetch(at: Self.start)
        #expect(try await shared[1].fetch(at: Self.start.adding(minutes: 1)) == [1, 2, 3])
        await #expect(throws: SharedRealtimeSource.Problem.self) {
            _ = try await shared[1].fetch(at: Self.start.adding(minutes: 5))
        }
        log.cut()
        await #expect(throws: MemoryReplicaLog.Lost.self) {
            _ = try await shared[1].fetch(at: Self.start)
        }
    }
}
