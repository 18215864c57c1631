// Sound Transit's buses with the bridge openings of their days.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTransit

/// Sound Transit's timetable and the bridges at a time.
struct SoundTransitDay {
    let feed: TransitFeed
    let crossings: BridgeCrossings
    let now: Timestamp
    let knowledge: BridgeKnowledge

    /// A time in the winter of 2017-18, with the same forecast for every bridge and arrival within `reachMinutes`.
    init(
        _ time: String, delay: DelayDistribution = Self.someDelay, reachMinutes: Double = 120
    ) throws {
        feed = try TransitSamples.soundTransit.get()
        crossings = BridgeCrossings(of: feed)
        now = Fixtures.timestamp(time)
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

    /// The timetable with a realtime message.
    func snapshot(_ entities: [RealtimeEntity]) -> TransitSnapshot {
        var state = RealtimeState()
        state.take(RealtimeFeed(timestamp: now, entities: entities), of: "vehicles", at: now)
        var tracker = VehicleTracker()
        return TransitSnapshot(feed, state, asOf: now, tracker: &tracker)
    }

    /// A vehicle of a run at a distance along its shape, seen some seconds ago.
    func vehicle(of run: RunKey, metres: Double, secondsAgo: Int64 = 10) -> RealtimeEntity? {
        guard let line = feed.geometry(of: run.trip)?.line else { return nil }
        let point = line.point(atMetres: metres)
        var report = VehicleReport()
        var trip = TripSelector()
        trip.tripID = feed[run.trip].id
        trip.startDate = "\(run.date)".filter { $0 != "-" }
        report.trip = trip
        report.latitude = Float(point.latitude)
        report.longitude = Float(point.longitude)
        report.timestamp = now.adding(seconds: -secondsAgo)
        return RealtimeEntity(id: "bus", vehicle: report)
    }

    var bridges: TransitBridges { TransitBridges(crossings, knowledge) }

    /// The bridges that a run still has to cross now.
    func ahead(of run: RunKey, in snapshot: TransitSnapshot) -> [BridgeAhead] {
        bridges.ahead(of: run, in: snapshot, at: now)
    }
}
