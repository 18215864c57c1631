// Updates that break rules, as feeds do: empty texts, sequences that are not the timetable's, single wrong moments, doubles.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite struct FaultyUpdateTests {
    private let feed: TransitFeed
    init() throws { feed = try TextTimetable().feed() }

    private func at(_ time: String, _ date: String = "2026-02-18") -> Timestamp {
        TextTimetable.moment(time, date)
    }

    private func snapshot(
        _ time: String, _ updates: [TripUpdate], vehicles: [VehicleReport] = []
    ) -> TransitSnapshot {
        TransitSnapshot.of(feed, at: at(time), updates, vehicles: vehicles)
    }

    @Test func emptyTextsAreNone() {
        let update = TripUpdate.of("", [.at(20, delay: 60) { $0.assignedStopID = "" }], date: "") {
            ($0.trip.routeID, $0.trip.startTime) = ("L", "08:00:00")
            $0.vehicle = VehicleLabel()
            $0.vehicle?.id = "bus 7"
        }
        // A vehicle without a trip, by an empty identifier, and one with a route alone.
        let vehicles = ["", "L"].map { route in
            VehicleReport.on("", date: "") {
                $0.trip?.routeID = route
                $0.vehicle = update.vehicle
            }
        }
        for vehicle in vehicles {
            let snapshot = snapshot("08:00", [update], vehicles: [vehicle])
            #expect(snapshot.notices.counts.isEmpty)
            #expect(snapshot.board("A").first?.delaySeconds == 60)
            #expect(snapshot.board("A").first?.vehicle == 0)
        }
        let copy = TripUpdate.of("north-8", [.at(20, delay: 60)], .duplicated) {
            var properties = TripProperties()
            (properties.tripID, properties.headsign) = ("", "")
            (properties.startDate, properties.startTime) = ("", "08:30:00")
            $0.properties = properties
        }
        let departure = snapshot("08:00", [copy]).board("A").first { $0.run == nil }
        #expect(departure?.tripID == "north-8" && departure?.headsign == "Cedar")
        #expect(departure?.scheduledDeparture == at("08:41"))
    }

    @Test func aCopyWithoutANameOfItsOwnDoesNotTakeTheVehicleOfTheTripItCopies() {
        let copy = TripUpdate.of("north-8", [.at(20, delay: 0)], .duplicated) {
            $0.properties = TripProperties()
            $0.properties?.startTime = "08:30:00"
        }
        let vehicle = VehicleReport.on("north-8", seenAt: at("08:00"))
        let snapshot = snapshot("08:00", [copy], vehicles: [vehicle])
        #expect(snapshot.vehicles[0].run?.trip == feed.trip("north-8"))
        #expect(snapshot.added.map(\.vehicle) == [nil])
    }

    @Test func anAddedTripThatIsToldTwiceStandsOnceAsTheNewerUpdateHasIt() {
        func added(_ time: String, _ made: String) -> TripUpdate {
            var stop = StopTimeUpdate()
            (stop.stopID, stop.departure) = ("A", StopTimeEvent(time: at(time)))
            var end = StopTimeUpdate()
            (end.stopID, end.arrival) = ("C", StopTimeEvent(time: at("08:50")))
            return .of("extra", [stop, end], .added) { $0.timestamp = at(made) }
        }
        let (old, new) = (added("08:12", "07:50"), added("08:14", "07:59"))
        // In two feeds: of one feed's entities about the same trip one is taken from the start.
        for updates in [[old, new], [new, old]] {
            var (state, tracker) = (RealtimeState(), VehicleTracker())
            for (number, update) in updates.enumerated() {
                state.take(
                    RealtimeFeed(entities: [RealtimeEntity(id: "1", tripUpdate: update)]),
                    of: "feed \(number)", at: at("08:00"))
            }
            let snapshot = TransitSnapshot(feed, state, asOf: at("08:00"), tracker: &tracker)
            #expect(snapshot.lines("A").filter { $0.hasPrefix("extra") } == ["extra 08:14"])
            #expect(snapshot.notices.counts.map(\.code) == ["duplicate_trip_update"])
        }
    }

    /// Numbers from 0, and one that is another stop's: the stops that are named count.
    @Test func sequencesThatAreNotTheTimetablesGiveWayToStops() throws {
        var timetable = TextTimetable()
        let times = try #require(timetable.files["stop_times.txt"])
        timetable.files["stop_times.txt"] = (1...4).reduce(times) { text, number in
            text.replacing(",\(number)0,0", with: ",\(number),0")
        }
        timetable.files["stops.txt"]? += "\nD,Date,47.615,-122.33,0,,,"
        let feed = try timetable.feed()
        let stops = ["S1", "A", "B", "C"].enumerated().map { place, id in
            StopTimeUpdate.at(place, delay: 60 * (place + 1)) { $0.stopID = id }
        }
        let snapshot = TransitSnapshot.of(feed, at: at("07:00"), [.of("north-8", stops)])
        let run = try #require(snapshot.live.first?.key)
        #expect(snapshot.stops(of: run).map(\.delaySeconds) == [60, 120, 180, 240])
        #expect(snapshot.stops(of: run).allSatisfy { $0.plannedStop == nil })
        #expect(snapshot.notices.counts.isEmpty)
        // A stop that the trip does not have takes the place of the one with its sequence: a diversion.
        let diverted = TripUpdate.of("north-8", [.at(2, delay: 0) { $0.stopID = "D" }])
        let other = TransitSnapshot.of(feed, at: at("07:00"), [diverted])
        #expect(other.stops(of: run)[1].plannedStop == feed.stop("A"))
    }

    @Test func aSingleWrongMomentDoesNotLeadToAnotherDay() {
        let stops: [StopTimeUpdate] = [
            .at(10, time: at("08:00", "2046-02-18")), .at(20, time: at("08:13")),
        ]
        let snapshot = snapshot("08:00", [.of("north-8", stops, date: nil)])
        #expect(snapshot.board("A").first?.delaySeconds == 120)
        #expect(snapshot.notices.counts.map(\.code) == ["implausible_prediction"])
    }

    @Test func aStartAfterMidnightIsYesterdaysAlsoWhereTodayHasNoService() throws {
        var timetable = TextTimetable()
        let trips = try #require(timetable.files["trips.txt"])
        timetable.files["trips.txt"] = trips.replacing("N,daily,night", with: "N,week,night")
        let feed = try timetable.feed()
        let update = TripUpdate.of("", [.at(1, delay: 60)], date: nil) {
            ($0.trip.routeID, $0.trip.startTime) = ("N", "25:10:00")
        }
        // Early on Saturday it is Friday's.
        let snapshot = TransitSnapshot.of(feed, at: at("00:50", "2026-02-21"), [update])
        #expect(snapshot.lines("S1") == ["night 01:11"])
        #expect(snapshot.live.first?.key.date.description == "2026-02-20")
        // On Sunday night there is none.
        let none = TransitSnapshot.of(feed, at: at("00:50", "2026-02-23"), [update])
        #expect(none.lines("S1") == [])
        #expect(none.notices.kept.first?.message.contains("route 'N'") == true)
    }

    @Test func aVehicleWithoutADayIsNotOnTomorrowsRunThoughThatAloneHasAnUpdate() {
        let tomorrow = TripUpdate.of("north-8", [.at(20, delay: 0)], date: "20260219")
        let vehicle = VehicleReport.on("north-8", date: nil, seenAt: at("08:00"))
        let snapshot = snapshot("08:00", [tomorrow], vehicles: [vehicle])
        #expect(snapshot.vehicles[0].run?.date.description == "2026-02-18")
    }

    /// Each of many trips on each of many days: what is more than any agency has is left out, and said so.
    @Test func predictionsWithoutEndAreCutOff() throws {
        let stops = (1...2000).map {
            "long,08:00:00,08:00:00,\($0.isMultiple(of: 2) ? "A" : "B"),\($0),0"
        }
        var timetable = TextTimetable()
        timetable.files["trips.txt"]? += "\nL,daily,long,Cedar,0,"
        timetable.files["stop_times.txt"]? += "\n" + stops.joined(separator: "\n")
        let feed = try timetable.feed()
        let copies = (0..<1501).map { number in
            TripUpdate.of("long", [], .duplicated) {
                $0.properties = TripProperties()
                $0.properties?.tripID = "copy \(number)"
            }
        }
        let snapshot = TransitSnapshot.of(feed, at: at("08:00"), copies)
        #expect(snapshot.added.count <= 1500)
        #expect(snapshot.notices.counts.contains { $0.code == "too_many_predictions" })
    }

    @Test func aVehicleByAClockThatIsAheadPredictsNothing() throws {
        func origins(_ ahead: Int64) throws -> Set<StopPrediction.Origin?> {
            let vehicle = VehicleReport.on("north-8", seenAt: at("08:00").adding(seconds: ahead)) {
                ($0.latitude, $0.longitude) = (47.605, -122.33)
            }
            let snapshot = snapshot("08:00", [], vehicles: [vehicle])
            let trip = try #require(feed.trip("north-8"))
            let run = try #require(snapshot.run(ofTrip: trip))
            return Set(snapshot.stops(of: run).map(\.origin))
        }
        #expect(try origins(0).contains(.position))
        #expect(try origins(60).contains(.position))
        #expect(try origins(3600) == [nil])
    }
}
