// How often realtime feeds are polled, and what is shown while they fail.
import BridgecastCore
import BridgecastData
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing
@testable import BridgecastTransit

@Suite struct TransitPollerTests {
    private static let evening = Fixtures.timestamp("2026-02-20T18:02")
    private let clock = ManualClock(evening)
    private let updates = ScriptedSource(
        "trip_updates",
        .bytes(SmallTransit.tripUpdates(of: "n-18:10", delaySeconds: 300, at: evening)))

    private func timetable() throws -> LiveTimetable {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        return LiveTimetable(try TransitFeed(contentsOf: folder), at: clock.now)
    }

    /// The predicted delay of the bus of 18:10 at its first stop.
    private func lateness(on timetable: LiveTimetable) throws -> Int? {
        let stop = try #require(timetable.feed.stop(SmallTransit.south))
        return timetable.snapshot.board(of: stop, at: clock.now).departures
            .first { $0.tripID == "n-18:10" }?.delaySeconds
    }

    @Test func feedsArePolledOnceInTwentySeconds() async throws {
        let poller = TransitPoller(
            try timetable(), sources: [updates], clock: clock, intervalSeconds: 1)
        for _ in 0..<50 { await poller.refresh() }
        #expect(updates.count == 1)
        clock.move(seconds: 19)
        await poller.refresh()
        #expect(updates.count == 1)
        clock.move(seconds: 1)
        await withTaskGroup { group in
            for _ in 0..<50 { group.addTask { await poller.refresh() } }
        }
        #expect(updates.count == 2)
    }

    @Test func aClockSetBackDoesNotStopPolling() async throws {
        let poller = TransitPoller(try timetable(), sources: [updates], clock: clock)
        await poller.refresh()
        for shift: Int64 in [-7200, -25, 3600] {
            let before = updates.count
            clock.set(by: shift)
            clock.move(seconds: 20)
            await poller.refresh()
            #expect(updates.count == before + 1, "set by \(shift) s")
        }
    }

    @Test func contentStaysWhileAFeedFailsAndIsPolledLessOften() async throws {
        let timetable = try timetable()
        let poller = TransitPoller(timetable, sources: [updates], clock: clock, intervalSeconds: 30)
        await poller.refresh()
        #expect(try lateness(on: timetable) == 300)
        updates.answer(with: .failure)
        var polled: [Int64] = []
        for step in 1...40 {
            clock.move(seconds: 30)
            let before = updates.count
            await poller.refresh()
            if updates.count > before { polled.append(Int64(step) * 30) }
        }
        // After one interval, then after two, four, eight, sixteen; twenty at most.
        #expect(polled == [30, 60, 120, 240, 480, 960])
        let status = try #require(timetable.snapshot.sources.first)
        #expect(status.problem == "no answer" && status.fetchedAt == Self.evening)
        #expect(timetable.snapshot.runs.count == 1)
        clock.move(seconds: 600)
        updates.answer(with: .unchanged)
        await poller.refresh()
        #expect(timetable.snapshot.sources.first?.problem == nil)
        #expect(timetable.snapshot.sources.first?.fetchedAt == clock.now)
    }

    @Test func unreadableBytesStayAFailureWhileUnchanged() async throws {
        let timetable = try timetable()
        let poller = TransitPoller(
            timetable, sources: [updates], clock: clock, describe: { _ in "no feed" })
        await poller.refresh()
        updates.answer(with: .bytes(Array("<html><body>Maintenance</body></html>".utf8)))
        clock.move(seconds: 30)
        await poller.refresh()
        #expect(timetable.snapshot.sources.first?.problem == "no feed")
        #expect(timetable.snapshot.runs.count == 1)
        updates.answer(with: .unchanged)
        clock.move(seconds: 30)
        await poller.refresh()
        #expect(timetable.snapshot.sources.first?.problem == "no feed")
    }

    @Test func aFailureAfterTheNewsOfAnotherFeedIsShownAtOnce() async throws {
        let timetable = try timetable()
        let (stream, holder) = AsyncStream.makeStream(of: Void.self)
        let slow = ScriptedSource("vehicle_positions", .heldFailure(stream))
        let poller = TransitPoller(
            timetable, sources: [slow, updates], clock: clock,
            listener: { if $0.refreshed == ["trip_updates"] { holder.finish() } })
        await poller.refresh()
        #expect(timetable.snapshot.sources.map(\.problem) == ["no answer", nil])
    }

    /// Polls two feeds, of which the second has answered, and the first does after the body.
    private func whileTheFirstFeedIsSlow(
        _ timetable: LiveTimetable, _ body: () throws -> Void
    ) async throws -> TransitPoller {
        let (stream, holder) = AsyncStream.makeStream(of: Void.self)
        let slow = ScriptedSource("vehicle_positions", .held(stream))
        let (news, continuation) = AsyncStream.makeStream(of: [String].self)
        let poller = TransitPoller(
            timetable, sources: [slow, updates], clock: clock,
            listener: { continuation.yield($0.refreshed) })
        let polling = Task { await poller.refresh() }
        var listener = news.makeAsyncIterator()
        #expect(await listener.next() == ["trip_updates"])
        try body()
        holder.finish()
        await polling.value
        return poller
    }

    @Test func noFeedWaitsForASlowerOne() async throws {
        let timetable = try timetable()
        _ = try await whileTheFirstFeedIsSlow(timetable) {
            #expect(timetable.snapshot.runs.count == 1)
        }
    }

    @Test func feedsKeepTheirOrderWhicheverAnswersFirst() async throws {
        let timetable = try timetable()
        let poller = try await whileTheFirstFeedIsSlow(timetable) {
            #expect(timetable.snapshot.sources.map(\.id) == ["trip_updates"])
        }
        await poller.use(timetable)
        #expect(timetable.snapshot.sources.map(\.id) == ["vehicle_positions", "trip_updates"])
        #expect(timetable.snapshot.sources.map(\.entities) == [0, 1])
    }

    @Test func anotherTimetableKeepsTheRealtimeContent() async throws {
        let poller = TransitPoller(try timetable(), sources: [updates], clock: clock)
        await poller.refresh()
        let newer = try timetable()
        await poller.use(newer)
        #expect(try lateness(on: newer) == 300)
        #expect(updates.count == 1)
    }

    @Test func retryAfterIsLimitedToAnHour() {
        var feed = PolledFeed(updates)
        let wish = FeedError.status(url: "x", code: 503, retryAfterSeconds: .infinity)
        feed.failed(wish, atSeconds: 0, intervalSeconds: 30)
        #expect(!feed.isDue(atSeconds: 3500))
        #expect(feed.isDue(atSeconds: 3600))
    }

    @Test func newsReachesAllReadersTheNewestFirst() async throws {
        let timetable = try timetable()
        let poller = TransitPoller(timetable, sources: [updates], clock: clock)
        var early = poller.news().makeAsyncIterator()
        await poller.refresh()
        var late = poller.news().makeAsyncIterator()
        #expect(await early.next()?.refreshed == ["trip_updates"])
        #expect(await late.next()?.snapshot === timetable.snapshot)
        for _ in 0..<3 { await poller.use(timetable) }
        // Those between were skipped.
        #expect(await early.next()?.snapshot === timetable.snapshot)
        #expect(await late.next()?.refreshed == [])
    }

    @Test func newsEndsWithThePoller() async throws {
        var poller: TransitPoller? = TransitPoller(
            try timetable(), sources: [updates], clock: clock)
        let news = poller?.news()
        poller = nil
        #expect(await news?.first { _ in true } == nil)
    }

    @Test func pollersEndWhenCancelled() async throws {
        let poller = TransitPoller(try timetable(), sources: [updates], clock: clock)
        let run = Task { try await poller.run() }
        while updates.count == 0 { await Task.yield() }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }
}

/// A source whose answers a test sets.
final class ScriptedSource: RealtimeSource {
    enum Answer: Sendable {
        case bytes([UInt8])
        case unchanged
        case failure
        /// No answer until the stream ends.
        case held(AsyncStream<Void>)
        /// A failure after the stream has ended.
        case heldFailure(AsyncStream<Void>)
    }

    struct NoAnswer: Error, CustomStringConvertible {
        let description = "no answer"
    }

    let id: String
    private let state: Mutex<(answer: Answer, count: Int)>

    init(_ id: String, _ answer: Answer) {
        self.id = id
        state = Mutex((answer, 0))
    }

    /// How often it was polled.
    var count: Int { state.withLock { $0.count } }

    /// Sets the answer from now on.
    func answer(with answer: Answer) { state.withLock { $0.answer = answer } }

    func fetch(at now: Timestamp) async throws -> [UInt8]? {
        let answer = state.withLock { state in
            state.count += 1
            return state.answer
        }
        switch answer {
        case .bytes(let bytes): return bytes
        case .unchanged: return nil
        case .failure: throw NoAnswer()
        case .held(let stream):
            for await _ in stream {}
            return nil
        case .heldFailure(let stream):
            for await _ in stream {}
            throw NoAnswer()
        }
    }
}

/// A clock that shows the time that a test sets.
final class ManualClock: WallClock {
    private let state: Mutex<(now: Timestamp, passedSeconds: Int64)>

    init(_ time: Timestamp) { state = Mutex((time, 0)) }

    var now: Timestamp { state.withLock { $0.now } }
    var monotonicSeconds: Double { state.withLock { Double($0.passedSeconds) } }

    /// Lets time pass.
    func move(seconds: Int64) {
        state.withLock { $0 = ($0.now.adding(seconds: seconds), $0.passedSeconds + seconds) }
    }

    /// Sets it, as somebody sets the system's clock.
    func set(by seconds: Int64) { state.withLock { $0.now = $0.now.adding(seconds: seconds) } }

    func sleep(seconds: Double) async throws { try await Task.sleep(for: .seconds(3600)) }
}
