// Boards with realtime: how lateness is carried on, what stays and what goes, and what is said of single runs.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite struct PredictedBoardTests {
    private let feed: TransitFeed
    init() throws { feed = try TextTimetable().feed() }

    private func at(_ time: String) -> Timestamp { TextTimetable.moment(time) }

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

    @Test func latenessIsCarriedOnUntilTheNextWordAndNoDataEndsIt() throws {
        #expect(try delays([.at(20, delay: 300)]) == [nil, 300, 300, 300])
        #expect(try delays([.at(10, delay: 60), .at(30, delay: -30)]) == [60, 60, -30, -30])
        #expect(try delays([.at(10, delay: 60), .at(30, .noData)]) == [60, 60, nil, nil])
        #expect(try delays([.at(10, delay: 60), .at(20, .skipped)]) == [60, 60, 60, 60])
        #expect(try delays([]) == [nil, nil, nil, nil])
        #expect(try delays([]) { $0.delaySeconds = 90 } == [90, 90, 90, 90])
        #expect(
            try delays([.at(30, delay: 20)]) { $0.delaySeconds = 90 } == [90, 90, 20, 20])
    }

    @Test func aMomentCountsBeforeADelayAndADepartureIsAsLateAsItsArrival() throws {
        #expect(try delays([.at(20, delay: 300, time: at("08:13"))]) == [nil, 120, 120, 120])
        #expect(try delays([.at(20, arrivalDelay: 240)]) == [nil, 240, 240, 240])
        #expect(try delays([.at(20, delay: 0, arrivalDelay: 240)])[1] == 0)
        // A moment of 1970 and a delay of years are no predictions.
        let never = Timestamp(secondsSinceEpoch: 0)
        #expect(try delays([.at(20, delay: 45, time: never)]) == [nil, 45, 45, 45])
        #expect(try delays([.at(10, delay: 10), .at(20, delay: .max)]) == [10, 10, 10, 10])
        #expect(try delays([.at(20, delay: .min)]) == [nil, nil, nil, nil])
    }

    @Test func originsTellWhatTheFeedSaidFromWhatWasCarriedOn() throws {
        let snapshot = snapshot("07:00", [.of("north-8", [.at(20, delay: 300)])])
        let run = try #require(snapshot.live.first?.key)
        let stops = snapshot.stops(of: run)
        #expect(stops.map(\.origin) == [nil, .feed, .propagated, .propagated])
        #expect(stops.map(\.status) == [.scheduled, .late, .late, .late])
        // What is scheduled stays what it was.
        #expect(stops[2].scheduledDeparture == at("08:20"))
        #expect(stops[2].predictedDeparture == at("08:25"))
    }

    @Test func lateDeparturesStayUntilTheyHaveLeftAndEarlyOnesGo() {
        let late = TripUpdate.of("north-8", [.at(10, delay: 5400)])
        #expect(snapshot("09:15", [late]).lines("A").prefix(1) == ["north-8 09:41"])
        #expect(snapshot("09:42", [late]).lines("A").first != "north-8 09:41")
        // Late ones stand where they are expected, behind a later trip that is on time.
        #expect(
            snapshot("09:05", [late]).lines("A") == [
                "north-9 09:11", "north-8 09:41", "shuttle 10:06",
                "shuttle 10:16", "shuttle 10:26", "shuttle 10:36", "shuttle 10:46", "shuttle 10:56",
            ])
        let early = TripUpdate.of("north-8", [.at(20, delay: -240)])
        #expect(snapshot("08:06", [early]).lines("A").first == "north-8 08:07")
        #expect(snapshot("08:08", [early]).lines("A").first == "south-8 08:25")
        // Ash lies behind it: the feed tells of Beech only, four minutes early.
        let passed = TripUpdate.of("north-8", [.at(30, delay: -240)])
        #expect(snapshot("08:08", [passed]).lines("A").first == "south-8 08:25")
        #expect(snapshot("08:06", [passed]).lines("A").first == "north-8 08:11")
    }

    @Test func whatIsPredictedBeyondTheHorizonIsNotOnTheBoard() {
        var query = BoardQuery()
        query.horizonSeconds = 1800
        let late = TripUpdate.of("north-8", [.at(10, delay: 3600)])
        #expect(snapshot("08:05", [late]).lines("A", query) == ["south-8 08:25"])
        // And what is scheduled beyond it and comes early is.
        let early = TripUpdate.of("north-9", [.at(10, delay: -2400)])
        #expect(snapshot("08:05", [early]).lines("A", query).contains("north-9 08:31"))
    }

    @Test func aVehicleThatHasPassedIsGoneAndOneThatStandsThereIsNot() {
        let update = TripUpdate.of("north-8", [.at(20, delay: 0)])
        func board(_ sequence: Int, _ status: VehicleReport.StopStatus, _ time: String) -> [String]
        {
            let vehicle = VehicleReport.on("north-8", seenAt: at(time).adding(seconds: -30)) {
                ($0.stopSequence, $0.stopStatus) = (sequence, status)
            }
            return snapshot(time, [update], vehicles: [vehicle]).lines("A")
        }
        #expect(board(30, .inTransitTo, "08:09").first == "south-8 08:25")
        #expect(board(20, .stoppedAt, "08:14").first == "north-8 08:11")
        #expect(board(20, .inTransitTo, "08:14").first == "north-8 08:11")
    }

    @Test func anotherPlatformIsShownWithThePlannedOneOnceAStation() {
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
        (named.stopID, named.departure) = ("S2", StopTimeEvent(delaySeconds: 60))
        let same = self.snapshot("07:55", [.of("north-8", [named])]).board("S1").first
        #expect(same?.stop == feed.stop("S2") && same?.delaySeconds == 60)
    }

    @Test func cancelledAndSkippedAreShownAsSuchAndDeletedNotAtAll() {
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

    @Test func statusesFollowTheBoundsThatAreAskedFor() {
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

    @Test func crowdingIsThatOfTheStopElseOfTheVehicleAndUnsetIsNotEmpty() {
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

    @Test func theVehiclesWordOnWheelchairsCountsBeforeTheTrips() {
        let report = VehicleReport.on("north-8", seenAt: at("08:00")) {
            $0.vehicle = VehicleLabel()
            $0.vehicle?.wheelchair = 3
        }
        #expect(snapshot("08:00", vehicles: [report]).board("A").first?.wheelchair == .inaccessible)
    }

    @Test func anExactRunByHeadwayIsFoundByItsStartAndALooseOneTakesThePlaceOfItsNeighbour() {
        let update = TripUpdate.of("shuttle", [.at(1, delay: 120)]) {
            $0.trip.startTime = "10:12:00"
        }
        let board = snapshot("10:00", [update]).board("A")
        #expect(board.map(\.run?.startSeconds) == [36_000, 36_720, 37_200, 37_800, 38_400, 39_000])
        #expect(board[1].scheduledDeparture == at("10:18") && board[1].delaySeconds == 120)
    }
}
