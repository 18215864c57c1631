// `/days/{date}`, and the caches of records and past snapshots.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastLive
import BridgecastObservation
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing
@testable import BridgecastService

struct DayEndpointTests {
    private static let date = CivilDate(year: 2026, month: 2, day: 18)
    private static let evening = ServiceFixture.evening

    private func day(
        _ history: OpeningHistory, at now: Timestamp = evening
    ) async throws -> DayDocument {
        let parts = try ServiceFixture.parts(at: now, history: history)
        let date = try #require(Self.date)
        return try #require(
            try await DayDocument.make(
                date, at: now, history: history, reader: SituationReader(history),
                openings: OpeningList(history, at: now), inference: parts.inference,
                model: parts.inference.model))
    }

    private func object(
        _ date: String, _ query: String = "", from state: ServiceState
    ) async throws -> [String: Any] {
        let answer = try await ServiceFixture.answer(
            "/api/v1/days/{date}", query, pathValues: [date], from: state)
        let json = try JSONSerialization.jsonObject(with: Data(ServiceFixture.bytes(answer)))
        return try #require(json as? [String: Any])
    }

    @Test func `a forecast of a day is the library's of that issue time`() async throws {
        let history = Fixtures.shippedHistory
        let day = try await day(history)
        let issueTime = Fixtures.timestamp("2026-02-18T12:20")
        let inference = try ServiceFixture.parts().inference
        let table = try await inference.table(
            in: SituationReader(history).situation(at: issueTime), reaching: 60, modes: [.car])
        for bridge in [BridgeIndex.ballard, .fremont, .montlake] {
            let issue = try #require(
                day.entries[bridge.rawValue].issues.first { $0.issueTime == issueTime })
            #expect(issue.points.map(\.leadMinutes) == [5, 15, 30, 60])
            for point in issue.points {
                let delay = try table.delay(
                    at: bridge, leadMinutes: point.leadMinutes, mode: .car)
                #expect(point.probability == delay.probabilityDelayed)
                #expect(point.expectedSeconds == delay.expectedSeconds)
            }
        }
    }

    @Test func `forecasts of a day do not change when all that came later is removed`() async throws
    {
        let whole = try await day(Fixtures.shippedHistory)
        for text in ["2026-02-18T08:25", "2026-02-18T15:05"] {
            let cut = Fixtures.timestamp(text)
            let known = try await day(Fixtures.shippedHistory.before(cut))
            for (all, part) in zip(whole.entries, known.entries) {
                let before = all.issues.filter { $0.issueTime < cut }
                #expect(part.issues == before)
            }
            #expect(known.entries.contains { $0.issues.count > 40 })
        }
    }

    @Test func `a day that is today ends now`() async throws {
        let state = try await ServiceFixture.state()
        let day = try await object("2026-02-20", from: state)
        #expect(day["to"] as? String == TimeText.rfc3339(Self.evening))
        let bridges = try #require(day["bridges"] as? [[String: Any]])
        let ballard = try #require(bridges.first { $0["bridge"] as? String == "Ballard" })
        let forecasts = try #require(ballard["forecasts"] as? [[String: Any]])
        #expect(forecasts.last?["issue_time"] as? String == "2026-02-20T18:00:00-08:00")
        let openings = try #require(ballard["openings"] as? [[String: Any]])
        #expect(openings.last?["closed_at"] is NSNull)
    }

    @Test func `a day without its forecasts has the same states`() async throws {
        let state = try await ServiceFixture.state()
        let batches = state.parts.inference.batchesRun
        let bare = try await object("2026-02-19", "forecasts=false", from: state)
        #expect(state.parts.inference.batchesRun == batches)
        #expect(bare["issued"] == nil && bare["covered"] as? Bool == true)
        let whole = try await object("2026-02-19", from: state)
        let states = ["bridge", "bridge_id", "coverage", "openings"]
        let (few, all) = (
            try #require(bare["bridges"] as? [[String: Any]]),
            try #require(whole["bridges"] as? [[String: Any]])
        )
        #expect(few.allSatisfy { $0.keys.sorted() == states })
        #expect(few as NSArray == all.map { $0.filter { states.contains($0.key) } } as NSArray)
        #expect(all.contains { ($0["forecasts"] as? [Any])?.isEmpty == false })
    }

    @Test func `a future day is not found`() async throws {
        let state = try await ServiceFixture.state()
        let problem = await #expect(throws: Problem.self) {
            try await object("2026-02-21", from: state)
        }
        #expect(problem?.status == .notFound && problem?.near == ["2026-02-20"])
    }

    @Test func `a day without records is empty with a warning`() async throws {
        let state = try await ServiceFixture.state()
        let day = try await object("2021-06-01", from: state)
        #expect(day["covered"] as? Bool == false)
        #expect((day["warnings"] as? [String])?.first?.hasPrefix("no records for this day") == true)
        let bridges = try #require(day["bridges"] as? [[String: Any]])
        #expect(bridges.count == BridgeCatalogue.count)
        #expect(bridges.allSatisfy { ($0["coverage"] as? [Any])?.isEmpty == true })
        #expect(bridges.allSatisfy { ($0["forecasts"] as? [Any])?.isEmpty == true })
    }

    @Test func `an invalid date is refused`() async throws {
        let state = try await ServiceFixture.state()
        let problem = await #expect(throws: Problem.self) {
            try await object("2026-02-30", from: state)
        }
        #expect(problem?.status == .badRequest && problem?.parameter == "date")
    }

    @Test func `a day is cached`() async throws {
        let state = try await ServiceFixture.state()
        func tag() async throws -> String? {
            let answer = try await ServiceFixture.answer(
                "/api/v1/days/{date}", pathValues: ["2026-02-19"], from: state)
            guard case .shared(let document) = answer.content else { return nil }
            return document.tag
        }
        let first = try await tag()
        let batches = state.parts.inference.batchesRun
        #expect(try await tag() == first && first != nil)
        #expect(state.parts.inference.batchesRun == batches)
    }

    @Test func `records of past days stay what they are while today goes on`() throws {
        func revision(_ history: OpeningHistory, at now: Timestamp) throws -> Int {
            let parts = try ServiceFixture.parts(at: now, history: history)
            return try RecordCache(ServiceCache()).records(ServiceState(parts, ServiceSettings()))
                .pastRevision
        }
        let history = Fixtures.shippedHistory
        let later = Self.evening.adding(minutes: 90)
        let first = try revision(history, at: Self.evening)
        #expect(try revision(history, at: later) == first)
        // A past day of which less is known is another one.
        let hidden = history.hiding(.ballard, before: Fixtures.timestamp("2026-02-19T12:00"))
        #expect(try revision(hidden, at: Self.evening) != first)
        #expect(try revision(history, at: later.adding(minutes: 1440)) != first)
    }
}

@Suite struct PastBoardTests {
    private static let then = "issue_time=2026-02-19T17:50"

    @Test func `a snapshot of the past is cached`() async throws {
        let state = try await ServiceFixture.state()
        func board() async throws -> [UInt8] {
            ServiceFixture.bytes(
                try await ServiceFixture.answer("/api/v1/bridges", Self.then, from: state))
        }
        let batches = state.parts.inference.batchesRun
        let first = try await board()
        #expect(state.parts.inference.batchesRun == batches + 1)
        #expect(try await board() == first)
        // One bridge, and as a map: of the same board.
        _ = try await ServiceFixture.answer(
            "/api/v1/bridges/{id}", Self.then, pathValues: ["Fremont"], from: state)
        _ = try await ServiceFixture.answer(
            "/api/v1/bridges", Self.then, accept: "application/geo+json", from: state)
        #expect(state.parts.inference.batchesRun == batches + 1)
    }

    @Test func `past answers are cached for a minute`() async throws {
        try await asking { client in
            let past = "/api/v1/bridges?" + Self.then
            let first = try await client.execute(uri: past, method: .get)
            #expect(first.status == .ok)
            #expect(first.headers[.cacheControl] == "public, max-age=60")
            let tag = try #require(first.headers[.eTag])
            let again = try await client.execute(
                uri: past, method: .get, headers: [.ifNoneMatch: tag])
            #expect(again.status == .notModified && again.body.readableBytes == 0)
            let newest = try await client.execute(uri: "/api/v1/bridges", method: .get)
            #expect(newest.headers[.cacheControl] == "public, max-age=20")
            #expect(newest.headers[.eTag] != tag)
            let routes = try await client.execute(
                uri: "/api/v1/routes?from=Ballard&to=Downtown&" + Self.then, method: .get)
            #expect(routes.headers[.cacheControl] == "public, max-age=60")
        }
    }

    @Test func `past answers need no live snapshot`() async throws {
        try await asking(hasBoard: false) { client in
            let now = try await client.execute(uri: "/api/v1/bridges", method: .get)
            #expect(now.status == .serviceUnavailable)
            let past = try await client.execute(uri: "/api/v1/bridges?" + Self.then, method: .get)
            #expect(past.status == .ok)
        }
    }

    @Test func `the least recently used item is removed first`() async throws {
        let policy = CachePolicy(timeToLiveSeconds: 60, priority: .low)
        let section = CacheSection<Int>(
            cache: ServiceCache(budgetBytes: 2), name: "numbers", policy: policy
        ) { _ in 1 }
        var made: [Int] = []
        for number in [1, 2, 1, 3, 1, 2] {
            let item = await section.item([number]) {
                made.append(number)
                return number
            }
            #expect(item == number)
        }
        #expect(made == [1, 2, 3, 2])
    }

    @Test func `a map that does not fit is made for each request, and reported once a budget`()
        async throws
    {
        let reports = Mutex<[MemoryBudgetExceeded]>([])
        let cache = ServiceCache(
            budgetBytes: 100, report: { error in reports.withLock { $0.append(error) } })
        let maps = RecordCache(cache).maps
        let made = Mutex(0)
        func ask() async {
            for _ in 0..<2 {
                let map = await maps.document([1]) {
                    made.withLock { $0 += 1 }
                    return [UInt8](repeating: 7, count: 500)
                }
                #expect(map.identity.readableBytes == 500)
            }
        }
        await ask()
        #expect(reports.withLock { $0.map(\.budgetBytes) } == [100])
        for isShort in [true, true, false] {
            cache.set(isMemoryShort: isShort)
            await ask()
        }
        #expect(reports.withLock { $0.map(\.budgetBytes) } == [100, 25, 100])
        #expect(made.withLock(\.self) == 8)
    }

    @Test func `memory that is short drops replays before maps`() async throws {
        let state = try await ServiceFixture.state()
        var status = MemoryStatus()
        let short = Mutex(status)
        let watch = MemoryWatch(state: state) { short.withLock { $0 } }
        let budget = state.cache.budgetBytes
        _ = await state.records.maps.document([1]) { [UInt8](repeating: 1, count: 64) }
        _ = await state.records.days.document([1]) {
            [UInt8](repeating: 1, count: budget / 2)
        }
        let used = state.cache.usedBytes
        watch.look()
        #expect(state.cache.usedBytes == used)
        status.stalledPercent = 20
        short.withLock { $0 = status }
        watch.look()
        #expect(state.cache.budgetBytes == budget / 4)
        #expect(state.cache.usedBytes > 0 && state.cache.usedBytes < budget / 4)
        status.stalledPercent = 0
        short.withLock { $0 = status }
        watch.look()
        #expect(state.cache.budgetBytes == budget)
    }

    @Test func `documents and events have the pace of the clock`() async throws {
        let board = try await ServiceFixture.state().snapshot()
        let end = board.issueTime.adding(minutes: 60)
        let replayed = BridgesSnapshot(
            madeAt: board.madeAt, update: board.update, feeds: [], phase: .ready,
            pace: ClockPace(rate: 60, end: end))
        let change = BridgeChange(
            bridge: .ballard, at: board.issueTime, before: .lowered,
            after: .raised(since: board.issueTime))
        for bytes in [
            ForecastEvent(snapshot: replayed).jsonBytes(),
            FeedEvent(snapshot: replayed).jsonBytes(),
            StateEvent(change, events: [], in: replayed).jsonBytes(),
        ] {
            let event = try #require(
                try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
            #expect(event["clock_rate"] as? Double == 60)
            #expect(event["replay_until"] as? String == "2026-02-20T19:02:00-08:00")
        }
        let state = try await ServiceFixture.state()
        state.show(replayed)
        for form in ["application/json", "application/geo+json"] {
            let live = try await ServiceFixture.answer(
                "/api/v1/bridges", accept: form, from: state
            ).object()
            #expect(live["clock_rate"] as? Double == 60 && live["replay_until"] is String)
        }
        let past = try await ServiceFixture.answer("/api/v1/bridges", Self.then, from: state)
            .object()
        #expect(past["clock_rate"] as? Double == 0 && past["replay_until"] is NSNull)
    }

    @Test func `a clock that jumps has no rate`() {
        let start = ServiceFixture.evening
        #expect(ReplayClock(from: start, speed: 60).pace == ClockPace(rate: 60))
        #expect(ReplayClock(from: start, speed: .infinity).pace.rate == nil)
        #expect(SystemWallClock().pace == .live)
    }
}
