// Lines as screens observe them: phases, vehicles that go forwards, next arrivals, and who is notified.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransitAnswers
import Testing
@testable import BridgecastTransit

@MainActor @Suite struct LineModelTests {
    @Test func theTimetableIsShownUntilFeedsAnswer() async throws {
        let polled = try PolledLine()
        let line = try polled.line()
        #expect(line.phase == .loading && line.problem == nil && line.vehicles.isEmpty)
        #expect(line.nextArrivals.map(\.tripID) == ["s-18:00", "n-18:10", "s-18:10"])
        #expect(line.nextArrivals.allSatisfy { $0.origin == nil })
        let following = Task { await line.follow(polled.poller) }
        await polled.poller.refresh()
        try await PolledLine.until { line.vehicles.count == 1 && line.snapshot.runs.count == 2 }
        #expect(line.phase == .ready && line.ageSeconds(at: polled.clock.now) == 0)
        #expect(line.nextArrivals.map(\.delaySeconds) == [nil, 300, nil])
        following.cancel()
        await following.value
    }

    @Test func aFailingFeedKeepsWhatWasShownAndItAges() async throws {
        let polled = try PolledLine()
        let line = try polled.line()
        await polled.poll(line)
        let vehicle = try #require(line.vehicles.first)
        polled.vehicles.answer(with: .failure)
        polled.clock.move(seconds: 30)
        await polled.poll(line)
        #expect(line.problem == .apiError("vehicle_positions: no answer"))
        #expect(line.phase == .ready && line.vehicles.first === vehicle)
        #expect(line.ageSeconds(at: polled.clock.now) == 30)
        polled.clock.move(seconds: 271)
        line.update(at: polled.clock.now)
        #expect(line.phase == .stale(since: PolledLine.evening))
        #expect(line.ageSeconds(at: polled.clock.now) == 301 && line.vehicles.count == 1)
        let now = polled.clock.now
        polled.vehicles.answer(with: .bytes(PolledLine.fix(47.6640, at: now)))
        polled.updates.answer(with: .bytes(PolledLine.update(late: 300, at: now)))
        await polled.poll(line)
        #expect(line.phase == .ready && line.problem == nil && line.vehicles.first === vehicle)
    }

    @Test func feedsThatNeverAnswerHaveFailed() async throws {
        let polled = try PolledLine()
        let line = try polled.line()
        for source in [polled.vehicles, polled.updates] { source.answer(with: .failure) }
        await polled.poll(line)
        #expect(line.phase == .failed && line.problem?.code == "apiError")
        #expect(line.ageSeconds(at: polled.clock.now) == nil && line.nextArrivals.count == 3)
    }

    @Test func neitherAlertsNorANewTimetableAreNewsOfVehicles() async throws {
        let polled = try PolledLine()
        let line = try polled.line()
        await polled.poller.use(polled.timetable)
        line.show(polled.timetable.snapshot, at: polled.clock.now)
        #expect(line.phase == .loading)
        line.show(try polled.snapshot(of: ["alerts", "trip_updates"], answered: ["alerts"]))
        #expect(line.phase == .loading)
        // Where no other feed is expected, the timetable is all there is.
        line.show(try polled.snapshot(of: ["alerts"], answered: ["alerts"]))
        #expect(line.phase == .ready)
        await polled.poll(line)
        #expect(line.phase == .ready)
    }

    @Test func aLostLineHasNoData() async throws {
        let polled = try PolledLine()
        let line = try polled.line()
        await polled.poll(line)
        let routes = "route_id,agency_id,route_short_name,route_long_name,route_type\nx,a,X,,3\n"
        let other = try PolledLine.timetable(changed: [
            "routes.txt": routes, "trips.txt": "route_id,service_id,trip_id\nx,daily,n-18:00\n",
        ])
        await polled.poller.use(other)
        line.show(other.snapshot, at: polled.clock.now)
        #expect(line.problem?.code == "noData")
        #expect(line.vehicles.isEmpty && line.nextArrivals.isEmpty)
        let again = try PolledLine.timetable()
        await polled.poller.use(again)
        line.show(again.snapshot, at: polled.clock.now)
        #expect(line.problem == nil && line.vehicles.count == 1 && line.nextArrivals.count == 3)
    }

    @Test func allLinesHaveAllVehiclesAndNoPath() async throws {
        let polled = try PolledLine()
        let line = LineModel(of: nil, in: polled.timetable, at: polled.clock.now)
        await polled.poll(line)
        #expect(line.route == nil && line.patterns.isEmpty && line.nextArrivals.isEmpty)
        #expect(line.vehicles.map(\.id) == ["v1"])
    }
}

// MARK: - Vehicles

@MainActor @Suite struct LineVehicleTests {
    @Test func vehiclesGlideAndNeverGoBackOrReachAStopEarly() async throws {
        let polled = try PolledLine()
        let line = try polled.line()
        await polled.poll(line)
        let vehicle = try #require(line.vehicles.first)
        let start = try #require(vehicle.moving).place.metres
        var random = SeededGenerator(seed: 11)
        var (before, stills, latitude) = (start, 0, 47.6540)
        for second in 1...330 {
            polled.clock.move(seconds: 1)
            if second % 30 == 0 {
                // A fix that is up to 60 m off, of which the model hears two seconds later.
                latitude += 30 * (47.6680 - 47.6540) / 360
                let shown = latitude + .random(in: -0.0005...0.0005, using: &random)
                polled.vehicles.answer(with: .bytes(PolledLine.fix(shown, at: polled.clock.now)))
                await polled.poller.refresh()
            }
            if second % 30 == 2 { line.show(polled.timetable.snapshot, at: polled.clock.now) }
            line.update(at: polled.clock.now)
            let metres = try #require(vehicle.moving).place.metres
            #expect(metres >= before, "\(second) s")
            stills += metres == before ? 1 : 0
            let course = try #require(vehicle.vehicle.run.flatMap { line.snapshot.course(of: $0) })
            let end = try #require(course.geometry.stopMetres.last)
            if Double(polled.clock.now.secondsSinceEpoch) < course.arrivals[1] {
                #expect(metres < end, "\(second) s")
            }
            before = metres
        }
        #expect(before > start + 1200 && stills < 200)
    }

    @Test func aVehicleHasItsNextStopsAndItsDelay() async throws {
        let polled = try PolledLine()
        // 200 m on the way, where it should be after 50 s: a minute late.
        polled.vehicles.answer(with: .bytes(PolledLine.fix(47.6520, at: PolledLine.evening)))
        let line = try polled.line()
        await polled.poll(line)
        let vehicle = try #require(line.vehicles.first)
        #expect(vehicle.id == "v1" && vehicle.vehicle.run != nil)
        #expect(vehicle.nextStops.map { polled.timetable.feed[$0.stop].id } == [SmallTransit.north])
        #expect(vehicle.delaySeconds.map { (50...80).contains($0) } == true)
        #expect(vehicle.status == .onTime && vehicle.vehicle.report.occupancy == .fewSeats)
        let point = try #require(vehicle.point)
        #expect(abs(point.latitude - 47.6520) < 1e-4)
    }

    @Test func vehiclesOfOneNameAreDistinct() throws {
        let feed = try TextTimetable().feed()
        let now = TextTimetable.time("08:05")
        let timetable = LiveTimetable(feed, at: now)
        let line = LineModel(of: feed.route("L"), in: timetable, at: now)
        func reports(_ trips: [String]) -> [VehicleReport] {
            trips.map { trip in
                .on(trip, seenAt: now) { report in
                    report.vehicle = VehicleLabel()
                    report.vehicle?.id = "7"
                }
            }
        }
        line.show(
            .of(feed, at: now, vehicles: reports(["north-8", "south-8"])), at: now)
        #expect(line.vehicles.map(\.id) == ["7", "7 #2"])
        let first = line.vehicles[0]
        line.show(.of(feed, at: now, vehicles: reports(["north-8"])), at: now)
        #expect(line.vehicles.count == 1 && line.vehicles[0] === first)
        // Vehicles of other lines are not its own.
        line.show(.of(feed, at: now, vehicles: reports(["night"])), at: now)
        #expect(line.vehicles.isEmpty)
    }
}

// MARK: - Next arrivals

@MainActor @Suite struct LineArrivalTests {
    private let feed: TransitFeed
    private let now = TextTimetable.time("08:00")
    init() throws { feed = try TextTimetable().feed() }

    private func arrivals(_ stop: String, _ updates: [TripUpdate]) -> [String] {
        let timetable = LiveTimetable(feed, at: now)
        let line = LineModel(
            of: feed.route("L"), in: timetable, favourite: feed.stop(stop), at: now)
        line.show(.of(feed, at: now, updates), at: now)
        return line.nextArrivals.map(\.tripID)
    }

    @Test func theTerminusHasArrivalsAndCancelledTripsHaveNone() {
        #expect(arrivals("C", []) == ["south-8", "north-8", "north-9"])
        #expect(arrivals("C", [.of("north-8", [], .cancelled)]) == ["south-8", "north-9"])
        #expect(arrivals("C", [.of("north-8", [.at(40, .skipped)])]) == ["south-8", "north-9"])
        #expect(arrivals("S", []) == ["north-8", "south-8", "north-9"])
    }

    @Test func theyAreThosePredicted() throws {
        let route = try #require(feed.route("L"))
        for stop in ["A", "B", "C", "S", "S2"] {
            let late = TripUpdate.of("north-8", [.at(20, delay: 600)])
            let snapshot = TransitSnapshot.of(feed, at: now, [late])
            let widget = LiveWidgetDocument(
                route, VehicleDetails(stop: feed.stop(stop)), snapshot,
                envelope: TransitEnvelope(snapshot, generatedAt: now))
            #expect(arrivals(stop, [late]) == widget.predictions.map(\.departure.tripID))
        }
    }

    @Test func anotherFavouriteChangesThem() {
        let line = LineModel(of: feed.route("L"), in: LiveTimetable(feed, at: now), at: now)
        #expect(line.nextArrivals.isEmpty && line.stops.map(\.id) == ["S1", "A", "B", "C", "S2"])
        line.setFavourite(feed.stop("A"))
        #expect(line.nextArrivals.map { $0.secondsToArrival(at: now) } == [600, 1500, 4200])
        #expect(line.nextArrivals.map { $0.secondsLeft(at: now) } == [660, 1500, 4260])
        line.setFavourite(nil)
        #expect(line.nextArrivals.isEmpty && line.favourite == nil)
    }

    @Test func patternsAreThoseOfEachDirection() throws {
        let patterns = feed.patterns(of: try #require(feed.route("L"))).all
        #expect(patterns.map(\.direction) == [0, 1] && patterns.map(\.trips) == [2, 1])
        #expect(patterns.map { $0.stops.map { feed[$0].id } }.last == ["C", "B", "A", "S2"])
        #expect(
            feed.geometry(of: patterns[0].trip)?.stopMetres.count == 4
                && patterns[0].id != patterns[1].id)
    }
}

// MARK: - Observers

@MainActor @Suite struct LineObserverTests {
    @Test func observersAreNotifiedOfChangesAlone() async throws {
        let polled = try PolledLine()
        let line = try polled.line()
        await polled.poll(line)
        let vehicles = ChangeCounter { _ = line.vehicles }
        let vehicle = ChangeCounter { _ = line.vehicles.first?.vehicle }
        let arrivals = ChangeCounter { _ = line.nextArrivals }
        let state = ChangeCounter {
            _ = (line.phase, line.problem, line.route, line.patterns.count)
        }
        // The same again.
        line.show(polled.timetable.snapshot, at: polled.clock.now)
        #expect([vehicles, vehicle, arrivals, state].map(\.count) == [0, 0, 0, 0])
        // Another delay, and the same vehicles.
        polled.clock.move(seconds: 30)
        polled.vehicles.answer(with: .unchanged)
        polled.updates.answer(with: .bytes(PolledLine.update(late: 360, at: polled.clock.now)))
        await polled.poll(line)
        #expect([vehicles, vehicle, arrivals, state].map(\.count) == [0, 0, 1, 0])
        // Another fix, which the list of vehicles survives.
        polled.clock.move(seconds: 30)
        polled.updates.answer(with: .unchanged)
        polled.vehicles.answer(with: .bytes(PolledLine.fix(47.6560, at: polled.clock.now)))
        await polled.poll(line)
        #expect(vehicles.count == 0 && vehicle.count == 1 && state.count == 0)
        // No vehicle any more.
        polled.clock.move(seconds: 30)
        polled.vehicles.answer(with: .bytes(Array(#"{"header": {}, "entity": []}"#.utf8)))
        await polled.poll(line)
        #expect(vehicles.count == 1 && line.vehicles.isEmpty)
    }

    @Test func timeMovesVehiclesAndNothingElse() async throws {
        let polled = try PolledLine()
        let line = try polled.line()
        await polled.poll(line)
        let moving = ChangeCounter { _ = line.vehicles.first?.moving }
        let others = ChangeCounter {
            _ = (line.vehicles.first?.vehicle, line.nextArrivals, line.phase, line.problem)
        }
        let clock = ChangeCounter { _ = line.now }
        for _ in 0..<10 {
            polled.clock.move(seconds: 1)
            line.update(at: polled.clock.now)
            line.update(at: polled.clock.now)
        }
        #expect(moving.count == 10 && clock.count == 10 && others.count == 0)
    }

    @Test func stoppingEndsPolling() async throws {
        let polled = try PolledLine()
        let poller = TransitPoller(
            polled.timetable, sources: [polled.updates], clock: HurryingClock())
        let line = try polled.line()
        line.start(poller)
        try await PolledLine.until { polled.updates.count >= 3 && line.phase != .loading }
        #expect(line.updates.isRunning)
        line.stop()
        #expect(!line.updates.isRunning)
        try await polled.updates.expectRest()
    }

    @Test func aModelThatIsReleasedEndsPolling() async throws {
        let polled = try PolledLine()
        let poller = TransitPoller(
            polled.timetable, sources: [polled.updates], clock: HurryingClock())
        var line: LineModel? = try polled.line()
        weak let released = line
        line?.start(poller)
        try await PolledLine.until { polled.updates.count >= 2 }
        line = nil
        try await PolledLine.until { released == nil }
        try await polled.updates.expectRest()
    }
}
