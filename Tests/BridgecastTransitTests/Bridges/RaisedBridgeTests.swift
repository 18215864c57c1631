// Buses before a raised bridge: who waits there, who has seen them, and what that adds to their arrivals.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit
import Testing

@Suite(.enabled(if: TransitSamples.areHere))
struct RaisedBridgeTests {
    @Test(
        "On 4 January 2018 three buses stood before Montlake Bridge, up from 15:05:50 to 15:10:56")
    func threeBusesWaited() throws {
        let day = try SoundTransitDay("2018-01-04T15:09:00")
        for trip in ["35025189", "35025616", "35024931"] {
            let run = try #require(day.run(trip))
            let bridge = try #require(day.ahead(of: run, in: day.timetable).first, "\(trip)")
            #expect(bridge.waitsNow)
            #expect(bridge.arrival == day.now)
            #expect(bridge.raisedSince == Fixtures.moment("2018-01-04T15:05:50"))
            // Nobody has seen them there.
            #expect(bridge.evidence == .timetable)
            #expect(
                bridge.text(at: day.now)
                    == "by the timetable now before Montlake Bridge, up for 3 min; about 3 min more"
            )
        }
        // 542 crosses at 15:13:53, when the bridge was down again, and is told what the forecast says.
        let later = try #require(day.run("35024846"))
        let next = try #require(day.ahead(of: later, in: day.timetable).first)
        #expect(!next.waitsNow)
        #expect(
            next.text(at: day.now)
                == "Montlake Bridge at 15:13: 8 in 100 to be stopped; if so about 3 min")
        // A bus that had crossed before the bridge went up is gone.
        let gone = try #require(day.run("35024845"))
        #expect(day.ahead(of: gone, in: day.timetable).isEmpty)
        // Before they came nobody waited, and after the queue has gone nobody does.
        for moment in ["2018-01-04T15:04", "2018-01-04T15:20"] {
            let other = try SoundTransitDay(moment)
            let run = try #require(other.run("35024931"))
            #expect(!other.ahead(of: run, in: other.timetable).contains { $0.waitsNow })
        }
    }

    @Test("A bus seen in the queue of a raised bridge waits, though it is said to come later")
    func waitsInQueue() throws {
        let day = try SoundTransitDay("2018-01-04T15:07")
        // By its timetable it comes at 15:13:53.
        let run = try #require(day.run("35024846"))
        let bridge = try #require(day.crossings.of(run.trip, in: day.feed).first)
        let near = try #require(day.vehicle(of: run, metres: bridge.metres - 150))
        let ahead = try #require(day.ahead(of: run, in: day.snapshot([near])).first)
        #expect(ahead.waitsNow && ahead.evidence == .vehicle)
        #expect(ahead.text(at: day.now).hasPrefix("waits before Montlake Bridge, up for 1 min; "))
        let far = try #require(day.vehicle(of: run, metres: bridge.metres - 4000))
        #expect(day.ahead(of: run, in: day.snapshot([far])).first?.waitsNow == false)
    }

    @Test("What a bridge does now is not said of another moment")
    func statesAreOfNow() throws {
        let day = try SoundTransitDay("2018-01-04T15:07")
        let run = try #require(day.run("35024931"))
        let later = day.now.adding(seconds: 130)
        let ahead = day.timetable.bridgesAhead(of: run, at: later, day.crossings, day.knowledge)
        #expect(ahead.count <= 1)
        #expect(!ahead.contains { $0.waitsNow || $0.raisedSince != nil })
    }

    /// A word of the feed that a run is on time, from its first stop on.
    private func onTime(_ run: RunKey, _ day: SoundTransitDay, madeAt: String) -> RealtimeEntity {
        var update = TripUpdate()
        update.trip.tripID = day.feed[run.trip].id
        update.trip.startDate = "\(run.date)".filter { $0 != "-" }
        update.timestamp = Fixtures.moment(madeAt)
        update.delaySeconds = 0
        return RealtimeEntity(id: "on time", tripUpdate: update)
    }

    @Test("Where a bus was seen counts more than a prediction that is older than the raising")
    func seenElsewhere() throws {
        // By its timetable it crosses at 15:05:53; the bridge goes up at 15:05:50.
        let day = try SoundTransitDay("2018-01-04T15:06:30")
        let run = try #require(day.run("35025189"))
        let bridge = try #require(day.crossings.of(run.trip, in: day.feed).first)
        let word = onTime(run, day, madeAt: "2018-01-04T15:00")
        let unseen = try #require(day.ahead(of: run, in: day.snapshot([word])).first)
        #expect(unseen.waitsNow && unseen.evidence == .prediction)
        #expect(
            unseen.text(at: day.now).hasPrefix("by its prediction now before Montlake Bridge, "))
        // Seen a kilometre and a half before it, it is not in the queue yet.
        let far = try #require(day.vehicle(of: run, metres: bridge.metres - 1500))
        let late = try #require(day.ahead(of: run, in: day.snapshot([word, far])).first)
        #expect(!late.waitsNow)
        #expect(late.arrival > day.now.adding(minutes: 2))
        let near = try #require(day.vehicle(of: run, metres: bridge.metres - 100))
        let queued = try #require(day.ahead(of: run, in: day.snapshot([word, near])).first)
        #expect(queued.waitsNow && queued.evidence == .vehicle)
    }

    @Test("What a bus has waited counts once: unless its predicted times have it in them")
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
        // Predicted from where it stands, its times at later stops have the wait in them.
        let seen = try #require(day.vehicle(of: run, metres: bridge.metres - 50, secondsAgo: 5))
        let predicted = day.ahead(of: run, in: day.snapshot([seen]))
        #expect(try #require(predicted.first).waitsNow)
        #expect(try #require(predicted.first).waitedSeconds < 15)
        let added = try #require(predicted.outlook(atStop: bridge.afterStop + 1))
        #expect(added.meanSeconds < alone.expectedSeconds + 15)
    }
}
