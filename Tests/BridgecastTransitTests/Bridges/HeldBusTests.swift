// Buses that a bridge holds, up or down with a queue: what they still carry, and that boards keep them; on Sound Transit's
// timetable with the opening of 4 January 2018, 15:05:50 to 15:10:56.
import BridgecastCore
import BridgecastTestSupport
import Testing

@testable import BridgecastTransit

@Suite(.enabled(if: TransitSamples.areHere))
struct HeldBusTests {
    private static let lowered = Fixtures.moment("2018-01-04T15:10:56")
    /// By the timetable they come to the bridge while it is up.
    private static let trips = ["35025189", "35025616", "35024931"]

    /// When a run comes to the bridge by its timetable, and what the opening then costs it, seconds.
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

    @Test("After the bridge has come down a bus carries the rest of the queue, and its sum stays")
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
                #expect(bridge.waitsNow && bridge.raisedSince == nil)
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
        "Of a bus in the queue it is said so, by whom it is there, and since when the bridge is down"
    )
    func words() throws {
        let day = try SoundTransitDay("2018-01-04T15:12:00")
        let run = try #require(day.run("35024931"))
        let unseen = try #require(day.ahead(of: run, in: day.timetable).first)
        #expect(
            unseen.text(at: day.now).hasPrefix(
                "by the timetable now in the queue before Montlake Bridge, down for 1 min; "))
        let bridge = try #require(day.crossings.of(run.trip, in: day.feed).first)
        let near = try #require(day.vehicle(of: run, metres: bridge.metres - 150))
        let queued = try #require(day.ahead(of: run, in: day.snapshot([near])).first)
        #expect(queued.evidence == .vehicle && queued.loweredAt == Self.lowered)
        #expect(
            queued.text(at: day.now).hasPrefix(
                "in the queue before Montlake Bridge, down for 1 min; "))
        // Seen elsewhere, it is not in the queue, and over the bridge it has none before it.
        let far = try #require(day.vehicle(of: run, metres: bridge.metres - 3000))
        #expect(day.ahead(of: run, in: day.snapshot([far])).first?.loweredAt == nil)
        let over = try #require(day.vehicle(of: run, metres: bridge.metres + 150))
        #expect(day.ahead(of: run, in: day.snapshot([over])).isEmpty)
    }

    @Test(
        "A board keeps a bus whose time is past while the bridge before it, or its queue, holds it")
    func boardKeepsHeldBuses() throws {
        let begin = Fixtures.moment("2018-01-04T15:06:10")
        var kept = 0
        for step in 0..<24 {
            let now = begin.adding(seconds: Int64(step) * 35)
            let day = try SoundTransitDay(TimeText.rfc3339(now))
            let holds = BridgeHolds(day.crossings, day.knowledge)
            var query = BoardQuery()
            query.includesArrivals = true
            for trip in Self.trips {
                let run = try #require(day.run(trip))
                let (joined, delay, afterStop) = try crossing(run, day)
                let behind = day.timetable.stops(of: run)[afterStop + 1]
                let due = try #require(behind.expected)
                guard due < now else { continue }
                let over = joined.adding(seconds: Int64(delay))
                let board = day.timetable.board(of: behind.stop, at: now, query, holding: holds)
                let line = board.departures.first { $0.run == run }
                if now < over.adding(seconds: -2) {
                    // Up, it is not known how long; down, the queue tells.
                    let line = try #require(line, "\(trip) \(now)")
                    #expect(line.status == .scheduled && line.expected == due)
                    kept += 1
                } else if now > max(over, Self.lowered).adding(seconds: 2) {
                    #expect(line == nil, "\(trip) \(now)")
                }
                // Who asks no bridge is told what the timetable says; nor is anybody held at the stop before it.
                let plain = day.timetable.board(of: behind.stop, at: now, query)
                #expect(!plain.departures.contains { $0.run == run })
                let before = day.timetable.stops(of: run)[afterStop]
                let there = day.timetable.board(
                    of: before.stop, at: now, query, holding: holds)
                #expect(!there.departures.contains { $0.run == run })
            }
        }
        #expect(kept > 5)
    }

    @Test(
        "While no bridge is up and no queue stands nobody is looked for, and boards are as without bridges"
    )
    func quiet() throws {
        for moment in ["2018-01-04T08:30", "2018-01-04T16:30"] {
            let day = try SoundTransitDay(moment)
            let holds = BridgeHolds(day.crossings, day.knowledge)
            #expect(holds.earliest(at: day.now.secondsSinceEpoch) == nil)
        }
        let day = try SoundTransitDay("2018-01-04T15:09")
        let holds = BridgeHolds(day.crossings, day.knowledge)
        #expect(
            holds.earliest(at: day.now.secondsSinceEpoch)
                == Fixtures.moment("2018-01-04T15:05:50").secondsSinceEpoch)
        // What a bridge does now is not said of another moment, before or long after.
        #expect(holds.earliest(at: day.now.secondsSinceEpoch - 130) == nil)
        #expect(holds.earliest(at: day.now.secondsSinceEpoch + 3600) == nil)
    }

    @Test("A board waits for nobody whom a bridge has held for more than an hour")
    func heldForHours() throws {
        let day = try SoundTransitDay("2018-01-04T15:09")
        var situation = Situation.unknown(at: day.now)
        situation[.montlake].state = .raised(since: day.now.adding(minutes: -300))
        let table = try ForecastTable(
            issueTime: day.now, leadsMinutes: [0, 120], modes: [.car]
        ) { _, _, _ in SoundTransitDay.someDelay }
        let holds = BridgeHolds(
            day.crossings,
            BridgeKnowledge(table, situation: situation, climatology: RandomModel.climatology))
        let stop = try #require(day.feed.stop("25243"))
        let departures = day.timetable.board(of: stop, at: day.now, holding: holds).departures
        let held = departures.compactMap(\.expected).filter { $0 < day.now }
        #expect(held.count >= 4)
        #expect(held.allSatisfy { $0 >= day.now.adding(minutes: -60) })
    }

    @Test(
        "A bus that is predicted alone is kept as well; one that was seen beyond the bridge is not")
    func predictedBuses() throws {
        let day = try SoundTransitDay("2018-01-04T15:10:30")
        let holds = BridgeHolds(day.crossings, day.knowledge)
        let run = try #require(day.run("35025189"))
        let (_, _, afterStop) = try crossing(run, day)
        let behind = day.timetable.stops(of: run)[afterStop + 1]
        #expect(try #require(behind.expected) < day.now)
        var update = TripUpdate()
        (update.trip.tripID, update.trip.startDate) = ("35025189", "20180104")
        update.timestamp = Fixtures.moment("2018-01-04T15:00")
        update.delaySeconds = 0
        let word = RealtimeEntity(id: "on time", tripUpdate: update)
        func isKept(_ entities: [RealtimeEntity]) -> Bool {
            day.snapshot(entities).board(of: behind.stop, at: day.now, holding: holds)
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

    @Test("What is predicted after the bridge was down, and has the bus over it, is believed")
    func newerPrediction() throws {
        let day = try SoundTransitDay("2018-01-04T15:12:30")
        let run = try #require(day.run("35024931"))
        let (joined, _, _) = try crossing(run, day)
        /// So late that it is over the bridge at 15:11:30.
        func ahead(madeAt: String) throws -> [BridgeAhead] {
            let late = Fixtures.moment("2018-01-04T15:11:30").secondsSinceEpoch
            var update = TripUpdate()
            (update.trip.tripID, update.trip.startDate) = ("35024931", "20180104")
            update.timestamp = Fixtures.moment(madeAt)
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
