// Boards as screens observe them: what departs, countdowns, problems, and who is notified.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransitAnswers
import Testing
@testable import BridgecastTransit

@MainActor @Suite struct StopBoardModelTests {
    private func board(
        _ polled: PolledLine, _ query: BoardQuery = BoardQuery()
    ) throws
        -> StopBoardModel
    {
        StopBoardModel(of: try polled.south, query, in: polled.timetable, at: polled.clock.now)
    }

    @Test func theTimetableIsShownUntilFeedsAnswer() async throws {
        let polled = try PolledLine()
        let board = try board(polled)
        #expect(board.phase == .loading && board.problem == nil)
        #expect(board.departures.first?.tripID == "n-18:10" && board.countdownSeconds.first == 480)
        let following = Task { await board.follow(polled.poller) }
        await polled.poller.refresh()
        try await PolledLine.until { board.departures.first?.delaySeconds == 300 }
        #expect(board.phase == .ready && board.countdownSeconds.first == 780)
        #expect(board.board.departures == board.departures && board.board.asOf == board.now)
        following.cancel()
        await following.value
    }

    @Test func departuresCountDownAndLeave() async throws {
        let polled = try PolledLine()
        let board = try board(polled)
        await polled.poll(board)
        let departures = ChangeCounter { _ = board.departures }
        let countdowns = ChangeCounter { _ = board.countdownSeconds }
        for _ in 0..<3 {
            polled.clock.move(seconds: 1)
            board.update(at: polled.clock.now)
        }
        #expect(board.countdownSeconds.first == 777)
        #expect(departures.count == 0 && countdowns.count == 3)
        polled.clock.move(seconds: 1200)
        board.update(at: polled.clock.now)
        #expect(departures.count == 1 && board.departures.first?.tripID == "n-18:30")
    }

    @Test func aFailingFeedIsAProblemAndKeepsTheDepartures() async throws {
        let polled = try PolledLine()
        let board = try board(polled)
        await polled.poll(board)
        polled.updates.answer(with: .failure)
        polled.clock.move(seconds: 30)
        await polled.poll(board)
        #expect(board.problem == .apiError("trip_updates: no answer"))
        #expect(board.departures.first?.delaySeconds == 300)
        polled.clock.move(seconds: 300)
        board.update(at: polled.clock.now)
        #expect(board.phase == .stale(since: PolledLine.evening))
    }

    @Test func nothingDepartsOnceFeedsHaveAnswered() throws {
        let timetable = try PolledLine.timetable()
        let lost = try #require(timetable.feed.stop("lost"))
        let now = PolledLine.evening
        let board = StopBoardModel(of: lost, in: timetable, at: now)
        #expect(board.phase == .loading && board.problem == nil)
        board.show(timetable.snapshot, at: now)
        #expect(board.phase == .ready)
        #expect(board.problem == .noData(reason: "No trip of this timetable calls here."))
    }

    @Test func modelsAndDocumentsAgreeOnWhatIsWrong() throws {
        let polled = try PolledLine()
        let board = try board(polled)
        let feeds = ["alerts", "trip_updates", "vehicle_positions"]
        let dead = StationProblem.apiError("trip_updates: no answer")
        for (answered, failed, expected) in [
            (feeds, [], nil),
            // A healthy feed of alerts does not hide that the others are dead.
            (["alerts"], ["trip_updates", "vehicle_positions"], dead),
            (["alerts", "vehicle_positions"], ["trip_updates"], dead),
            (["trip_updates", "vehicle_positions"], ["alerts"], nil), ([], [], nil),
        ] as [([String], [String], StationProblem?)] {
            let snapshot = try polled.snapshot(of: feeds, answered: answered, failed: failed)
            board.show(snapshot)
            #expect(!board.departures.isEmpty && board.problem == expected, "\(failed)")
            let document = StopBoardDocument(
                board.board, snapshot, envelope: TransitEnvelope(snapshot, generatedAt: board.now))
            #expect(document.problem == expected, "\(failed)")
        }
        // Why nothing departs is better known than that feeds fail.
        let lost = try #require(polled.timetable.feed.stop("lost"))
        let empty = StopBoardModel(of: lost, in: polled.timetable, at: polled.clock.now)
        empty.show(try polled.snapshot(of: feeds, answered: [], failed: feeds))
        #expect(empty.problem?.code == "noData")
    }

    @Test func anotherQueryIsAnotherBoard() async throws {
        let polled = try PolledLine()
        let board = try board(polled)
        await polled.poll(board)
        var query = BoardQuery()
        query.limit = 1
        query.includesArrivals = true
        query.route = try polled.route
        board.setQuery(query)
        #expect(board.departures.map(\.tripID) == ["s-18:00"])
        // A newer timetable, where the line has another row.
        let routes =
            "route_id,agency_id,route_short_name,route_long_name,route_type\nferry,a,,Nowhere,4\n"
            + "\(SmallTransit.route),a,15,Interbay - Ballard,3\n"
        let newer = try PolledLine.timetable(changed: ["routes.txt": routes])
        await polled.poller.use(newer)
        board.show(newer.snapshot, at: polled.clock.now)
        #expect(board.query.route == newer.feed.route(SmallTransit.route))
        #expect(board.departures.map(\.tripID) == ["s-18:00"] && board.problem == nil)
    }

    @Test func aLostStopHasNoData() async throws {
        let polled = try PolledLine()
        let lost = try #require(polled.timetable.feed.stop("lost"))
        let board = StopBoardModel(of: lost, in: polled.timetable, at: polled.clock.now)
        let stops = SmallTransit.stops(named: "Ballard").replacing("lost,Lost,,,0,,", with: "")
        let other = try PolledLine.timetable(changed: ["stops.txt": stops])
        board.show(other.snapshot, at: polled.clock.now)
        #expect(
            board.problem
                == .noData(reason: "the timetable no longer has this stop or line"))
        #expect(board.snapshot === polled.timetable.snapshot)
    }

    @Test func theBoardOfALostLineIsEmptied() async throws {
        let polled = try PolledLine()
        var query = BoardQuery()
        query.route = try polled.route
        let board = try board(polled, query)
        await polled.poll(board)
        #expect(!board.board.departures.isEmpty)
        let routes = "route_id,agency_id,route_short_name,route_long_name,route_type\nx,a,X,,3\n"
        let other = try PolledLine.timetable(changed: [
            "routes.txt": routes, "trips.txt": "route_id,service_id,trip_id\nx,daily,n-18:00\n",
        ])
        polled.clock.move(seconds: 5)
        board.show(other.snapshot, at: polled.clock.now)
        #expect(board.departures.isEmpty && board.board.departures.isEmpty)
        #expect(board.board.asOf == polled.clock.now && board.board.query == query)
        let document = StopBoardDocument(
            board.board, board.snapshot,
            envelope: TransitEnvelope(board.snapshot, generatedAt: board.now))
        #expect(board.problem?.code == "noData" && document.problem == board.problem)
    }

    @Test func stoppingEndsPolling() async throws {
        let polled = try PolledLine()
        let poller = TransitPoller(
            polled.timetable, sources: [polled.updates], clock: HurryingClock())
        let board = try board(polled)
        board.start(poller)
        try await PolledLine.until { polled.updates.count >= 3 && board.phase != .loading }
        board.stop()
        try await polled.updates.expectRest()
    }
}
