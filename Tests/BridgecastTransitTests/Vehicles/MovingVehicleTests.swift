// Dead reckoning, and vehicles of snapshots between their fixes.
import BridgecastCore
import BridgecastTestSupport
import Testing
@testable import BridgecastTransit

@Suite("Dead reckoning")
struct DeadReckoningTests {
    private let ground = Ground()

    private func course(_ arrivals: [Double], _ departures: [Double]) throws -> RunCourse {
        let line = try #require(ShapeLine([(0, 0), (3000, 0)].map(ground.point)))
        let geometry = RunGeometry(line: line, stopMetres: [0, 1000, 3000], isShape: true)
        return RunCourse(geometry: geometry, arrivals: arrivals, departures: departures)
    }

    private func places(
        _ course: RunCourse, from metres: Double, seen: Double, at times: [Double]
    ) -> [Double] {
        times.map {
            DeadReckoning(course: course, maxMetresPerSecond: 32)
                .position(from: metres, seen: seen, at: $0).metres.rounded()
        }
    }

    @Test("it reaches and leaves its next stop when predicted")
    func asPredicted() throws {
        let course = try course([0, 200, 400], [0, 240, 400])
        #expect(
            places(course, from: 500, seen: 100, at: [90, 100, 150, 200, 239, 250, 320, 400, 500])
                == [500, 500, 750, 1000, 1000, 1125, 2000, 3000, 3000])
    }

    @Test("it is never faster than such vehicles can go")
    func bounded() throws {
        let course = try course([0, 110, 400], [0, 110, 400])
        #expect(places(course, from: 500, seen: 100, at: [110]) == [820])
    }

    @Test("behind its times it goes at the speed of the timetable")
    func behind() throws {
        let course = try course([0, 100, 300], [0, 100, 300])
        // Ten metres a second, from where it was seen though it should long be at the stop.
        #expect(places(course, from: 500, seen: 150, at: [170, 200, 250]) == [700, 1000, 1500])
    }

    @Test("at a stop it waits for its departure")
    func waiting() throws {
        let course = try course([0, 100, 300], [0, 180, 300])
        #expect(places(course, from: 1005, seen: 120, at: [150, 180, 240]) == [1005, 1005, 2003])
    }

    @Test(
        "in the yard before its trip it waits for the departure"
    )
    func yard() throws {
        let course = try course([600, 700, 900], [600, 700, 900])
        #expect(places(course, from: 200, seen: 500, at: [550, 600, 650]) == [200, 200, 600])
        let early = places(course, from: 400, seen: 500, at: [550, 600])
        #expect(early == [550, 700])
    }

    @Test("five minutes after the fix it stops")
    func bounded5Minutes() throws {
        let course = try course([0, 1000, 3000], [0, 1000, 3000])
        let far = places(course, from: 100, seen: 100, at: [400, 401, 900, 1e9])
        #expect(far == [400, 400, 400, 400])
        #expect(
            DeadReckoning(course: course, maxMetresPerSecond: 32)
                .position(from: 100, seen: 100, at: 900).metresPerSecond == 0)
    }

    @Test("it never goes back, too fast, or past a stop before its prediction")
    func never() throws {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let a = Double.random(in: 0...400, using: &random)
            let b = a + .random(in: 0...100, using: &random)
            let c = b + .random(in: 0...400, using: &random)
            let course = try course([0, a, c], [0, b, c])
            let start = Double.random(in: 0...3000, using: &random)
            let seen = Double.random(in: 0...500, using: &random)
            var before = start
            for time in stride(from: seen, to: seen + 320, by: 7) {
                let place = DeadReckoning(course: course, maxMetresPerSecond: 32)
                    .position(from: start, seen: seen, at: time).metres
                #expect(place >= before && place <= before + 7 * 32 + 0.001)
                for (stop, arrival) in zip(course.geometry.stopMetres, course.arrivals)
                where stop > start + 1 && arrival > time {
                    #expect(place <= stop + 0.001)
                }
                before = place
            }
        }
    }
}

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

    private func message(_ metres: Double, at time: Timestamp) -> RealtimeFeed {
        var report = VehicleReport(at: ground.point(metres, 0))
        var selector = TripSelector()
        selector.tripID = "t"
        selector.startDate = "20190623"
        report.trip = selector
        report.timestamp = time
        return RealtimeFeed(
            version: "2.0", timestamp: time,
            entities: [RealtimeEntity(id: "v", vehicle: report)])
    }

    @Test("a vehicle without a trip update is predicted from its position")
    func predicted() throws {
        let (feed, start) = try made()
        var state = RealtimeState()
        var tracker = VehicleTracker()
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
        "a newer fix does not move a vehicle back, unless it is far behind",
        arguments: [(690.0, 700.0), (600, 700), (500, 500)])
    func noStepBack(metres: Double, then: Double) throws {
        let (feed, start) = try made()
        var state = RealtimeState()
        var tracker = VehicleTracker()
        let seenAt = start.adding(seconds: 100)
        state.take(message(400, at: seenAt), of: "vehicles", at: seenAt)
        let first = TransitSnapshot(feed, state, asOf: seenAt, tracker: &tracker)
        let next = seenAt.adding(seconds: 30)
        #expect(first.moving(0, at: next)?.place.metres.rounded() == 700)
        state.take(message(metres, at: next), of: "vehicles", at: next)
        let second = TransitSnapshot(feed, state, asOf: next, tracker: &tracker, after: first)
        #expect(second.moving(0, at: next)?.place.metres.rounded() == then)
        // Nothing new, and time goes on.
        let time = next.adding(seconds: 12)
        let third = TransitSnapshot(feed, state, asOf: time, tracker: &tracker, after: second)
        let place = try #require(third.moving(0, at: time)).place.metres.rounded()
        #expect(place == max(then, metres + 120))
        #expect(first.moving(1, at: seenAt) == nil)
    }

    private func update(late seconds: Int, at time: Timestamp) -> RealtimeFeed {
        var update = TripUpdate()
        update.trip.tripID = "t"
        update.trip.startDate = "20190623"
        update.delaySeconds = seconds
        update.timestamp = time
        return RealtimeFeed(
            version: "2.0", timestamp: time,
            entities: [RealtimeEntity(id: "u", tripUpdate: update)])
    }

    @Test("newer predictions do not move a vehicle back")
    func slowerPredictions() throws {
        let (feed, start) = try made()
        var state = RealtimeState()
        var tracker = VehicleTracker()
        let seenAt = start.adding(seconds: 40)
        state.take(message(400, at: seenAt), of: "vehicles", at: seenAt)
        state.take(update(late: 0, at: seenAt), of: "updates", at: seenAt)
        let first = TransitSnapshot(feed, state, asOf: seenAt, tracker: &tracker)
        let time = seenAt.adding(seconds: 40)
        let shown = try #require(first.moving(0, at: time)).place.metres
        #expect(shown.rounded() == 800)
        // By these it would be 240 m from its fix now, and not 400.
        state.take(update(late: 60, at: time), of: "updates", at: time)
        let alone = TransitSnapshot(feed, state, asOf: time, tracker: &tracker)
        let second = TransitSnapshot(feed, state, asOf: time, tracker: &tracker, after: first)
        #expect(try #require(alone.moving(0, at: time)).place.metres < shown - 100)
        #expect(try #require(second.moving(0, at: time)).place.metres == shown)
        let later = time.adding(seconds: 90)
        #expect(try #require(second.moving(0, at: later)).place.metres > shown)
    }

    @Test("a vehicle whose fixes are late goes back only if it is far behind")
    func lateFixes() throws {
        let (feed, start) = try made()
        var random = SeededGenerator(seed: 3)
        for _ in 0..<40 {
            var state = RealtimeState()
            var tracker = VehicleTracker()
            var last: TransitSnapshot?
            var metres = 50.0
            for step in Int64(1)...8 {
                // Each fix is 25 s old when it is heard of.
                let seenAt = start.adding(seconds: step * 30)
                let now = seenAt.adding(seconds: 25)
                metres += .random(in: 0...500, using: &random)
                state.take(message(min(metres, 2900), at: seenAt), of: "vehicles", at: now)
                if step.isMultiple(of: 2) {
                    let late = Int.random(in: -20...150, using: &random)
                    state.take(update(late: late, at: now), of: "updates", at: now)
                }
                let alone = TransitSnapshot(feed, state, asOf: now, tracker: &tracker)
                let next = TransitSnapshot(feed, state, asOf: now, tracker: &tracker, after: last)
                let place = try #require(next.moving(0, at: now)).place.metres
                if let shown = last?.moving(0, at: now)?.place.metres, place < shown {
                    let own = try #require(alone.moving(0, at: now)).place.metres
                    #expect(place == own && shown - own > 150)
                }
                last = next
            }
        }
    }

    @Test(
        "a vehicle that does not move though it should is held up, which its predictions suffer from",
        arguments: [
            // Metres of the fixes, seconds of the first, seconds of the last, and what comes of it.
            (600.0, Int64(60), Int64(180), DepartureConfidence.medium), (600, 60, 170, .high),
            // At its first stop before its trip begins, and at a stop until its departure.
            (0, -200, -10, .high), (1195, 90, 240, .high), (1195, 90, 250, .medium),
        ])
    func held(
        metres: Double, from first: Int64, to last: Int64, confidence: DepartureConfidence
    ) throws {
        let (feed, start) = try made()
        var state = RealtimeState()
        var tracker = VehicleTracker()
        var snapshot: TransitSnapshot?
        for second in stride(from: first, through: last, by: 10) {
            let now = start.adding(seconds: second)
            // Fixes of a vehicle that does not move are some metres off.
            state.take(
                message(metres + (second.isMultiple(of: 20) ? 5 : 0), at: now), of: "vehicles",
                at: now)
            state.take(update(late: 120, at: now), of: "updates", at: now)
            snapshot = TransitSnapshot(feed, state, asOf: now, tracker: &tracker, after: snapshot)
        }
        let shown = try #require(snapshot)
        let run = try #require(shown.vehicles.first?.run)
        #expect(shown.stops(of: run).last?.confidence == confidence)
    }

    @Test("delays of runs that have not begun are not learned")
    func notBegun() throws {
        let (feed, start) = try made()
        var state = RealtimeState()
        var tracker = VehicleTracker()
        func observed(from seconds: Int64) -> Int? {
            for turn in 0..<6 {
                let time = start.adding(seconds: seconds + Int64(turn) * 310)
                var update = TripUpdate()
                update.trip.tripID = "t"
                update.trip.startDate = "20190623"
                update.delaySeconds = 90
                update.timestamp = time
                let entity = RealtimeEntity(id: "u", tripUpdate: update)
                state.take(
                    RealtimeFeed(version: "2.0", timestamp: time, entities: [entity]),
                    of: "updates", at: time)
                _ = TransitSnapshot(feed, state, asOf: time, tracker: &tracker)
            }
            return tracker.lateness.typical(RouteIndex(0), hour: 12)?.observations
        }
        #expect(observed(from: -3600) == nil)
        #expect(observed(from: 100) == 6)
    }

    @Test("a snapshot has the errors of our predictions and of the timetable")
    func scores() throws {
        let (feed, start) = try made()
        var state = RealtimeState()
        var tracker = VehicleTracker()
        // A minute late, and five minutes later three and a half.
        for (metres, seconds) in [(400.0, Int64(100)), (2000, 410)] {
            let time = start.adding(seconds: seconds)
            state.take(message(metres, at: time), of: "vehicles", at: time)
            let snapshot = TransitSnapshot(feed, state, asOf: time, tracker: &tracker)
            guard seconds > 100 else {
                #expect(snapshot.scores.own.count == 0)
                continue
            }
            #expect(snapshot.scores.own.meanSeconds?.rounded() == 150)
            #expect(snapshot.scores.timetable.meanSeconds?.rounded() == 210)
        }
    }

    @Test(
        "Caltrain's trains 39 minutes after an update are near their predictions")
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
        var state = RealtimeState()
        var tracker = VehicleTracker()
        state.take(updates, of: "trip_updates", at: before)
        let earlier = TransitSnapshot(feed, state, asOf: before, tracker: &tracker)
        var positions = RealtimeState()
        positions.take(vehicles, of: "vehicles", at: after)
        let later = TransitSnapshot(feed, positions, asOf: after, tracker: &tracker)
        var theirs = PredictionScore()
        var timetable = PredictionScore()
        var onTheWay = 0
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
