// How often realtime feeds are asked, and what is on show while they fail.
import BridgecastCore
import BridgecastData
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing

@testable import BridgecastTransit

@Suite struct TransitPollerTests {
    private static let evening = Fixtures.moment("2026-02-20T18:02")
    private let clock = HandClock(evening)
    private let updates = SpokenSource(
        "trip_updates",
        .bytes(SmallTransit.tripUpdates(of: "n-18:10", delaySeconds: 300, at: evening)))

    private func desk() throws -> TransitDesk {
        let folder = try SmallTransit.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        return TransitDesk(try TransitFeed(contentsOf: folder), at: clock.now)
    }

    /// What is predicted for the bus of 18:10 at its first stop, and how its feed stands.
    private func lateness(on desk: TransitDesk) throws -> Int? {
        let stop = try #require(desk.feed.stop(SmallTransit.south))
        return desk.snapshot.board(of: stop, at: clock.now).departures
            .first { $0.tripID == "n-18:10" }?.delaySeconds
    }

    @Test func aFeedIsAskedOnceInTwentySecondsHoweverManyWantIt() async throws {
        let poller = TransitPoller(try desk(), [updates], clock: clock, intervalSeconds: 1)
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

    @Test func aClockThatIsSetBackKeepsNobodyWaiting() async throws {
        let poller = TransitPoller(try desk(), [updates], clock: clock)
        await poller.refresh()
        clock.move(seconds: -7200)
        await poller.refresh()
        #expect(updates.count == 2)
    }

    @Test func whatAFeedSaidStaysOnShowWhileItFailsAndItIsAskedLessAndLess() async throws {
        let desk = try desk()
        let poller = TransitPoller(desk, [updates], clock: clock, intervalSeconds: 30)
        await poller.refresh()
        #expect(try lateness(on: desk) == 300)
        updates.say(.failure)
        var asked: [Int64] = []
        for step in 1...40 {
            clock.move(seconds: 30)
            let before = updates.count
            await poller.refresh()
            if updates.count > before { asked.append(Int64(step) * 30) }
        }
        // After one interval, then after two, four, eight, sixteen; twenty at most.
        #expect(asked == [30, 60, 120, 240, 480, 960])
        let status = try #require(desk.snapshot.sources.first)
        #expect(status.problem == "nobody answers" && status.fetchedAt == Self.evening)
        #expect(desk.snapshot.runs.count == 1)
        clock.move(seconds: 600)
        updates.say(.unchanged)
        await poller.refresh()
        #expect(desk.snapshot.sources.first?.problem == nil)
        #expect(desk.snapshot.sources.first?.fetchedAt == clock.now)
    }

    @Test func bytesThatAreNoFeedAreAFailureAndStayOneWhileTheyAreTheSame() async throws {
        let desk = try desk()
        let poller = TransitPoller(desk, [updates], clock: clock, words: { _ in "no feed" })
        await poller.refresh()
        updates.say(.bytes(Array("<html><body>Maintenance</body></html>".utf8)))
        clock.move(seconds: 30)
        await poller.refresh()
        #expect(desk.snapshot.sources.first?.problem == "no feed")
        #expect(desk.snapshot.runs.count == 1)
        updates.say(.unchanged)
        clock.move(seconds: 30)
        await poller.refresh()
        #expect(desk.snapshot.sources.first?.problem == "no feed")
    }

    /// A poller of two feeds, asked: the second has answered, the first does when the body is done.
    private func whileTheFirstFeedIsSlow(
        _ desk: TransitDesk, _ body: () throws -> Void
    ) async throws -> TransitPoller {
        let (stream, holder) = AsyncStream.makeStream(of: Void.self)
        let slow = SpokenSource("vehicle_positions", .held(stream))
        let (news, teller) = AsyncStream.makeStream(of: [String].self)
        let poller = TransitPoller(
            desk, [slow, updates], clock: clock, listener: { teller.yield($0.refreshed) })
        let asking = Task { await poller.refresh() }
        var listener = news.makeAsyncIterator()
        #expect(await listener.next() == ["trip_updates"])
        try body()
        holder.finish()
        await asking.value
        return poller
    }

    @Test func noFeedWaitsForASlowerOne() async throws {
        let desk = try desk()
        _ = try await whileTheFirstFeedIsSlow(desk) {
            #expect(desk.snapshot.runs.count == 1)
        }
    }

    @Test func feedsAreInTheOrderInWhichTheyWereGivenWhicheverAnswersFirst() async throws {
        let desk = try desk()
        let poller = try await whileTheFirstFeedIsSlow(desk) {
            #expect(desk.snapshot.sources.map(\.id) == ["trip_updates"])
        }
        await poller.use(desk)
        #expect(desk.snapshot.sources.map(\.id) == ["vehicle_positions", "trip_updates"])
        #expect(desk.snapshot.sources.map(\.entities) == [0, 1])
    }

    @Test func anotherTimetableTakesOverWhatRealtimeFeedsHaveSaid() async throws {
        let poller = TransitPoller(try desk(), [updates], clock: clock)
        await poller.refresh()
        let newer = try desk()
        await poller.use(newer)
        #expect(try lateness(on: newer) == 300)
        #expect(updates.count == 1)
    }

    @Test func aFeedThatAsksToBeLeftAloneForEverIsAskedAgainInAnHour() {
        var feed = PolledFeed(updates)
        let wish = FeedError.status(url: "x", code: 503, retryAfterSeconds: .infinity)
        feed.failed(wish, at: Self.evening, intervalSeconds: 30)
        #expect(!feed.isDue(at: Self.evening.adding(seconds: 3500)))
        #expect(feed.isDue(at: Self.evening.adding(seconds: 3600)))
    }

    @Test func aPollerThatIsCancelledEnds() async throws {
        let poller = TransitPoller(try desk(), [updates], clock: clock)
        let run = Task { try await poller.run() }
        while updates.count == 0 { await Task.yield() }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }
}
