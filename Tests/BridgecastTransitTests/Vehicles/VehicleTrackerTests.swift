// Vehicles of a feed: put on their runs' ways, with arrival times, remembered within bounds.
import BridgecastCore
import Testing

@testable import BridgecastTransit

@Suite("Vehicles of a feed")
struct VehicleTrackerTests {
    private let ground = Ground()

    /// A bus from west to east, 10 m/s, stops at 0, 1200, 3000 and 6000 m; it waits 5 minutes at the third.
    private func made() throws -> (feed: TransitFeed, run: RunKey, start: Timestamp) {
        let stops = [(0.0, 0, 0), (1200, 120, 120), (3000, 300, 600), (6000, 900, 900)]
        let trip = MadeTrip(
            id: "t", shape: [ground.point(0, 0), ground.point(6000, 0)],
            stops: stops.enumerated().map { order, stop in
                MadeTrip.Stop(
                    id: "s\(order)", point: ground.point(stop.0, 0), arrival: 36_000 + stop.1,
                    departure: 36_000 + stop.2)
            })
        let feed = try MadeFeed.feed([trip])
        let trip0 = try #require(feed.trip("t"))
        let date = try #require(CivilDate(year: 2019, month: 6, day: 23))
        return (
            feed, RunKey(trip: trip0, date: date),
            feed.zone.serviceDayStart(date).adding(seconds: 36_000)
        )
    }

    private func report(_ metres: Double, off: Double = 0) -> VehicleReport {
        VehicleReport(at: ground.point(metres, off))
    }

    @Test("a late bus is predicted late, and recovers at scheduled waits")
    func late() throws {
        let (feed, run, start) = try made()
        var tracker = VehicleTracker()
        // 600 m along two minutes after the start: a minute late.
        let seenAt = start.adding(seconds: 120)
        let found = tracker.match(report(600), vehicle: "1", on: run, seenAt: seenAt, in: feed)
        let place = try #require(found)
        #expect(abs(place.metres - 600) < 1)
        let stops = tracker.predictions(for: run, from: place, seenAt: seenAt, in: feed)
        func seconds(_ time: Timestamp?) -> Int64? {
            time.map { $0.secondsSinceEpoch - start.secondsSinceEpoch }
        }
        #expect(stops.map { seconds($0.arrival) } == [60, 180, 360, 900])
        // It is due to leave the third stop at 600, and has time enough to.
        #expect(stops.map { seconds($0.departure) } == [60, 180, 600, 900])
        #expect(stops.allSatisfy { $0.origin == .position })
        #expect(stops[0].spreadSeconds == nil)
        let spreads = stops.dropFirst().compactMap(\.spreadSeconds)
        #expect(spreads.count == 3 && spreads == spreads.sorted())
    }

    @Test("a waiting bus is not late, and one before its start is not early")
    func waiting() throws {
        let (feed, run, _) = try made()
        let geometry = try #require(feed.geometry(of: run.trip))
        func late(_ metres: Double, _ seconds: Double) -> Double {
            feed.lateness(
                of: run.trip, on: geometry, atMetres: metres, seconds: 36_000 + seconds
            ).rounded()
        }
        #expect(late(0, -900) == 0)
        #expect(late(10, 30) == 30)
        #expect(late(3000, 450) == 0)
        #expect(late(2990, 700) == 100)
        #expect(late(3010, 250) == -50)
        #expect(late(4500, 750) == 0)
        #expect(late(4500, 700) == -50)
    }

    @Test("a bus in the yard leaves on time, and nothing is learned from it")
    func yard() throws {
        let (feed, run, start) = try made()
        var tracker = VehicleTracker()
        var last: (place: VehicleLocation, seenAt: Timestamp)?
        for seconds in stride(from: Int64(-1500), to: -60, by: 300) {
            let seenAt = start.adding(seconds: seconds)
            let place = tracker.match(
                report(150), vehicle: "1", on: run, seenAt: seenAt, in: feed)
            last = (try #require(place), seenAt)
        }
        #expect(tracker.scores.own.count == 0)
        let (place, seenAt) = try #require(last)
        #expect(abs(place.metres - 150) < 1)
        let stops = tracker.predictions(for: run, from: place, seenAt: seenAt, in: feed)
        let departures = stops.compactMap { stop in
            stop.departure.map { $0.secondsSinceEpoch - start.secondsSinceEpoch }
        }
        #expect(departures == [0, 120, 600, 900])
        // Under way it is early, and says so.
        let early = tracker.match(
            report(700), vehicle: "1", on: run, seenAt: start.adding(seconds: -60), in: feed)
        let ahead = tracker.predictions(
            for: run, from: try #require(early), seenAt: start.adding(seconds: -60), in: feed)
        #expect(try #require(ahead[1].arrival) < start.adding(seconds: 60))
    }

    @Test("beyond the limit the vehicles seen longest ago are dropped")
    func manyVehicles() throws {
        let (feed, run, start) = try made()
        var tracker = VehicleTracker()
        func see(_ vehicle: Int, _ metres: Double, at second: Int64) -> Double? {
            let time = start.adding(seconds: second)
            return tracker.match(
                report(metres), vehicle: "\(vehicle)", on: run, seenAt: time, in: feed)?
                .metres.rounded()
        }
        for vehicle in 0...VehicleTracker.maxVehicles {
            #expect(see(vehicle, 600, at: Int64(vehicle / 1000)) == 600)
        }
        // Of one that is remembered an older report changes nothing; one that is forgotten begins anew.
        #expect(see(VehicleTracker.maxVehicles, 900, at: -5) == 600)
        #expect(see(0, 900, at: -5) == 900)
    }

    @Test("reports without a location, at 0/0 or off the earth are not matched")
    func nowhere() throws {
        let (feed, run, start) = try made()
        var tracker = VehicleTracker()
        var reports = [VehicleReport(), VehicleReport(), VehicleReport(), VehicleReport()]
        reports[1].latitude = 52
        reports[2].latitude = 0
        reports[2].longitude = 0
        reports[3].latitude = .nan
        reports[3].longitude = 999
        for report in reports {
            let place = tracker.match(report, vehicle: "1", on: run, seenAt: start, in: feed)
            #expect(place == nil)
        }
    }

    @Test("a bus off its route has no predictions")
    func offRoute() throws {
        let (feed, run, start) = try made()
        var tracker = VehicleTracker()
        let found = tracker.match(
            report(600, off: 500), vehicle: "1", on: run, seenAt: start, in: feed)
        let place = try #require(found)
        #expect(place.isOffRoute)
        #expect(tracker.predictions(for: run, from: place, seenAt: start, in: feed).isEmpty)
    }

    @Test("repeated and older reports change nothing")
    func repeated() throws {
        let (feed, run, start) = try made()
        var tracker = VehicleTracker()
        let first = tracker.match(report(600), vehicle: "1", on: run, seenAt: start, in: feed)
        let second = tracker.match(report(600), vehicle: "1", on: run, seenAt: start, in: feed)
        let older = tracker.match(
            report(100), vehicle: "1", on: run, seenAt: start.adding(seconds: -60), in: feed)
        #expect(first == second && first == older && first != nil)
    }

    @Test("the reported stop decides between two passes")
    func namedStop() throws {
        let trip = MadeTrip(
            id: "t", shape: [(0, 0), (3000, 0), (0, 0)].map(ground.point),
            stops: [(0.0, 0), (3000, 400), (0, 800)].enumerated().map { order, stop in
                MadeTrip.Stop(
                    id: "s\(order)", point: ground.point(stop.0, Double(order)),
                    arrival: 36_000 + stop.1, departure: 36_000 + stop.1)
            })
        let feed = try MadeFeed.feed([trip])
        let index = try #require(feed.trip("t"))
        let date = try #require(CivilDate(year: 2019, month: 6, day: 23))
        let run = RunKey(trip: index, date: date)
        var named = report(1000)
        named.stopSequence = 3
        var tracker = VehicleTracker()
        let seenAt = feed.zone.serviceDayStart(date).adding(seconds: 36_130)
        let back = tracker.match(named, vehicle: "1", on: run, seenAt: seenAt, in: feed)
        let out = tracker.match(report(1000), vehicle: "2", on: run, seenAt: seenAt, in: feed)
        #expect(back.map { abs($0.metres - 5000) < 2 } == true)
        #expect(out.map { abs($0.metres - 1000) < 2 } == true)
    }

    @Test("lateness is learned every five minutes, and scored before that")
    func learned() throws {
        let (feed, run, start) = try made()
        var tracker = VehicleTracker()
        for step in 0...60 {
            let seconds = Double(step) * 10
            _ = tracker.match(
                report(seconds * 8), vehicle: "1", on: run,
                seenAt: start.adding(seconds: Int64(seconds)), in: feed)
        }
        // Three times: at once, after 300 and after 600 seconds.
        #expect(tracker.lateness.typical(feed.route(of: run.trip), hour: 10) == nil)
        #expect(tracker.scores.own.count == 3)
        for turn in 0..<5 {
            tracker.learn(
                delaySeconds: 60, of: run, at: start.adding(seconds: Int64(turn) * 10), in: feed)
        }
        #expect(tracker.lateness.typical(feed.route(of: run.trip), hour: 10) == nil)
        tracker.learn(delaySeconds: 60, of: run, at: start.adding(seconds: 400), in: feed)
        #expect(tracker.lateness.typical(feed.route(of: run.trip), hour: 10)?.observations == 5)
    }
}
