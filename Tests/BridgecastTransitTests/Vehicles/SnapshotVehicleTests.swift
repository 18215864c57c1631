// Vehicles within snapshots: predicted where the feed is silent, moved between fixes, and Caltrain's trains an hour
// on.
import BridgecastCore
import BridgecastTestSupport
import Testing

@testable import BridgecastTransit

@Suite("Vehicles of snapshots")
struct SnapshotVehicleTests {
    private let ground = Ground()

    /// A bus from west to east, 10 m/s, stops at 0, 1200 and 3000 m; noon on 2019-06-23.
    private func made() throws -> (feed: TransitFeed, start: Timestamp) {
        let stops = [(0.0, 0), (1200, 120), (3000, 300)]
        let trip = MadeTrip(
            id: "t", shape: [ground.point(0, 0), ground.point(3000, 0)],
            stops: stops.enumerated().map { order, stop in
                MadeTrip.Stop(
                    id: "s\(order)", point: ground.point(stop.0, 0), arrival: 43_200 + stop.1,
                    departure: 43_200 + stop.1)
            })
        let feed = try MadeFeed.feed([trip])
        let date = try #require(CivilDate(year: 2019, month: 6, day: 23))
        return (feed, feed.zone.serviceDayStart(date).adding(seconds: 43_200))
    }

    private func message(_ metres: Double, at moment: Timestamp) -> RealtimeFeed {
        var report = VehicleReport(at: ground.point(metres, 0))
        var selector = TripSelector()
        (selector.tripID, selector.startDate) = ("t", "20190623")
        report.trip = selector
        report.timestamp = moment
        return RealtimeFeed(
            version: "2.0", timestamp: moment,
            entities: [RealtimeEntity(id: "v", vehicle: report)])
    }

    @Test("a vehicle without a trip update is predicted from where it is, and moves on by that")
    func predicted() throws {
        let (feed, start) = try made()
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        let seenAt = start.adding(seconds: 100)
        state.take(message(400, at: seenAt), of: "vehicles", at: seenAt)
        let snapshot = TransitSnapshot(feed, state, asOf: seenAt, tracker: &tracker)
        let run = try #require(snapshot.vehicles.first?.run)
        let arrivals = snapshot.runs[run]?.stops.compactMap { stop in
            stop.arrival.map { $0.secondsSinceEpoch - start.secondsSinceEpoch }
        }
        // A minute late.
        #expect(arrivals == [60, 180, 360])
        func place(_ seconds: Int64) -> (Double, Bool)? {
            snapshot.moving(0, at: start.adding(seconds: seconds)).map {
                ($0.place.metres.rounded(), $0.isReckoned)
            }
        }
        #expect(place(100).map { $0 == (400, false) } == true)
        #expect(place(130).map { $0 == (700, true) } == true)
        #expect(place(180).map { $0 == (1200, true) } == true)
        #expect(place(200).map { $0 == (1400, true) } == true)
        let moving = try #require(snapshot.moving(0, at: start.adding(seconds: 130)))
        #expect(moving.metresPerSecond.rounded() == 10)
        #expect(moving.place.point.metres(to: ground.point(700, 0)) < 1)
        #expect(moving.place.heading.map { abs($0 - 90) < 0.1 } == true)
    }

    @Test("what was shown farther ahead is waited for, unless it was far too far")
    func notBehind() throws {
        let (feed, start) = try made()
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        let seenAt = start.adding(seconds: 100)
        state.take(message(400, at: seenAt), of: "vehicles", at: seenAt)
        let snapshot = TransitSnapshot(feed, state, asOf: seenAt, tracker: &tracker)
        func metres(shown: Double) -> Double? {
            snapshot.moving(0, at: seenAt.adding(seconds: 5), notBehind: shown)?.place.metres
                .rounded()
        }
        #expect(metres(shown: 430) == 450)
        #expect(metres(shown: 520) == 520)
        #expect(metres(shown: 700) == 450)
        #expect(snapshot.moving(1, at: seenAt) == nil)
    }

    @Test(
        "where Caltrain's trains were 39 minutes after an update, neither it nor the timetable was far off",
        .enabled(if: TransitSamples.areHere))
    func caltrain() throws {
        let feed = try TransitSamples.caltrain.get()
        func message(_ name: String) throws -> RealtimeFeed {
            try RealtimeFeed.read(try TransitSamples.bytes("caltrain/" + name)).feed
        }
        let (updates, vehicles) = (
            try message("tripupdates.pb"), try message("vehiclepositions.pb")
        )
        let before = try #require(updates.timestamp)
        let after = try #require(vehicles.timestamp)
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        state.take(updates, of: "trip_updates", at: before)
        let earlier = TransitSnapshot(feed, state, asOf: before, tracker: &tracker)
        var positions = RealtimeState()
        positions.take(vehicles, of: "vehicles", at: after)
        let later = TransitSnapshot(feed, positions, asOf: after, tracker: &tracker)
        var (theirs, timetable, onTheWay) = (PredictionScore(), PredictionScore(), 0)
        for vehicle in later.vehicles {
            guard let run = vehicle.run, let place = vehicle.place, let seenAt = vehicle.seenAt,
                !place.isOffRoute, let scheduled = feed.scheduledCourse(of: run),
                let predicted = earlier.course(of: run), earlier.runs[run] != nil,
                place.metres > scheduled.geometry.stopMetres[0] + 100,
                place.metres < scheduled.geometry.lastStopMetres - 100
            else { continue }
            onTheWay += 1
            let seen = Double(seenAt.secondsSinceEpoch)
            theirs.add(errorSeconds: seen - predicted.seconds(atMetres: place.metres))
            timetable.add(errorSeconds: seen - scheduled.seconds(atMetres: place.metres))
        }
        // Minutes off, as measured over ten trains: the update 2.6, the timetable 2.5. It knew of little lateness yet.
        #expect(onTheWay >= 8)
        let errors = (
            try #require(theirs.meanAbsoluteSeconds), try #require(timetable.meanAbsoluteSeconds)
        )
        #expect(errors.0 < 180 && errors.1 < 180)
    }
}
