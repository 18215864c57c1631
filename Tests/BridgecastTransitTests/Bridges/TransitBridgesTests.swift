// The drawbridges ahead of buses of a recorded day: positions, raised bridges, queues, and
// boards that keep held buses.
import BridgecastCore
import BridgecastTestSupport
import Testing
@testable import BridgecastTransit

struct BridgesAheadTests {
    /// Crossing times of trips, interpolated by distance between stop times with pandas over the raw files.
    @Test(
        "A bus reaches the bridge by its timetable, between the stops around it",
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
        let expected = Fixtures.timestamp(time).secondsSinceEpoch
        // The files measure in feet along the ground, we in metres along the points: some metres apart.
        #expect(abs(bridge.arrival.secondsSinceEpoch - expected) <= 3)
        let course = try #require(day.timetable.course(of: run))
        let arrival = Double(bridge.arrival.secondsSinceEpoch)
        #expect(course.departures[bridge.afterStop] <= arrival)
        #expect(arrival <= course.arrivals[bridge.afterStop + 1])
        #expect(bridge.delay == SoundTransitDay.someDelay)
        #expect(!bridge.reasons.isEmpty)
        #expect(!bridge.isWaiting && bridge.waitedSeconds == 0)
        #expect(bridge.evidence == .timetable)
    }

    @Test("Without a vehicle a bridge is crossed once its time and the queue are past")
    func crossedByTime() throws {
        // It reaches the bridge at 15:05:53; the bridge came down at 15:05:14.
        let before = try SoundTransitDay("2017-11-29T15:05:40")
        let after = try SoundTransitDay("2017-11-29T15:12")
        let run = try #require(before.run("35025189"))
        #expect(before.ahead(of: run, in: before.timetable).count == 1)
        #expect(after.ahead(of: run, in: after.timetable).isEmpty)
    }

    @Test("The vehicle's position shows what is behind it, whatever its times are")
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

    @Test("An old position does not keep a bridge ahead of a bus whose time is past")
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

    @Test("Beyond the forecast a bridge has no delay")
    func beyondForecast() throws {
        let day = try SoundTransitDay("2017-11-29T14:00", reachMinutes: 30)
        let run = try #require(day.run("35025189"))
        let ahead = try #require(day.ahead(of: run, in: day.timetable).first)
        #expect(ahead.delay == nil)
        #expect(ahead.reasons.isEmpty)
        #expect(ahead.text(at: day.now) == "Montlake Bridge at 15:05: no forecast so far ahead")
        #expect([ahead].outlook(atStop: 30) == nil)
    }

    @Test("A cancelled trip has no bridge ahead")
    func cancelled() throws {
        let day = try SoundTransitDay("2017-11-29T15:00")
        let run = try #require(day.run("35025189"))
        var update = TripUpdate()
        update.trip.tripID = "35025189"
        update.trip.startDate = "20171129"
        update.trip.relationship = .cancelled
        let snapshot = day.snapshot([RealtimeEntity(id: "gone", tripUpdate: update)])
        #expect(snapshot.runs[run]?.relationship == .cancelled)
        #expect(day.ahead(of: run, in: snapshot).isEmpty)
    }

    @Test("A predicted delay moves the arrival at the bridge")
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

struct RaisedBridgeTests {
    @Test(
        "On 4 January 2018 three buses waited at Montlake Bridge")
    func threeBusesWaited() throws {
        let day = try SoundTransitDay("2018-01-04T15:09:00")
        for trip in ["35025189", "35025616", "35024931"] {
            let run = try #require(day.run(trip))
            let bridge = try #require(day.ahead(of: run, in: day.timetable).first, "\(trip)")
            #expect(bridge.isWaiting)
            #expect(bridge.arrival == day.now)
            #expect(bridge.raisedSince == Fixtures.timestamp("2018-01-04T15:05:50"))
            // They have not been seen there.
            #expect(bridge.evidence == .timetable)
            #expect(
                bridge.text(at: day.now)
                    == "should be waiting at Montlake Bridge now (raised 3 min ago); about 3 more minutes"
            )
        }
        // 542 crosses at 15:13:53, when the bridge was down again, and gets what the forecast says.
        let later = try #require(day.run("35024846"))
        let next = try #require(day.ahead(of: later, in: day.timetable).first)
        #expect(!next.isWaiting)
        #expect(
            next.text(at: day.now)
                == "Montlake Bridge at 15:13: 8 in 100 to be stopped; if so about 3 min")
        // A bus that had crossed before the bridge went up is gone.
        let gone = try #require(day.run("35024845"))
        #expect(day.ahead(of: gone, in: day.timetable).isEmpty)
        // Before they came no run waited, and after the queue has gone none does.
        for time in ["2018-01-04T15:04", "2018-01-04T15:20"] {
            let other = try SoundTransitDay(time)
            let run = try #require(other.run("35024931"))
            #expect(!other.ahead(of: run, in: other.timetable).contains { $0.isWaiting })
        }
    }

    @Test("A bus seen in the queue of a raised bridge waits, whatever its times are")
    func waitsInQueue() throws {
        let day = try SoundTransitDay("2018-01-04T15:07")
        // By its timetable it comes at 15:13:53.
        let run = try #require(day.run("35024846"))
        let bridge = try #require(day.crossings.of(run.trip, in: day.feed).first)
        let near = try #require(day.vehicle(of: run, metres: bridge.metres - 150))
        let ahead = try #require(day.ahead(of: run, in: day.snapshot([near])).first)
        #expect(ahead.isWaiting && ahead.evidence == .vehicle)
        #expect(
            ahead.text(at: day.now).hasPrefix("waiting at Montlake Bridge (raised 1 min ago); "))
        let far = try #require(day.vehicle(of: run, metres: bridge.metres - 4000))
        #expect(day.ahead(of: run, in: day.snapshot([far])).first?.isWaiting == false)
    }

    @Test("The state of a bridge does not apply at another time")
    func statesAreOfNow() throws {
        let day = try SoundTransitDay("2018-01-04T15:07")
        let run = try #require(day.run("35024931"))
        let later = day.now.adding(seconds: 130)
        let ahead = day.bridges.ahead(of: run, in: day.timetable, at: later)
        #expect(ahead.count <= 1)
        #expect(!ahead.contains { $0.isWaiting || $0.raisedSince != nil })
    }

    /// A word of the feed that a run is on time, from its first stop on.
    private func onTime(_ run: RunKey, _ day: SoundTransitDay, madeAt: String) -> RealtimeEntity {
        var update = TripUpdate()
        update.trip.tripID = day.feed[run.trip].id
        update.trip.startDate = "\(run.date)".filter { $0 != "-" }
        update.timestamp = Fixtures.timestamp(madeAt)
        update.delaySeconds = 0
        return RealtimeEntity(id: "on time", tripUpdate: update)
    }

    @Test("A position counts more than a prediction older than the raising")
    func seenElsewhere() throws {
        // By its timetable it crosses at 15:05:53; the bridge goes up at 15:05:50.
        let day = try SoundTransitDay("2018-01-04T15:06:30")
        let run = try #require(day.run("35025189"))
        let bridge = try #require(day.crossings.of(run.trip, in: day.feed).first)
        let word = onTime(run, day, madeAt: "2018-01-04T15:00")
        let unseen = try #require(day.ahead(of: run, in: day.snapshot([word])).first)
        #expect(unseen.isWaiting && unseen.evidence == .prediction)
        #expect(
            unseen.text(at: day.now).hasPrefix("predicted to be waiting at Montlake Bridge now ("))
        // Seen a kilometre and a half before it, it is not in the queue yet.
        let far = try #require(day.vehicle(of: run, metres: bridge.metres - 1500))
        let late = try #require(day.ahead(of: run, in: day.snapshot([word, far])).first)
        #expect(!late.isWaiting)
        #expect(late.arrival > day.now.adding(minutes: 2))
        let near = try #require(day.vehicle(of: run, metres: bridge.metres - 100))
        let queued = try #require(day.ahead(of: run, in: day.snapshot([word, near])).first)
        #expect(queued.isWaiting && queued.evidence == .vehicle)
    }

    @Test("Time waited counts once, unless predicted times include it")
    func waitedAlready() throws {
        let day = try SoundTransitDay("2018-01-04T15:09:00")
        let run = try #require(day.run("35025189"))
        let ahead = day.ahead(of: run, in: day.timetable)
        let bridge = try #require(ahead.first)
        // It came at 15:05:53.
        #expect(abs(bridge.waitedSeconds - 187) <= 3)
        let outlook = try #require(ahead.outlook(atStop: bridge.afterStop + 1))
        let alone = SoundTransitDay.someDelay
        #expect(abs(outlook.meanSeconds - bridge.waitedSeconds - alone.expectedSeconds) < 0.01)
        #expect(outlook.p50Seconds == bridge.waitedSeconds)
        #expect(outlook.probabilityDelayed == 1 && outlook.probabilityOver3Minutes == 1)
        #expect(ahead.outlook(atStop: bridge.afterStop) == nil)
        // Predicted from its position, its times at later stops have the wait in them.
        let seen = try #require(day.vehicle(of: run, metres: bridge.metres - 50, secondsAgo: 5))
        let predicted = day.ahead(of: run, in: day.snapshot([seen]))
        #expect(try #require(predicted.first).isWaiting)
        #expect(try #require(predicted.first).waitedSeconds < 15)
        let added = try #require(predicted.outlook(atStop: bridge.afterStop + 1))
        #expect(added.meanSeconds < alone.expectedSeconds + 15)
    }
}

struct HeldBusTests {
    private static let lowered = Fixtures.timestamp("2018-01-04T15:10:56")
    /// By the timetable they reach the bridge while it is up.
    private static let trips = ["35025189", "35025616", "35024931"]

    /// When a run reaches the bridge by its timetable, and what the opening then costs it, seconds.
    private func crossing(
        _ run: RunKey, _ day: SoundTransitDay
    ) throws -> (joined: Timestamp, delaySeconds: Double, afterStop: Int) {
        let bridge = try #require(day.crossings.of(run.trip, in: day.feed).first)
        let course = try #require(day.timetable.course(of: run))
        let joined = course.time(atMetres: bridge.metres)
        let delay = Fixtures.shippedHistory.delaySeconds(
            arrivingAt: joined, of: .montlake,
            density: TrafficDensity().density(of: .montlake, at: joined))
        return (
            joined, delay, try #require(course.geometry.lastStop(atMetres: bridge.metres))
        )
    }

    @Test("After lowering the rest of the queue remains, and the total delay stays")
    func restOfTheQueue() throws {
        var asked = 0
        for second in stride(from: 5.0, through: 600, by: 35) {
            let now = Self.lowered.adding(seconds: Int64(second))
            let day = try SoundTransitDay(TimeText.rfc3339(now))
            for trip in Self.trips {
                let run = try #require(day.run(trip))
                let (joined, delay, afterStop) = try crossing(run, day)
                let waited = Double(now.secondsSinceEpoch - joined.secondsSinceEpoch)
                let ahead = day.ahead(of: run, in: day.timetable)
                guard delay > waited + 2 else {
                    #expect(ahead.isEmpty || delay > waited - 2, "\(trip) \(second)")
                    continue
                }
                let bridge = try #require(ahead.first, "\(trip) \(second)")
                #expect(bridge.isWaiting && bridge.raisedSince == nil)
                #expect(bridge.loweredAt == Self.lowered)
                #expect(bridge.evidence == .timetable)
                #expect(bridge.arrival == now)
                guard delay - waited >= 32 else { continue }
                asked += 1
                let left = try #require(bridge.delay)
                #expect(abs(left.expectedSeconds - (delay - waited)) < 2)
                // What it has waited and what is left are the delay that the opening costs it.
                let outlook = try #require(ahead.outlook(atStop: afterStop + 1))
                #expect(abs(outlook.meanSeconds - delay) < 2)
                #expect(outlook.probabilityDelayed == 1)
            }
        }
        #expect(asked >= 3)
    }

    @Test(
        "The text of a bus in the queue has its evidence and the lowering"
    )
    func text() throws {
        let day = try SoundTransitDay("2018-01-04T15:12:00")
        let run = try #require(day.run("35024931"))
        let unseen = try #require(day.ahead(of: run, in: day.timetable).first)
        #expect(
            unseen.text(at: day.now).hasPrefix(
                "should be waiting at Montlake Bridge now (lowered 1 min ago); "))
        let bridge = try #require(day.crossings.of(run.trip, in: day.feed).first)
        let near = try #require(day.vehicle(of: run, metres: bridge.metres - 150))
        let queued = try #require(day.ahead(of: run, in: day.snapshot([near])).first)
        #expect(queued.evidence == .vehicle && queued.loweredAt == Self.lowered)
        #expect(
            queued.text(at: day.now).hasPrefix(
                "waiting in the queue at Montlake Bridge (lowered 1 min ago); "))
        // Seen elsewhere, it is not in the queue, and over the bridge it has none before it.
        let far = try #require(day.vehicle(of: run, metres: bridge.metres - 3000))
        #expect(day.ahead(of: run, in: day.snapshot([far])).first?.loweredAt == nil)
        let over = try #require(day.vehicle(of: run, metres: bridge.metres + 150))
        #expect(day.ahead(of: run, in: day.snapshot([over])).isEmpty)
    }

    @Test(
        "A board keeps a bus whose time is past while a bridge holds it")
    func boardKeepsHeldBuses() throws {
        let begin = Fixtures.timestamp("2018-01-04T15:06:10")
        var kept = 0
        for step in 0..<24 {
            let now = begin.adding(seconds: Int64(step) * 35)
            let day = try SoundTransitDay(TimeText.rfc3339(now))
            var query = BoardQuery()
            query.includesArrivals = true
            for trip in Self.trips {
                let run = try #require(day.run(trip))
                let (joined, delay, afterStop) = try crossing(run, day)
                let stopAfter = day.timetable.stops(of: run)[afterStop + 1]
                let due = try #require(stopAfter.expected)
                guard due < now else { continue }
                let over = joined.adding(seconds: Int64(delay))
                let board = day.timetable.board(
                    of: stopAfter.stop, at: now, query, holding: day.bridges)
                let line = board.departures.first { $0.run == run }
                if now < over.adding(seconds: -2) {
                    // Up, it is not known how long; down, the queue decides.
                    let line = try #require(line, "\(trip) \(now)")
                    #expect(line.status == .scheduled && line.expected == due)
                    kept += 1
                } else if now > max(over, Self.lowered).adding(seconds: 2) {
                    #expect(line == nil, "\(trip) \(now)")
                }
                // Without bridges the timetable applies; nor is the bus held at the stop before the bridge.
                let plain = day.timetable.board(of: stopAfter.stop, at: now, query)
                #expect(!plain.departures.contains { $0.run == run })
                let before = day.timetable.stops(of: run)[afterStop]
                let there = day.timetable.board(
                    of: before.stop, at: now, query, holding: day.bridges)
                #expect(!there.departures.contains { $0.run == run })
            }
        }
        #expect(kept > 5)
    }

    @Test(
        "Without raised bridges and queues no held bus is looked for"
    )
    func quiet() throws {
        for time in ["2018-01-04T08:30", "2018-01-04T16:30"] {
            let day = try SoundTransitDay(time)
            #expect(day.bridges.earliestHeld(at: day.now.secondsSinceEpoch) == nil)
        }
        let day = try SoundTransitDay("2018-01-04T15:09")
        #expect(
            day.bridges.earliestHeld(at: day.now.secondsSinceEpoch)
                == Fixtures.timestamp("2018-01-04T15:05:50").secondsSinceEpoch)
        // The state of a bridge does not apply at another time, before or long after.
        #expect(day.bridges.earliestHeld(at: day.now.secondsSinceEpoch - 130) == nil)
        #expect(day.bridges.earliestHeld(at: day.now.secondsSinceEpoch + 3600) == nil)
    }

    @Test("A board drops a bus that a bridge has held for more than an hour")
    func heldForHours() throws {
        let day = try SoundTransitDay("2018-01-04T15:09")
        var situation = Situation.unknown(at: day.now)
        situation[.montlake].state = .raised(since: day.now.adding(minutes: -300))
        let table = try ForecastTable(
            issueTime: day.now, leadsMinutes: [0, 120], modes: [.car]
        ) { _, _, _ in SoundTransitDay.someDelay }
        let bridges = TransitBridges(
            day.crossings,
            BridgeKnowledge(table, situation: situation, climatology: RandomModel.climatology))
        let stop = try #require(day.feed.stop("25243"))
        let departures = day.timetable.board(of: stop, at: day.now, holding: bridges).departures
        let held = departures.compactMap(\.expected).filter { $0 < day.now }
        #expect(held.count >= 4)
        #expect(held.allSatisfy { $0 >= day.now.adding(minutes: -60) })
    }

    @Test(
        "A predicted bus is kept as well; one seen beyond the bridge is not")
    func predictedBuses() throws {
        let day = try SoundTransitDay("2018-01-04T15:10:30")
        let run = try #require(day.run("35025189"))
        let (_, _, afterStop) = try crossing(run, day)
        let stopAfter = day.timetable.stops(of: run)[afterStop + 1]
        #expect(try #require(stopAfter.expected) < day.now)
        var update = TripUpdate()
        update.trip.tripID = "35025189"
        update.trip.startDate = "20180104"
        update.timestamp = Fixtures.timestamp("2018-01-04T15:00")
        update.delaySeconds = 0
        let word = RealtimeEntity(id: "on time", tripUpdate: update)
        func isKept(_ entities: [RealtimeEntity]) -> Bool {
            day.snapshot(entities).board(of: stopAfter.stop, at: day.now, holding: day.bridges)
                .departures.contains { $0.run == run }
        }
        #expect(isKept([word]))
        let bridge = try #require(day.crossings.of(run.trip, in: day.feed).first)
        let over = try #require(
            day.vehicle(of: run, metres: bridge.metres + 100, secondsAgo: 200))
        #expect(!isKept([word, over]))
        update.trip.relationship = .cancelled
        #expect(!isKept([RealtimeEntity(id: "gone", tripUpdate: update)]))
    }

    @Test("A prediction made after lowering, with the bus over the bridge, is believed")
    func newerPrediction() throws {
        let day = try SoundTransitDay("2018-01-04T15:12:30")
        let run = try #require(day.run("35024931"))
        let (joined, _, _) = try crossing(run, day)
        /// So late that it is over the bridge at 15:11:30.
        func ahead(madeAt: String) throws -> [BridgeAhead] {
            let late = Fixtures.timestamp("2018-01-04T15:11:30").secondsSinceEpoch
            var update = TripUpdate()
            update.trip.tripID = "35024931"
            update.trip.startDate = "20180104"
            update.timestamp = Fixtures.timestamp(madeAt)
            var stop = StopTimeUpdate()
            let rows = day.feed.stopTimes.rows(of: run.trip)
            stop.sequence = Int(day.feed.stopTimes.sequences[rows.lowerBound])
            stop.departure = StopTimeEvent(delaySeconds: Int(late - joined.secondsSinceEpoch))
            update.stops = [stop]
            return day.ahead(
                of: run, in: day.snapshot([RealtimeEntity(id: "late", tripUpdate: update)]))
        }
        #expect(try ahead(madeAt: "2018-01-04T15:08").first?.loweredAt == Self.lowered)
        #expect(try ahead(madeAt: "2018-01-04T15:12:20").isEmpty)
    }
}
