// Boards of the past are made once, few are kept, and the usual path does not know of them.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastLive
import BridgecastObservation
import BridgecastTestSupport
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct PastBoardTests {
    private static let then = "issue_time=2026-02-19T17:50"

    @Test func `a board of the past is made once`() async throws {
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

    @Test func `it is named and kept for a minute, the newest until the next reading`() async throws
    {
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

    @Test func `before anything is loaded the past can be asked for`() async throws {
        try await asking(hasBoard: false) { client in
            let now = try await client.execute(uri: "/api/v1/bridges", method: .get)
            #expect(now.status == .serviceUnavailable)
            let past = try await client.execute(uri: "/api/v1/bridges?" + Self.then, method: .get)
            #expect(past.status == .ok)
        }
    }

    @Test func `what was asked for longest ago is left out first`() async throws {
        let shelf = Shelf<Int>(most: 2)
        var made: [Int] = []
        for number in [1, 2, 1, 3, 1, 2] {
            let item = await shelf.item([number]) {
                made.append(number)
                return number
            }
            #expect(item == number)
        }
        #expect(made == [1, 2, 3, 2])
    }

    @Test func `documents and events tell how the clock runs`() async throws {
        let board = try await ServiceFixture.state().board()
        let end = board.issueTime.adding(minutes: 60)
        let replayed = Board(
            madeAt: board.madeAt, update: board.update, feeds: [], phase: .ready,
            pace: ClockPace(rate: 60, end: end))
        let change = BridgeChange(
            bridge: .ballard, at: board.issueTime, before: .lowered,
            after: .raised(since: board.issueTime))
        for bytes in [
            ForecastEvent(replayed).jsonBytes(), FeedEvent(replayed).jsonBytes(),
            StateEvent(change, [], replayed).jsonBytes(),
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
