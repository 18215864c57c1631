// Realtime merged with a timetable: which run feeds mean, added runs and copies, faulty updates, feeds that do not fit.
import BridgecastCore
import Testing
@testable import BridgecastTransit

@Suite struct TripSelectorTests {
    private let feed: TransitFeed
    init() throws { feed = try TextTimetable().feed() }

    private func at(_ time: String, _ date: String = "2026-02-18") -> Timestamp {
        TextTimetable.time(time, date)
    }

    private func run(
        _ time: String, _ date: String = "2026-02-18", _ updates: TripUpdate...
    ) -> String? {
        let snapshot = TransitSnapshot.of(feed, at: at(time, date), updates)
        return snapshot.live.first.map { "\(feed[$0.key.trip].id) \($0.key.date)" }
    }

    @Test func withoutADayTheNearestRunIsMeant() {
        let north = TripUpdate.of("north-8", [.at(20, delay: 0)], date: nil)
        #expect(run("08:05", "2026-02-18", north) == "north-8 2026-02-18")
        // On Sunday evening Monday's is nearer than Friday's.
        #expect(run("22:00", "2026-02-22", north) == "north-8 2026-02-23")
        let night = TripUpdate.of("night", [.at(1, delay: 0)], date: nil)
        #expect(run("01:15", "2026-02-18", night) == "night 2026-02-17")
        #expect(run("23:50", "2026-02-18", night) == "night 2026-02-18")
    }

    @Test func predictedTimesDecideTheDay() {
        // An hour and a half late at 09:40: nearer in time than the run of the day after.
        let night = TripUpdate.of(
            "night", [.at(2, time: at("23:50", "2026-02-18"))], date: nil)
        #expect(run("12:00", "2026-02-18", night) == "night 2026-02-18")
        let late = TripUpdate.of("night", [.at(2, time: at("05:00", "2026-02-18"))], date: nil)
        #expect(run("12:00", "2026-02-18", late) == "night 2026-02-17")
    }

    @Test func calendarDaysAreTakenForServiceDaysIfTheTripDoesNotRun() throws {
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

    @Test func agencyPrefixesOfIdentifiersAreIgnored() {
        #expect(
            run("08:00", "2026-02-18", .of("40_north-8", [.at(20, delay: 0)]))
                == "north-8 2026-02-18")
        #expect(run("08:00", "2026-02-18", .of("41_north-8", [.at(20, delay: 0)])) == nil)
    }

    @Test func aRouteWithAStartNamesATrip() {
        func update(_ change: (inout TripSelector) -> Void) -> TripUpdate {
            var update = TripUpdate()
            update.trip.routeID = "L"
            update.trip.startTime = "08:00:00"
            update.trip.startDate = "20260218"
            update.stops = [.at(20, delay: 0)]
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

    @Test func unknownTripsAndStopsAreNoted() {
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

    @Test func addedTripsAreOnTheBoardsOfTheirStops() {
        func stop(_ id: String, _ time: String) -> StopTimeUpdate {
            var update = StopTimeUpdate()
            update.stopID = id
            update.departure = StopTimeEvent(time: at(time))
            return update
        }
        let added = TripUpdate.of(
            "extra",
            [stop("S2", "08:03"), stop("A", "08:12"), stop("?", "08:15"), stop("C", "08:20")],
            .added
        ) {
            $0.trip.routeID = "L"
            $0.trip.direction = .max
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

    @Test func copiesAndTheirTripHaveUpdatesOfTheirOwn() {
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

    @Test func vehiclesOfATripAndVehiclesWithoutATrip() {
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
}

@Suite struct FaultyUpdateTests {
    private let feed: TransitFeed
    init() throws { feed = try TextTimetable().feed() }

    private func at(_ time: String, _ date: String = "2026-02-18") -> Timestamp {
        TextTimetable.time(time, date)
    }

    private func snapshot(
        _ time: String, _ updates: [TripUpdate], vehicles: [VehicleReport] = []
    ) -> TransitSnapshot {
        TransitSnapshot.of(feed, at: at(time), updates, vehicles: vehicles)
    }

    @Test func emptyTextsAreNil() {
        let update = TripUpdate.of("", [.at(20, delay: 60) { $0.assignedStopID = "" }], date: "") {
            $0.trip.routeID = "L"
            $0.trip.startTime = "08:00:00"
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
            properties.tripID = ""
            properties.headsign = ""
            properties.startDate = ""
            properties.startTime = "08:30:00"
            $0.properties = properties
        }
        let departure = snapshot("08:00", [copy]).board("A").first { $0.run == nil }
        #expect(departure?.tripID == "north-8" && departure?.headsign == "Cedar")
        #expect(departure?.scheduledDeparture == at("08:41"))
    }

    @Test func copiesWithoutAnIdentifierGetNoVehicle() {
        let copy = TripUpdate.of("north-8", [.at(20, delay: 0)], .duplicated) {
            $0.properties = TripProperties()
            $0.properties?.startTime = "08:30:00"
        }
        let vehicle = VehicleReport.on("north-8", seenAt: at("08:00"))
        let snapshot = snapshot("08:00", [copy], vehicles: [vehicle])
        #expect(snapshot.vehicles[0].run?.trip == feed.trip("north-8"))
        #expect(snapshot.added.map(\.vehicle) == [nil])
    }

    @Test func ofTwoUpdatesOfAnAddedTripTheNewerCounts() {
        func added(_ time: String, _ made: String) -> TripUpdate {
            var stop = StopTimeUpdate()
            stop.stopID = "A"
            stop.departure = StopTimeEvent(time: at(time))
            var end = StopTimeUpdate()
            end.stopID = "C"
            end.arrival = StopTimeEvent(time: at("08:50"))
            return .of("extra", [stop, end], .added) { $0.timestamp = at(made) }
        }
        let old = added("08:12", "07:50")
        let new = added("08:14", "07:59")
        // In two feeds: of one feed's entities about the same trip one is taken from the start.
        for updates in [[old, new], [new, old]] {
            var state = RealtimeState()
            var tracker = VehicleTracker()
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
    @Test func stopsCountBeforeForeignSequences() throws {
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

    @Test func aSingleWrongTimeDoesNotChangeTheDay() {
        let stops: [StopTimeUpdate] = [
            .at(10, time: at("08:00", "2046-02-18")), .at(20, time: at("08:13")),
        ]
        let snapshot = snapshot("08:00", [.of("north-8", stops, date: nil)])
        #expect(snapshot.board("A").first?.delaySeconds == 120)
        #expect(snapshot.notices.counts.map(\.code) == ["implausible_prediction"])
    }

    @Test func startsAfterMidnightAreYesterdays() throws {
        var timetable = TextTimetable()
        let trips = try #require(timetable.files["trips.txt"])
        timetable.files["trips.txt"] = trips.replacing("N,daily,night", with: "N,week,night")
        let feed = try timetable.feed()
        let update = TripUpdate.of("", [.at(1, delay: 60)], date: nil) {
            $0.trip.routeID = "N"
            $0.trip.startTime = "25:10:00"
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

    @Test func vehiclesWithoutADayAreNotOnTomorrowsRun() {
        let tomorrow = TripUpdate.of("north-8", [.at(20, delay: 0)], date: "20260219")
        let vehicle = VehicleReport.on("north-8", date: nil, seenAt: at("08:00"))
        let snapshot = snapshot("08:00", [tomorrow], vehicles: [vehicle])
        #expect(snapshot.vehicles[0].run?.date.description == "2026-02-18")
    }

    /// A feed may name many trips on many days: predictions beyond those of any agency are left out, and noted.
    @Test func predictionsAreLimited() throws {
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

    @Test func vehiclesFarAheadPredictNothing() throws {
        func origins(_ ahead: Int64) throws -> Set<StopPrediction.Origin?> {
            let vehicle = VehicleReport.on("north-8", seenAt: at("08:00").adding(seconds: ahead)) {
                $0.latitude = 47.605
                $0.longitude = -122.33
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

@Suite struct FeedFitTests {
    private let feed: TransitFeed
    private let now = TextTimetable.time("08:02")
    init() throws { feed = try TextTimetable().feed() }

    /// A snapshot with what feeds say, each of them made just now.
    private func snapshot(_ entities: [[RealtimeEntity]], madeAhead: Int64 = 0) -> TransitSnapshot {
        var state = RealtimeState()
        var tracker = VehicleTracker()
        for (number, entities) in entities.enumerated() {
            state.take(
                RealtimeFeed(timestamp: now.adding(seconds: madeAhead), entities: entities),
                of: "feed \(number)", at: now)
        }
        return TransitSnapshot(feed, state, asOf: now, tracker: &tracker)
    }

    private func update(
        _ trip: String, _ relationship: TripRelationship? = nil, ahead: Int64? = nil
    ) -> RealtimeEntity {
        RealtimeEntity(
            id: trip,
            tripUpdate: .of(trip, [.at(20, delay: 300)], relationship) {
                $0.timestamp = ahead.map { now.adding(seconds: $0) }
            })
    }

    private func vehicle(
        _ trip: String, route: String? = nil, ahead: Int64 = 0
    ) -> RealtimeEntity {
        RealtimeEntity(
            id: "v" + trip,
            vehicle: .on(trip, seenAt: now.adding(seconds: ahead)) {
                $0.latitude = 47.605
                $0.longitude = -122.33
                $0.trip?.routeID = route
            })
    }

    // MARK: Other agencies

    private static let otherwise = ": it is of another agency, or the timetable is out of date"

    @Test func feedsWithoutAKnownTripGetAWarning() {
        let strange = snapshot([
            [update("north-8")], [update("x"), update("y"), vehicle("x")], [vehicle("z")],
        ])
        #expect(
            strange.feedWarnings == [
                "feed 1: none of its 2 trips is in the timetable" + Self.otherwise,
                "feed 2: its only trip, 'z', is not in the timetable" + Self.otherwise,
            ])
        #expect(strange.notices.counts.contains { $0.code == "no_trip_in_timetable" })
        #expect(strange.board("A").first?.delaySeconds == 300)
    }

    @Test func oneKnownTripIsEnoughAndAddedTripsDoNotCount() {
        #expect(snapshot([[update("x"), update("y"), update("north-8")]]).feedWarnings == [])
        #expect(snapshot([[update("x", .added)], [update("y", .new)]]).feedWarnings == [])
        #expect(snapshot([[], [update("40_north-8")]]).feedWarnings == [])
    }

    @Test func vehiclesWithRoutesAloneAreKnownByThose() {
        #expect(snapshot([[vehicle("", route: "L"), vehicle("", route: "M")]]).feedWarnings == [])
        #expect(
            snapshot([[vehicle("", route: "K"), vehicle("", route: "M")]]).feedWarnings
                == ["feed 0: none of its 2 routes is in the timetable" + Self.otherwise])
    }

    @Test func caltrainDoesNotFitSoundTransit() throws {
        let updates = try RealtimeFeed.read(TransitSamples.bytes("caltrain/tripupdates.pb")).feed
        let made = try #require(updates.timestamp)
        func warnings(_ feed: TransitFeed) -> [String] {
            var state = RealtimeState()
            var tracker = VehicleTracker()
            state.take(updates, of: "trip_updates", at: made)
            return TransitSnapshot(feed, state, asOf: made, tracker: &tracker).feedWarnings
        }
        #expect(
            try warnings(TransitSamples.soundTransit.get())
                == ["trip_updates: none of its 25 trips is in the timetable" + Self.otherwise])
        #expect(try warnings(TransitSamples.caltrain.get()) == [])
    }

    // MARK: The future

    @Test func timestampsInTheFutureAreLeftOutAndNoted() {
        let near = snapshot([[update("north-8", ahead: 60)], [vehicle("north-8", ahead: 60)]])
        #expect(near.feedWarnings == [] && near.vehicles.count == 1)
        #expect(near.board("A").first?.delaySeconds == 300)
        #expect(near.board("A").first?.confidence == .high)

        let far = snapshot([
            [update("north-8", ahead: 61)], [vehicle("north-8", ahead: 3600), vehicle("night")],
        ])
        #expect(far.vehicles.map(\.entityID) == ["vnight"])
        let departure = far.board("A").first
        #expect(departure?.tripID == "north-8" && departure?.status == .scheduled)
        #expect(departure?.confidence == DepartureConfidence.none && departure?.seenAt == nil)
        #expect(
            far.feedWarnings == [
                "feed 0: one of its entities has a timestamp 61 s in the future; it is left out",
                "feed 1: one of its entities has a timestamp 3600 s in the future; it is left out",
            ])
    }

    @Test func theFeedsTimestampCountsIfAnEntityHasNone() {
        #expect(snapshot([[update("north-8")]], madeAhead: 60).live.count == 1)
        let far = snapshot([[update("north-8"), update("north-9", ahead: 0)]], madeAhead: 2341)
        #expect(far.live.map(\.key.trip) == [feed.trip("north-9")])
        #expect(far.notices.counts.map(\.code) == ["timestamp_in_future"])
        let all = snapshot([[update("north-8"), vehicle("night", ahead: 3600)]], madeAhead: 2341)
        #expect(
            all.feedWarnings == [
                "feed 0: 2 of its entities have timestamps up to 3600 s in the future; they are left out"
            ])
    }

    @Test func vehiclesSlightlyAheadAreSeenNow() {
        let near = snapshot([[vehicle("north-8", ahead: 30)]])
        #expect(near.vehicles.first?.ageSeconds(at: now) == 0)
        #expect(near.vehicles.first?.ageSeconds(at: now.adding(seconds: 40)) == 10)
    }
}
