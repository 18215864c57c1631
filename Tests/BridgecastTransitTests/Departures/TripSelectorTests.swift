// Which run feeds mean: with and without days, by start, with agencies before identifiers; and runs of which the timetable
// knows nothing.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite struct TripSelectorTests {
    private let feed: TransitFeed
    init() throws { feed = try TextTimetable().feed() }

    private func at(_ time: String, _ date: String = "2026-02-18") -> Timestamp {
        TextTimetable.moment(time, date)
    }

    private func run(
        _ time: String, _ date: String = "2026-02-18", _ updates: TripUpdate...
    ) -> String? {
        let snapshot = TransitSnapshot.of(feed, at: at(time, date), updates)
        return snapshot.live.first.map { "\(feed[$0.key.trip].id) \($0.key.date)" }
    }

    @Test func withoutADayTheRunNearestToTheMomentIsMeant() {
        let north = TripUpdate.of("north-8", [.at(20, delay: 0)], date: nil)
        #expect(run("08:05", "2026-02-18", north) == "north-8 2026-02-18")
        // On Sunday evening Monday's is nearer than Friday's.
        #expect(run("22:00", "2026-02-22", north) == "north-8 2026-02-23")
        let night = TripUpdate.of("night", [.at(1, delay: 0)], date: nil)
        #expect(run("01:15", "2026-02-18", night) == "night 2026-02-17")
        #expect(run("23:50", "2026-02-18", night) == "night 2026-02-18")
    }

    @Test func predictedMomentsTellTheDayBetterThanTheClock() {
        // An hour and a half late at 09:40: nearer in time than the run of the day after.
        let night = TripUpdate.of(
            "night", [.at(2, time: at("23:50", "2026-02-18"))], date: nil)
        #expect(run("12:00", "2026-02-18", night) == "night 2026-02-18")
        let late = TripUpdate.of("night", [.at(2, time: at("05:00", "2026-02-18"))], date: nil)
        #expect(run("12:00", "2026-02-18", late) == "night 2026-02-17")
    }

    @Test func aDayOfTheWallClockIsTakenForTheServiceDayIfTheTripDoesNotRunOnIt() throws {
        var timetable = TextTimetable()
        let trips = try #require(timetable.files["trips.txt"])
        timetable.files["trips.txt"] = trips.replacing("N,daily,night", with: "N,week,night")
        let feed = try timetable.feed()
        // Friday's night bus runs on Saturday by the clock, when the service does not.
        let update = TripUpdate.of("night", [.at(1, delay: 60)], date: "20260221")
        let snapshot = TransitSnapshot.of(feed, at: at("00:50", "2026-02-21"), [update])
        #expect(snapshot.live.first?.key.date.description == "2026-02-20")
        #expect(snapshot.lines("S1") == ["night 01:11"])
    }

    @Test func agenciesBeforeIdentifiersAreSeenThrough() {
        #expect(
            run("08:00", "2026-02-18", .of("40_north-8", [.at(20, delay: 0)]))
                == "north-8 2026-02-18")
        #expect(run("08:00", "2026-02-18", .of("41_north-8", [.at(20, delay: 0)])) == nil)
    }

    @Test func aRouteWithAStartNamesATrip() {
        func update(_ change: (inout TripSelector) -> Void) -> TripUpdate {
            var update = TripUpdate()
            (update.trip.routeID, update.trip.startTime) = ("L", "08:00:00")
            (update.trip.startDate, update.stops) = ("20260218", [.at(20, delay: 0)])
            change(&update.trip)
            return update
        }
        #expect(run("08:00", "2026-02-18", update { $0.direction = 0 }) == "north-8 2026-02-18")
        #expect(run("08:00", "2026-02-18", update { $0.direction = 1 }) == nil)
        #expect(
            run("08:00", "2026-02-18", update { $0.startTime = "08:05:00" }) == "south-8 2026-02-18"
        )
        #expect(run("08:00", "2026-02-18", update { $0.startTime = "soon" }) == nil)
    }

    @Test func whatTheTimetableDoesNotHaveIsNotedAndLeavesTheRestAlone() {
        let snapshot = TransitSnapshot.of(
            feed, at: at("08:00"),
            [
                .of("elsewhere", [.at(1, delay: 0)]), .of("north-8", date: "20260222"),
                .of("north-8", [.at(20, delay: 60), .at(99, delay: 0)]), TripUpdate(),
            ],
            vehicles: [.on("elsewhere-too", seenAt: at("08:00"))])
        #expect(
            snapshot.notices.counts.map(\.code) == [
                "trip_id_not_in_timetable", "trip_not_in_service", "stop_not_in_trip",
                "trip_not_named", "trip_id_not_in_timetable", "no_trip_in_timetable",
            ])
        #expect(snapshot.board("A").first?.delaySeconds == 60)
        #expect(snapshot.vehicles.count == 1 && snapshot.vehicles[0].run == nil)
    }

    @Test func addedTripsStandOnTheBoardOfTheirStops() {
        func stop(_ id: String, _ time: String) -> StopTimeUpdate {
            var update = StopTimeUpdate()
            (update.stopID, update.departure) = (id, StopTimeEvent(time: at(time)))
            return update
        }
        let added = TripUpdate.of(
            "extra",
            [stop("S2", "08:03"), stop("A", "08:12"), stop("?", "08:15"), stop("C", "08:20")],
            .added
        ) {
            ($0.trip.routeID, $0.trip.direction) = ("L", .max)
        }
        let snapshot = TransitSnapshot.of(feed, at: at("08:00"), [added])
        #expect(snapshot.lines("A").prefix(2) == ["north-8 08:11", "extra 08:12"])
        let departure = snapshot.board("A")[1]
        #expect(departure.status == .added && departure.run == nil && departure.headsign == "Cedar")
        #expect(departure.scheduledDeparture == nil && departure.route == feed.route("L"))
        #expect(snapshot.lines("C").contains { $0.hasPrefix("extra") } == false)
    }

    @Test func aCopyOfATripRunsAtItsOwnTime() {
        let copy = TripUpdate.of("north-8", [.at(20, delay: 60)], .duplicated) {
            $0.properties = TripProperties()
            $0.properties?.tripID = "north-8-again"
            $0.properties?.startDate = "20260218"
            $0.properties?.startTime = "08:30:00"
        }
        let snapshot = TransitSnapshot.of(feed, at: at("08:00"), [copy])
        #expect(snapshot.lines("A").contains("north-8 08:11"))
        #expect(snapshot.lines("A").contains("north-8-again 08:42"))
        let departure = snapshot.board("A").first { $0.tripID == "north-8-again" }
        #expect(departure?.scheduledDeparture == at("08:41") && departure?.delaySeconds == 60)
    }

    @Test func copiesOfATripAndTheTripItselfHaveUpdatesOfTheirOwn() {
        func copy(_ time: String) -> TripUpdate {
            .of("north-8", [.at(20, delay: 60)], .duplicated) {
                $0.properties = TripProperties()
                $0.properties?.tripID = "again \(time)"
                $0.properties?.startTime = time
            }
        }
        let updates = [
            copy("08:30:00"), .of("north-8", [.at(20, delay: 120)]), copy("08:40:00"),
        ]
        #expect(
            TransitSnapshot.of(feed, at: at("08:00"), updates).lines("A") == [
                "north-8 08:13", "south-8 08:25", "again 08:30:00 08:42", "again 08:40:00 08:52",
                "north-9 09:11",
            ])
    }

    @Test func ofTwoUpdatesOfATripTheNewerCounts() {
        let old = TripUpdate.of("north-8", [.at(20, delay: 600)]) { $0.timestamp = at("07:50") }
        let new = TripUpdate.of("north-8", [.at(20, delay: 60)]) { $0.timestamp = at("07:59") }
        for updates in [[old, new], [new, old]] {
            let snapshot = TransitSnapshot.of(feed, at: at("08:00"), updates)
            #expect(snapshot.board("A").first?.delaySeconds == 60)
        }
    }

    @Test func ofTwoVehiclesOnATripTheOneSeenLastCountsAndOneWithoutATripIsFoundByItsName() {
        let (old, new) = (
            VehicleReport.on("north-8", seenAt: at("07:50")),
            VehicleReport.on("north-8", seenAt: at("07:59")) { $0.occupancy = .full }
        )
        for vehicles in [[old, new], [new, old]] {
            let snapshot = TransitSnapshot.of(feed, at: at("08:00"), vehicles: vehicles)
            #expect(snapshot.board("A").first?.occupancy == .full)
            #expect(snapshot.vehicles.allSatisfy { $0.run != nil })
        }
        var nameless = VehicleReport()
        nameless.vehicle = VehicleLabel()
        nameless.vehicle?.id = "bus 7"
        let update = TripUpdate.of("north-8", [.at(20, delay: 0)]) { $0.vehicle = nameless.vehicle }
        let snapshot = TransitSnapshot.of(feed, at: at("08:00"), [update], vehicles: [nameless])
        #expect(snapshot.vehicles.first?.run == snapshot.live.first?.key)
    }

    @Test(
        "Texts of selectors are read as the specification writes them, and nothing else is",
        arguments: [
            ("8:05:00", 29_100), ("08:05:00", 29_100), ("25:10:00", 90_600), ("100:00:00", 360_000),
            ("08:60:00", nil), ("08:05", nil), ("-1:00:00", nil), ("", nil), ("08:05:0x", nil),
        ] as [(String, Int?)])
    func timesOfDay(_ text: String, _ seconds: Int?) {
        #expect(SelectorText.seconds(text) == seconds)
    }

    @Test func daysAreEightDigits() {
        #expect(SelectorText.date("20260218")?.description == "2026-02-18")
        for text in ["2026-02-18", "20260230", "", "2026021", "20260218 ", "２０２６"] {
            #expect(SelectorText.date(text) == nil)
        }
    }
}
