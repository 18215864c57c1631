// Bridges on the way of Sound Transit's buses in the winter of 2017-18, whose openings are on record.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Testing

@Suite(.enabled(if: TransitSamples.areHere))
struct BridgesAheadTests {
    /// Crossing times of trips, interpolated by distance between stop times with pandas over the raw files.
    @Test(
        "A bus comes to the bridge when its timetable says, between the stops around it",
        arguments: [
            ("35025232", "2017-11-29T14:56:04"), ("35025189", "2017-11-29T15:05:53"),
            ("35025616", "2017-11-29T15:08:08"), ("35024931", "2017-11-29T15:09:15"),
            ("35025612", "2017-11-29T15:23:48"),
        ])
    func scheduledCrossing(trip: String, time: String) throws {
        let day = try SoundTransitDay("2017-11-29T14:40")
        let run = try #require(day.run(trip))
        let ahead = day.ahead(of: run, in: day.timetable)
        let bridge = try #require(ahead.first)
        #expect(ahead.map(\.bridge) == [.montlake])
        let expected = Fixtures.moment(time).secondsSinceEpoch
        // The files measure in feet along the ground, we in metres along the points: some metres apart.
        #expect(abs(bridge.arrival.secondsSinceEpoch - expected) <= 3)
        let course = try #require(day.timetable.course(of: run))
        let arrival = Double(bridge.arrival.secondsSinceEpoch)
        #expect(course.departures[bridge.afterStop] <= arrival)
        #expect(arrival <= course.arrivals[bridge.afterStop + 1])
        #expect(bridge.delay == SoundTransitDay.someDelay)
        #expect(!bridge.reasons.isEmpty)
        #expect(!bridge.waitsNow && bridge.waitedSeconds == 0)
        #expect(bridge.evidence == .timetable)
    }

    @Test("Without a vehicle a bridge lies behind the bus once its time and the queue are past")
    func crossedByTime() throws {
        // It comes to the bridge at 15:05:53; the bridge came down at 15:05:14.
        let before = try SoundTransitDay("2017-11-29T15:05:40")
        let after = try SoundTransitDay("2017-11-29T15:12")
        let run = try #require(before.run("35025189"))
        #expect(before.ahead(of: run, in: before.timetable).count == 1)
        #expect(after.ahead(of: run, in: after.timetable).isEmpty)
    }

    @Test("Where the vehicle was seen tells what lies behind it, whatever its times say")
    func crossedByPlace() throws {
        // By its timetable it crosses at 15:05:53.
        let early = try SoundTransitDay("2017-11-29T15:02")
        let run = try #require(early.run("35025189"))
        let bridge = try #require(early.crossings.of(run.trip, in: early.feed).first)
        let over = try #require(early.vehicle(of: run, metres: bridge.metres + 120))
        #expect(early.ahead(of: run, in: early.snapshot([over])).isEmpty)

        let late = try SoundTransitDay("2017-11-29T15:10")
        let yet = try #require(late.vehicle(of: run, metres: bridge.metres - 900))
        let ahead = late.ahead(of: run, in: late.snapshot([yet]))
        #expect(ahead.count == 1)
        // It has 900 m to go.
        #expect(try #require(ahead.first).arrival > late.now)
        #expect(try #require(ahead.first).arrival < late.now.adding(minutes: 10))
    }

    @Test("A vehicle seen long ago does not keep a bridge before a bus whose time is past")
    func staleVehicle() throws {
        let day = try SoundTransitDay("2017-11-29T15:30")
        let run = try #require(day.run("35025189"))
        let bridge = try #require(day.crossings.of(run.trip, in: day.feed).first)
        func snapshot(secondsAgo: Int64) throws -> TransitSnapshot {
            day.snapshot([
                try #require(
                    day.vehicle(of: run, metres: bridge.metres - 900, secondsAgo: secondsAgo))
            ])
        }
        // By what was predicted from the old fix it crossed at about 15:08.
        let old = try snapshot(secondsAgo: 1500)
        #expect(try #require(old.course(of: run)).time(atMetres: bridge.metres) < day.now)
        #expect(day.ahead(of: run, in: old).isEmpty)
        #expect(day.ahead(of: run, in: try snapshot(secondsAgo: 20)).count == 1)
    }

    @Test("Beyond the forecasts a bridge is named without a delay")
    func beyondForecast() throws {
        let day = try SoundTransitDay("2017-11-29T14:00", reachMinutes: 30)
        let run = try #require(day.run("35025189"))
        let ahead = try #require(day.ahead(of: run, in: day.timetable).first)
        #expect(ahead.delay == nil)
        #expect(ahead.reasons.isEmpty)
        #expect(ahead.text(at: day.now) == "Montlake Bridge at 15:05: no forecast so far ahead")
        #expect([ahead].outlook(atStop: 30) == nil)
    }

    @Test("Trips over no bridge, on rails and cancelled ones have none ahead")
    func noBridges() throws {
        let day = try SoundTransitDay("2017-11-29T15:00")
        var asked = 0
        for row in 0..<day.feed.trips.count {
            let trip = TripIndex(row)
            guard
                ["545", "Link", "First Hill Streetcar"].contains(
                    day.feed[day.feed[trip].route].title)
            else { continue }
            let run = RunKey(trip: trip, date: SeattleTime.civil(at: day.now).date)
            #expect(day.ahead(of: run, in: day.timetable).isEmpty)
            asked += 1
        }
        #expect(asked > 500)
        let run = try #require(day.run("35025189"))
        var update = TripUpdate()
        update.trip.tripID = "35025189"
        update.trip.startDate = "20171129"
        update.trip.relationship = .cancelled
        let snapshot = day.snapshot([RealtimeEntity(id: "gone", tripUpdate: update)])
        #expect(snapshot.runs[run]?.relationship == .cancelled)
        #expect(day.ahead(of: run, in: snapshot).isEmpty)
    }

    @Test("A predicted lateness moves the time at the bridge")
    func predictedCrossing() throws {
        let day = try SoundTransitDay("2017-11-29T14:50")
        let run = try #require(day.run("35025189"))
        let scheduled = try #require(day.ahead(of: run, in: day.timetable).first)
        var update = TripUpdate()
        update.trip.tripID = "35025189"
        update.trip.startDate = "20171129"
        var stop = StopTimeUpdate()
        stop.sequence = Int(
            day.feed.stopTimes.sequences[day.feed.stopTimes.rows(of: run.trip)][
                day.feed.stopTimes.rows(of: run.trip).lowerBound])
        stop.departure = StopTimeEvent(delaySeconds: 420)
        update.stops = [stop]
        let snapshot = day.snapshot([RealtimeEntity(id: "late", tripUpdate: update)])
        let late = try #require(day.ahead(of: run, in: snapshot).first)
        #expect(late.arrival == scheduled.arrival.adding(seconds: 420))
        #expect(late.evidence == .prediction)
    }
}
