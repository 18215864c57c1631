// Boards of the timetable alone, boards with predictions, and their confidence.
import BridgecastCore
import Testing
@testable import BridgecastTransit

@Suite struct TimetableBoardTests {
    private let feed: TransitFeed
    init() throws { feed = try TextTimetable().feed() }

    private func snapshot(_ time: String, _ date: String = "2026-02-18") -> TransitSnapshot {
        TransitSnapshot(feed, asOf: TextTimetable.time(time, date))
    }

    @Test func boardsHaveTwoHoursOfDeparturesInOrder() {
        #expect(
            snapshot("08:00").lines("A") == ["north-8 08:11", "south-8 08:25", "north-9 09:11"])
        #expect(snapshot("08:00").lines("B") == ["north-8 08:20", "north-9 09:20"])
        #expect(snapshot("08:00").lines("C") == ["south-8 08:05"])
    }

    @Test func arrivalsAreShownWhenAskedFor() {
        var query = BoardQuery()
        query.includesArrivals = true
        let board = snapshot("08:00").board("C", query)
        #expect(board.map(\.tripID) == ["south-8", "north-8", "north-9"])
        #expect(board.map(\.isLastStop) == [false, true, true])
        #expect(board[1].scheduledDeparture == nil && board[1].scheduledArrival != nil)
        #expect(snapshot("08:00").lines("B", query).contains("south-8 08:15"))
    }

    @Test func stationsShowAllTheirPlatforms() {
        #expect(
            snapshot("08:00").lines("S") == ["north-8 08:00", "north-9 09:00", "shuttle 10:00"])
        #expect(snapshot("08:00").lines("S2") == ["shuttle 10:00"])
    }

    @Test func tripsAfterMidnightBelongToYesterday() {
        // The night bus of Wednesday leaves at 01:10 on Thursday.
        let board = snapshot("00:30", "2026-02-19").board("S1")
        #expect(board.map(\.tripID) == ["night"])
        #expect(board.first?.run?.date.description == "2026-02-18")
        #expect(board.first?.scheduledDeparture == TextTimetable.time("01:10", "2026-02-19"))
        // The service's last day still has its night, the day after that has none.
        #expect(snapshot("00:30", "2027-01-01").lines("S1") == ["night 01:10"])
        #expect(snapshot("00:30", "2027-01-02").lines("S1").isEmpty)
    }

    @Test func stopTimesCountFromTwelveHoursBeforeNoon() {
        // 2026-03-08 has 23 hours, and its service day begins at 23:00 of the evening before; the 7th's began at midnight.
        #expect(snapshot("00:30", "2026-03-08").lines("S1") == ["night 01:10"])
        #expect(snapshot("10:00", "2026-03-08").lines("S2").first == "shuttle 10:00")
        // 2026-11-01 has 25 hours; its service day begins at 01:00 by the first of two such hours.
        #expect(snapshot("10:00", "2026-11-01").lines("S2").first == "shuttle 10:00")
        #expect(
            feed.zone.serviceDayStart(CivilDate(year: 2026, month: 3, day: 8)!)
                == TextTimetable.time("23:00", "2026-03-07"))
    }

    @Test func calendarExceptionsCount() {
        // 2026-05-25 is a Monday without weekday service.
        #expect(snapshot("08:00", "2026-05-25").lines("A") == [])
        #expect(snapshot("08:00", "2026-05-26").lines("A").count == 3)
        #expect(snapshot("08:00", "2026-05-23").lines("A") == [])
    }

    @Test func tripsByFrequencyAreApproximate() {
        let board = snapshot("10:15").board("A")
        #expect(
            board.map(\.run?.startSeconds) == [36_600, 37_200, 37_800, 38_400, 39_000])
        #expect(board.first?.scheduledDeparture == TextTimetable.time("10:16"))
        #expect(board.first?.scheduledArrival == TextTimetable.time("10:15"))
        #expect(board.allSatisfy { $0.isApproximate })
        // The one of 10:10 has left at 10:17; the last one starts before 11:00.
        #expect(snapshot("10:17").lines("A").first == "shuttle 10:26")
        #expect(snapshot("10:57").lines("A") == [])
    }

    @Test func limitsCountInTotalAndByDirection() {
        var query = BoardQuery()
        query.limit = 2
        #expect(snapshot("08:00").lines("A", query) == ["north-8 08:11", "south-8 08:25"])
        query.limit = nil
        query.limitPerDirection = 1
        #expect(snapshot("08:00").lines("A", query) == ["north-8 08:11", "south-8 08:25"])
        query.direction = 1
        #expect(snapshot("08:00").lines("A", query) == ["south-8 08:25"])
        query = BoardQuery()
        query.route = feed.route("F")
        #expect(snapshot("09:00").lines("A", query).allSatisfy { $0.hasPrefix("shuttle") })
        query.limit = -3
        #expect(snapshot("09:00").lines("A", query) == [])
    }

    @Test func theHorizonLimitsBoards() {
        var query = BoardQuery()
        query.horizonSeconds = 11 * 60
        #expect(snapshot("08:00").lines("A", query) == ["north-8 08:11"])
        query.horizonSeconds = 11 * 60 - 1
        #expect(snapshot("08:00").lines("A", query) == [])
        query.horizonSeconds = .min
        #expect(snapshot("08:11").lines("A", query) == ["north-8 08:11"])
        query.horizonSeconds = .max
        #expect(snapshot("08:00").lines("A", query).count > 20)
    }

    @Test func emptyBoardsExplainThemselves() throws {
        let stop = try #require(feed.stop("A"))
        func words(_ date: String) -> String? { snapshot("12:00", date).board(of: stop).noService }
        #expect(words("2027-02-01") == "The timetable ended on 2026-12-31.")
        #expect(words("2025-06-01") == "The timetable starts on 2026-01-05.")
        // Something runs that day, though not now.
        #expect(words("2026-02-18") == nil)
    }

    @Test func whereLinesEndBoardsSaySo() throws {
        let stop = try #require(feed.stop("C"))
        func board(_ time: String, _ change: (inout BoardQuery) -> Void = { _ in }) -> StopBoard {
            var query = BoardQuery()
            change(&query)
            return snapshot(time).board(of: stop, query)
        }
        #expect(board("08:10").departures.isEmpty && board("08:10").hasOnlyArrivals)
        #expect(!board("08:10") { $0.includesArrivals = true }.hasOnlyArrivals)
        #expect(!board("08:00").hasOnlyArrivals, "something departs")
        #expect(!board("08:10") { $0.horizonSeconds = 600 }.hasOnlyArrivals, "nothing arrives")
        #expect(!board("12:00").hasOnlyArrivals && board("08:10").noService == nil)
    }

    @Test func daysWithoutServiceOfTheLinesHereAreExplained() throws {
        func words(
            _ stop: String, _ time: String, _ date: String, route: String? = nil,
            in feed: TransitFeed
        ) throws -> String? {
            var query = BoardQuery()
            query.route = route.flatMap { feed.route($0) }
            let snapshot = TransitSnapshot(feed, asOf: TextTimetable.time(time, date))
            return snapshot.board(of: try #require(feed.stop(stop)), query).noService
        }
        // A Saturday: the shuttle runs, the line does not until Monday, although it ran on Friday.
        #expect(
            try words("A", "12:00", "2026-02-21", route: "L", in: feed)
                == "No trip of this line calls here on 2026-02-21; the next one is on 2026-02-23.")
        #expect(try words("A", "12:00", "2026-02-21", in: feed) == nil)
        #expect(
            try words("A", "12:00", "2026-02-20", route: "N", in: feed)
                == "No trip of this line calls here.")
        // Memorial Day is left out.
        #expect(
            try words("A", "12:00", "2026-05-23", route: "L", in: feed)?.contains("2026-05-26")
                == true)
        var timetable = TextTimetable()
        timetable.files["trips.txt"]?.replace("daily", with: "week")
        let weekly = try timetable.feed()
        // The night bus of Friday arrives at 01:40 on Saturday.
        #expect(try words("C", "01:30", "2026-02-21", in: weekly) == nil)
        #expect(
            try words("C", "01:41", "2026-02-21", in: weekly)
                == "No trip of this timetable calls here on 2026-02-21; the next one is on 2026-02-23."
        )
    }

    @Test func theRunOfATripIsTheCurrentElseTheNextElseTheLast() throws {
        func run(_ trip: String, _ time: String, _ date: String = "2026-02-18") throws -> String? {
            let index = try #require(feed.trip(trip))
            let found = snapshot(time, date).run(ofTrip: index)
            return found.map { "\($0.date) \($0.startSeconds ?? 0)" }
        }
        #expect(try run("north-8", "08:15") == "2026-02-18 0")
        #expect(try run("north-8", "05:00") == "2026-02-18 0")
        #expect(try run("north-8", "20:00") == "2026-02-18 0")
        // Saturday: the next is Monday's.
        #expect(try run("north-8", "12:00", "2026-02-21") == "2026-02-23 0")
        #expect(try run("night", "01:20", "2026-02-19") == "2026-02-18 0")
        #expect(try run("night", "02:20", "2026-02-19") == "2026-02-19 0")
        #expect(try run("shuttle", "10:15") == "2026-02-18 36600")
        #expect(try run("shuttle", "23:00") == "2026-02-18 39000")
        // After the timetable has ended: its last.
        #expect(try run("north-8", "12:00", "2027-03-01") == "2026-12-31 0")
    }

    @Test func theStopsOfARunAreAllItsStops() throws {
        let snapshot = snapshot("08:00")
        let trip = try #require(feed.trip("north-8"))
        let run = try #require(snapshot.run(ofTrip: trip))
        let stops = snapshot.stops(of: run)
        #expect(stops.map { feed[$0.stop].id } == ["S1", "A", "B", "C"])
        #expect(stops.map(\.stopOrder) == [0, 1, 2, 3])
        #expect(stops.last?.isLastStop == true && stops.last?.scheduledDeparture == nil)
    }

    @Test func timelinesHaveABoardEveryFiveMinutes() throws {
        let timeline = snapshot("08:00").timeline(of: try #require(feed.stop("A")))
        #expect(timeline.entries.count == 13)
        for (entry, next) in zip(timeline.entries, timeline.entries.dropFirst()) {
            #expect(entry.validUntil == next.board.asOf)
            #expect(next.board.asOf == entry.board.asOf.adding(seconds: 300))
        }
        for entry in timeline.entries {
            #expect(entry.board.departures.allSatisfy { $0.expected! >= entry.board.asOf })
        }
        // 08:11 has left by 08:15.
        #expect(timeline.entries[2].board.departures.first?.tripID == "north-8")
        #expect(timeline.entries[3].board.departures.first?.tripID == "south-8")
        #expect(timeline.validUntil == TextTimetable.time("09:05"))
    }

    @Test func boardsAreValidUntilTheirFirstDeparture() throws {
        let stop = try #require(feed.stop("A"))
        let early = snapshot("08:00").board(of: stop)
        let late = snapshot("08:10").board(of: stop)
        #expect(early.validUntil == TextTimetable.time("08:05"))
        #expect(late.validUntil == TextTimetable.time("08:11").adding(seconds: 1))
    }

    @Test func directionsWithoutNamesHaveThoseOfHeadsigns() throws {
        let stop = try #require(feed.stop("A"))
        #expect(feed.directionName(0, at: stop) == "Cedar")
        #expect(feed.directionName(1, at: stop) == "Central")
        #expect(feed.directionName(.max, at: stop) == nil)
        #expect(feed.directions(at: stop) == [0, 1])
    }

    @Test func wheelchairsNeedVehicleAndStop() {
        let snapshot = snapshot("08:00")
        #expect(snapshot.board("S1").first?.wheelchair == .accessible)
        #expect(snapshot.board("B").first?.wheelchair == .inaccessible)
        #expect(snapshot.board("C").first?.wheelchair == .unknown)
    }
}

@Suite struct PredictedBoardTests {
    private let feed: TransitFeed
    init() throws { feed = try TextTimetable().feed() }

    private func at(_ time: String) -> Timestamp { TextTimetable.time(time) }

    private func snapshot(
        _ time: String, _ updates: [TripUpdate] = [], vehicles: [VehicleReport] = []
    ) -> TransitSnapshot {
        TransitSnapshot.of(feed, at: at(time), updates, vehicles: vehicles)
    }

    /// Seconds late at each stop of the first trip of the morning; nil where nothing is predicted.
    private func delays(
        _ stops: [StopTimeUpdate], change: (inout TripUpdate) -> Void = { _ in }
    )
        throws -> [Int?]
    {
        let snapshot = snapshot("07:00", [.of("north-8", stops, change: change)])
        let run = try #require(snapshot.live.first?.key)
        return snapshot.stops(of: run).map(\.delaySeconds)
    }

    @Test func delaysPropagateUntilTheNextUpdateOrNoData() throws {
        #expect(try delays([.at(20, delay: 300)]) == [nil, 300, 300, 300])
        #expect(try delays([.at(10, delay: 60), .at(30, delay: -30)]) == [60, 60, -30, -30])
        #expect(try delays([.at(10, delay: 60), .at(30, .noData)]) == [60, 60, nil, nil])
        #expect(try delays([.at(10, delay: 60), .at(20, .skipped)]) == [60, 60, 60, 60])
        #expect(try delays([]) == [nil, nil, nil, nil])
        #expect(try delays([]) { $0.delaySeconds = 90 } == [90, 90, 90, 90])
        #expect(
            try delays([.at(30, delay: 20)]) { $0.delaySeconds = 90 } == [90, 90, 20, 20])
    }

    @Test func timesCountBeforeDelaysAndArrivalsDelayDepartures() throws {
        #expect(try delays([.at(20, delay: 300, time: at("08:13"))]) == [nil, 120, 120, 120])
        #expect(try delays([.at(20, arrivalDelay: 240)]) == [nil, 240, 240, 240])
        #expect(try delays([.at(20, delay: 0, arrivalDelay: 240)])[1] == 0)
        // A time of 1970 and a delay of years are no predictions.
        let never = Timestamp(secondsSinceEpoch: 0)
        #expect(try delays([.at(20, delay: 45, time: never)]) == [nil, 45, 45, 45])
        #expect(try delays([.at(10, delay: 10), .at(20, delay: .max)]) == [10, 10, 10, 10])
        #expect(try delays([.at(20, delay: .min)]) == [nil, nil, nil, nil])
    }

    @Test func originsSeparatePredictedFromPropagated() throws {
        let snapshot = snapshot("07:00", [.of("north-8", [.at(20, delay: 300)])])
        let run = try #require(snapshot.live.first?.key)
        let stops = snapshot.stops(of: run)
        #expect(stops.map(\.origin) == [nil, .feed, .propagated, .propagated])
        #expect(stops.map(\.status) == [.scheduled, .late, .late, .late])
        // What is scheduled stays what it was.
        #expect(stops[2].scheduledDeparture == at("08:20"))
        #expect(stops[2].predictedDeparture == at("08:25"))
    }

    @Test func departuresStayUntilTheyHaveLeft() {
        let late = TripUpdate.of("north-8", [.at(10, delay: 5400)])
        #expect(snapshot("09:15", [late]).lines("A").prefix(1) == ["north-8 09:41"])
        #expect(snapshot("09:42", [late]).lines("A").first != "north-8 09:41")
        // Late ones are listed by their expected time, after a later trip that is on time.
        #expect(
            snapshot("09:05", [late]).lines("A") == [
                "north-9 09:11", "north-8 09:41", "shuttle 10:06",
                "shuttle 10:16", "shuttle 10:26", "shuttle 10:36", "shuttle 10:46", "shuttle 10:56",
            ])
        let early = TripUpdate.of("north-8", [.at(20, delay: -240)])
        #expect(snapshot("08:06", [early]).lines("A").first == "north-8 08:07")
        #expect(snapshot("08:08", [early]).lines("A").first == "south-8 08:25")
        // It has passed Ash: the feed has Beech only, four minutes early.
        let passed = TripUpdate.of("north-8", [.at(30, delay: -240)])
        #expect(snapshot("08:08", [passed]).lines("A").first == "south-8 08:25")
        #expect(snapshot("08:06", [passed]).lines("A").first == "north-8 08:11")
    }

    @Test func predictionsBeyondTheHorizonAreNotShown() {
        var query = BoardQuery()
        query.horizonSeconds = 1800
        let late = TripUpdate.of("north-8", [.at(10, delay: 3600)])
        #expect(snapshot("08:05", [late]).lines("A", query) == ["south-8 08:25"])
        // And what is scheduled beyond it and comes early is.
        let early = TripUpdate.of("north-9", [.at(10, delay: -2400)])
        #expect(snapshot("08:05", [early]).lines("A", query).contains("north-9 08:31"))
    }

    @Test func vehiclesThatHavePassedAreGone() {
        let update = TripUpdate.of("north-8", [.at(20, delay: 0)])
        func board(_ sequence: Int, _ status: VehicleReport.StopStatus, _ time: String) -> [String]
        {
            let vehicle = VehicleReport.on("north-8", seenAt: at(time).adding(seconds: -30)) {
                $0.stopSequence = sequence
                $0.stopStatus = status
            }
            return snapshot(time, [update], vehicles: [vehicle]).lines("A")
        }
        #expect(board(30, .inTransitTo, "08:09").first == "south-8 08:25")
        #expect(board(20, .stoppedAt, "08:14").first == "north-8 08:11")
        #expect(board(20, .inTransitTo, "08:14").first == "north-8 08:11")
    }

    @Test func changedPlatformsAreShownOnceAStation() {
        let moved = TripUpdate.of("north-8", [.at(10, delay: 0) { $0.assignedStopID = "S2" }])
        let snapshot = snapshot("07:55", [moved])
        for stop in ["S", "S1", "S2"] {
            let board = snapshot.board(stop).filter { $0.tripID == "north-8" }
            #expect(board.count == 1, "at \(stop)")
            #expect(board.first?.stop == feed.stop("S2"))
            #expect(board.first?.plannedStop == feed.stop("S1"))
        }
        // Feeds that name the other platform as the stop mean the same.
        var named = StopTimeUpdate()
        named.stopID = "S2"
        named.departure = StopTimeEvent(delaySeconds: 60)
        let same = self.snapshot("07:55", [.of("north-8", [named])]).board("S1").first
        #expect(same?.stop == feed.stop("S2") && same?.delaySeconds == 60)
    }

    @Test func cancelledAndSkippedAreShownAndDeletedAreNot() {
        let cancelled = snapshot("08:00", [.of("north-8", [], .cancelled)]).board("A").first
        #expect(cancelled?.status == .cancelled && cancelled?.tripID == "north-8")
        #expect(
            snapshot("08:12", [.of("north-8", [], .cancelled)]).lines("A").first == "south-8 08:25")
        #expect(
            snapshot("08:00", [.of("north-8", [], .deleted)]).lines("A").first == "south-8 08:25")
        let skipped = TripUpdate.of("north-8", [.at(10, delay: 0), .at(20, .skipped)])
        #expect(snapshot("08:00", [skipped]).board("A").first?.status == .skipped)
        #expect(snapshot("08:00", [skipped]).board("B").first?.status == .onTime)
        let silent = TripUpdate.of("north-8", [.at(20, .noData)])
        #expect(snapshot("08:00", [silent]).board("A").first?.status == .noData)
        #expect(
            snapshot("08:00", [silent]).board("A").first?.confidence == DepartureConfidence.none)
    }

    @Test func statusesFollowTheBoundsOfTheQuery() {
        func status(_ delay: Int, _ bound: Int) -> Departure.Status? {
            var query = BoardQuery()
            query.onTimeSeconds = bound
            return snapshot("07:30", [.of("north-8", [.at(10, delay: delay)])])
                .board("A", query).first?.status
        }
        #expect(status(180, 180) == .onTime && status(181, 180) == .late)
        #expect(status(-180, 180) == .onTime && status(-181, 180) == .early)
        #expect(status(91, 90) == .late)
    }

    @Test func occupancyIsThatOfTheStopElseOfTheVehicle() {
        func occupancy(_ stop: Occupancy?, _ vehicle: Occupancy?, age: Int64 = 20) -> Occupancy? {
            let update = TripUpdate.of(
                "north-8", [.at(20, delay: 0) { $0.departureOccupancy = stop }])
            let report = VehicleReport.on("north-8", seenAt: at("08:02").adding(seconds: -age)) {
                $0.occupancy = vehicle
            }
            return snapshot("08:02", [update], vehicles: [report]).board("A").first?.occupancy
        }
        #expect(occupancy(nil, nil) == nil)
        #expect(occupancy(nil, .full) == .full)
        #expect(occupancy(.fewSeats, .full) == .fewSeats)
        #expect(occupancy(.noDataAvailable, .full) == .full)
        #expect(occupancy(.noDataAvailable, nil) == .noDataAvailable)
        #expect(occupancy(nil, .full, age: 901) == nil)
    }

    @Test func wheelchairAccessOfTheVehicleCountsBeforeTheTrips() {
        let report = VehicleReport.on("north-8", seenAt: at("08:00")) {
            $0.vehicle = VehicleLabel()
            $0.vehicle?.wheelchair = 3
        }
        #expect(snapshot("08:00", vehicles: [report]).board("A").first?.wheelchair == .inaccessible)
    }

    @Test func runsByFrequencyAreMatchedByTheirStart() {
        let update = TripUpdate.of("shuttle", [.at(1, delay: 120)]) {
            $0.trip.startTime = "10:12:00"
        }
        let board = snapshot("10:00", [update]).board("A")
        #expect(board.map(\.run?.startSeconds) == [36_000, 36_720, 37_200, 37_800, 38_400, 39_000])
        #expect(board[1].scheduledDeparture == at("10:18") && board[1].delaySeconds == 120)
    }
}

@Suite struct ConfidenceTests {
    private let feed: TransitFeed
    private let now = TextTimetable.time("08:02")
    init() throws { feed = try TextTimetable().feed() }

    /// The confidence of the next departure at Ash, with a vehicle and an update of the given ages, seconds.
    private func confidence(vehicle: Int64?, update: Int64 = 10) -> DepartureConfidence? {
        let vehicles =
            vehicle.map { [VehicleReport.on("north-8", seenAt: now.adding(seconds: -$0))] } ?? []
        let update = TripUpdate.of("north-8", [.at(20, delay: 60)]) {
            $0.timestamp = now.adding(seconds: -update)
        }
        return TransitSnapshot.of(feed, at: now, [update], vehicles: vehicles).board("A").first?
            .confidence
    }

    @Test func recentVehiclesAndUpdatesAreHigh() {
        #expect(confidence(vehicle: 90) == .high && confidence(vehicle: 91) == .medium)
        #expect(confidence(vehicle: 10, update: 300) == .high)
        #expect(confidence(vehicle: 10, update: 301) == .medium)
        #expect(confidence(vehicle: 10, update: 2280) == .medium)
    }

    @Test func updatesAloneAreMediumAndOldOnesLow() {
        #expect(confidence(vehicle: nil) == .medium && confidence(vehicle: 4000) == .medium)
        #expect(confidence(vehicle: nil, update: 900) == .medium)
        #expect(confidence(vehicle: nil, update: 901) == .low)
        #expect(confidence(vehicle: 300, update: 901) == .medium)
        #expect(confidence(vehicle: 301, update: 901) == .low)
        #expect(
            TransitSnapshot(feed, asOf: now).board("A").first?.confidence
                == DepartureConfidence.none)
    }

    @Test func timestampsInTheFutureAreIgnored() {
        #expect(confidence(vehicle: -4000) == .medium)
        #expect(confidence(vehicle: -60, update: -60) == .high)
        #expect(confidence(vehicle: 10, update: -4000) == DepartureConfidence.none)
    }

    /// The confidence with updates of a given age, seconds, without timestamps of their own, and vehicles now.
    private func confidence(updatesMade made: Int64?, fetched: Int64) -> DepartureConfidence? {
        var state = RealtimeState()
        var tracker = VehicleTracker()
        let update = TripUpdate.of("north-8", [.at(20, delay: 60)])
        state.take(
            RealtimeFeed(
                timestamp: made.map { now.adding(seconds: -$0) },
                entities: [RealtimeEntity(id: "1", tripUpdate: update)]),
            of: "trip_updates", at: now.adding(seconds: -fetched))
        let vehicle = VehicleReport.on("north-8", seenAt: now)
        state.take(
            RealtimeFeed(
                timestamp: now, entities: [RealtimeEntity(id: "1", vehicle: vehicle)]),
            of: "vehicles", at: now)
        return TransitSnapshot(feed, state, asOf: now, tracker: &tracker).board("A").first?
            .confidence
    }

    @Test func updatesWithoutATimestampAreAsOldAsTheirFeed() {
        #expect(confidence(updatesMade: 20, fetched: 10) == .high)
        #expect(confidence(updatesMade: 2280, fetched: 10) == .medium)
        // Nor does the feed say when it was made: as old as its fetching.
        #expect(confidence(updatesMade: nil, fetched: 10) == .high)
        #expect(confidence(updatesMade: nil, fetched: 2280) == .medium)
        // A clock that is a little ahead makes nothing newer than now; one that is far ahead is not believed.
        #expect(confidence(updatesMade: -60, fetched: 10) == .high)
        #expect(confidence(updatesMade: -7200, fetched: 10) == DepartureConfidence.none)
    }
}
