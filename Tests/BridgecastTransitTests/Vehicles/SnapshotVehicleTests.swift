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

    @Test(
        "a newer fix does not put a vehicle back behind where it was shown, unless that was far too far",
        arguments: [(690.0, 700.0), (600, 700), (500, 500)])
    func notBehind(metres: Double, then: Double) throws {
        let (feed, start) = try made()
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        let seenAt = start.adding(seconds: 100)
        state.take(message(400, at: seenAt), of: "vehicles", at: seenAt)
        let first = TransitSnapshot(feed, state, asOf: seenAt, tracker: &tracker)
        let next = seenAt.adding(seconds: 30)
        #expect(first.moving(0, at: next)?.place.metres.rounded() == 700)
        state.take(message(metres, at: next), of: "vehicles", at: next)
        let second = TransitSnapshot(feed, state, asOf: next, tracker: &tracker, after: first)
        #expect(second.moving(0, at: next)?.place.metres.rounded() == then)
        // Nothing new, and time goes on.
        let moment = next.adding(seconds: 12)
        let third = TransitSnapshot(feed, state, asOf: moment, tracker: &tracker, after: second)
        let place = try #require(third.moving(0, at: moment)).place.metres.rounded()
        #expect(place == max(then, metres + 120))
        #expect(first.moving(1, at: seenAt) == nil)
    }

    @Test("what a feed says of runs that have not begun is not learned as their lateness")
    func notBegun() throws {
        let (feed, start) = try made()
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        func observed(from seconds: Int64) -> Int? {
            for turn in 0..<6 {
                let moment = start.adding(seconds: seconds + Int64(turn) * 310)
                var update = TripUpdate()
                (update.trip.tripID, update.trip.startDate) = ("t", "20190623")
                (update.delaySeconds, update.timestamp) = (90, moment)
                let entity = RealtimeEntity(id: "u", tripUpdate: update)
                state.take(
                    RealtimeFeed(version: "2.0", timestamp: moment, entities: [entity]),
                    of: "updates", at: moment)
                _ = TransitSnapshot(feed, state, asOf: moment, tracker: &tracker)
            }
            return tracker.lateness.usual(RouteIndex(0), hour: 12)?.observations
        }
        #expect(observed(from: -3600) == nil)
        #expect(observed(from: 100) == 6)
    }

    @Test("a snapshot tells how far off predictions have been, ours and the timetable's")
    func scores() throws {
        let (feed, start) = try made()
        var (state, tracker) = (RealtimeState(), VehicleTracker())
        // A minute late, and five minutes later three and a half.
        for (metres, seconds) in [(400.0, Int64(100)), (2000, 410)] {
            let moment = start.adding(seconds: seconds)
            state.take(message(metres, at: moment), of: "vehicles", at: moment)
            let snapshot = TransitSnapshot(feed, state, asOf: moment, tracker: &tracker)
            guard seconds > 100 else {
                #expect(snapshot.scores.own.count == 0)
                continue
            }
            #expect(snapshot.scores.own.meanSeconds?.rounded() == 150)
            #expect(snapshot.scores.timetable.meanSeconds?.rounded() == 210)
        }
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
                place.metres < scheduled.geometry.lastStopMetres - 100,
                // Trains in the yards by their first stations wait for their time, a quarter of an hour some of them.
                Double(seenAt.secondsSinceEpoch) >= scheduled.departures[0]
            else { continue }
            onTheWay += 1
            let seen = Double(seenAt.secondsSinceEpoch)
            theirs.add(errorSeconds: seen - predicted.seconds(atMetres: place.metres))
            timetable.add(errorSeconds: seen - scheduled.seconds(atMetres: place.metres))
        }
        // Nine trains, each a minute or two late and one four: about a minute and a half off on average, both of them.
        // They are the same because the update has all delays as 0; it knew of no lateness yet.
        #expect(onTheWay == 9)
        let errors = (
            try #require(theirs.meanAbsoluteSeconds), try #require(timetable.meanAbsoluteSeconds)
        )
        #expect(errors.0 < 130 && errors.1 < 130)
    }
}
