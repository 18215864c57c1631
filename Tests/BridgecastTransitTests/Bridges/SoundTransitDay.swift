// Sound Transit's buses with the bridge openings of their days; shared by the tests of bridges on the way.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTransit

/// Sound Transit's timetable and what the records say of the bridges at a moment.
struct SoundTransitDay {
    let feed: TransitFeed
    let crossings: BridgeCrossings
    let now: Timestamp
    let knowledge: BridgeKnowledge

    /// A moment of the winter of 2017-18, with the same forecast for every bridge and arrival within so many minutes.
    init(
        _ moment: String, delay: DelayDistribution = Self.someDelay, reachMinutes: Double = 120
    ) throws {
        feed = try TransitSamples.soundTransit.get()
        crossings = BridgeCrossings(of: feed)
        now = Fixtures.moment(moment)
        let table = try ForecastTable(
            issueTime: now, leadsMinutes: [0, reachMinutes], modes: [.car]
        ) { _, _, _ in delay }
        let reader = SituationReader(Fixtures.shippedHistory)
        knowledge = BridgeKnowledge(
            table, situation: reader.situation(at: now), climatology: RandomModel.climatology)
    }

    /// 8 in 100 to be stopped, for 4 min.
    static let someDelay = DelayDistribution([0.92, 0, 0, 0.04, 0.04, 0, 0, 0, 0, 0, 0, 0])

    /// A run of this day by the trip's identifier.
    func run(_ trip: String) -> RunKey? {
        feed.trip(trip).map { RunKey(trip: $0, date: SeattleTime.civil(at: now).date) }
    }

    /// The timetable alone.
    var timetable: TransitSnapshot { TransitSnapshot(feed, asOf: now) }

    /// The timetable with what a message says.
    func snapshot(_ entities: [RealtimeEntity]) -> TransitSnapshot {
        var state = RealtimeState()
        state.take(RealtimeFeed(timestamp: now, entities: entities), of: "vehicles", at: now)
        var tracker = VehicleTracker()
        return TransitSnapshot(feed, state, asOf: now, tracker: &tracker)
    }

    /// A vehicle of a run at so many metres along its shape, seen so many seconds ago.
    func vehicle(of run: RunKey, metres: Double, secondsAgo: Int64 = 10) -> RealtimeEntity? {
        guard let line = feed.geometry(of: run.trip)?.line else { return nil }
        let place = line.point(atMetres: metres)
        var report = VehicleReport()
        var trip = TripSelector()
        trip.tripID = feed[run.trip].id
        trip.startDate = "\(run.date)".filter { $0 != "-" }
        report.trip = trip
        (report.latitude, report.longitude) = (Float(place.latitude), Float(place.longitude))
        report.timestamp = now.adding(seconds: -secondsAgo)
        return RealtimeEntity(id: "bus", vehicle: report)
    }

    /// The bridges that a run still has before it now.
    func ahead(of run: RunKey, in snapshot: TransitSnapshot) -> [BridgeAhead] {
        snapshot.bridgesAhead(of: run, at: now, crossings, knowledge)
    }
}
