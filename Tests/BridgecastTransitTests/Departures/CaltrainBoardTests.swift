// A real evening: Caltrain's timetable of 2026 with the trip updates and vehicles of 17 February.
import BridgecastCore
import BridgecastTestSupport
import Testing

@testable import BridgecastTransit

@Suite struct CaltrainBoardTests {
    private let feed: TransitFeed
    private let updates: RealtimeFeed
    private let vehicles: RealtimeFeed
    /// When the updates were made, 17:33:14, and when the vehicles were, 18:12:34.
    private let updated = Timestamp(secondsSinceEpoch: 1_771_378_394)
    private let seen = Timestamp(secondsSinceEpoch: 1_771_380_754)

    init() throws {
        feed = try TransitSamples.caltrain.get()
        updates = try RealtimeFeed.read(TransitSamples.bytes("caltrain/tripupdates.pb")).feed
        vehicles = try RealtimeFeed.read(TransitSamples.bytes("caltrain/vehiclepositions.pb")).feed
    }

    /// The updates as if they had been made later.
    private func updates(madeAt time: Timestamp) -> RealtimeFeed {
        var updates = updates
        updates.timestamp = time
        for index in updates.entities.indices {
            updates.entities[index].tripUpdate?.timestamp = time
        }
        return updates
    }

    private func snapshot(
        at time: Timestamp, _ updates: RealtimeFeed? = nil, withVehicles: Bool = false
    ) -> TransitSnapshot {
        var state = RealtimeState()
        var tracker = VehicleTracker()
        let updates = updates ?? self.updates
        state.take(updates, of: "trip_updates", at: time)
        if withVehicles { state.take(vehicles, of: "vehicles", at: time) }
        return TransitSnapshot(feed, state, asOf: time, tracker: &tracker)
    }

    @Test func everyUpdateFindsItsRunOfThatEvening() {
        let snapshot = snapshot(at: updated)
        #expect(snapshot.live.count == 25)
        #expect(snapshot.notices.counts.isEmpty)
        #expect(snapshot.live.allSatisfy { $0.key.date.description == "2026-02-17" })
    }

    @Test func everyTimeOfTheFeedIsPredicted() throws {
        let snapshot = snapshot(at: updated)
        var compared = 0
        for update in updates.entities.compactMap(\.tripUpdate) {
            let trip = try #require(feed.trip(update.trip.tripID ?? ""))
            let run = try #require(snapshot.live.first { $0.key.trip == trip })
            let rows = feed.stopTimes.rows(of: trip)
            for stop in update.stops {
                let row = try #require(
                    rows.first { feed.stops.ids[Int(feed.stopTimes.stops[$0])] == stop.stopID })
                let prediction = run.stops[row - rows.lowerBound]
                #expect(prediction.origin == .feed)
                if let arrival = stop.arrival?.time { #expect(prediction.arrival == arrival) }
                #expect(prediction.departure == stop.departure?.time)
                compared += 1
            }
        }
        #expect(compared == 222)
    }

    @Test func boardsOfStationsAreLimitedByDirection() throws {
        var query = BoardQuery()
        query.limitPerDirection = 3
        let station = try #require(feed.stop("palo_alto"))
        let board = snapshot(at: updated).board(of: station, query)
        #expect(board.departures.filter { $0.direction == 0 }.count == 3)
        #expect(board.departures.filter { $0.direction == 1 }.count == 3)
        #expect(feed.directionName(0, at: station) == "North")
        #expect(feed.directionName(1, at: station) == "South")
        #expect(board.departures.map(\.expected!) == board.departures.map(\.expected!).sorted())
        #expect(board.departures.first?.confidence == .medium)
    }

    @Test func recentVehiclesRaiseTheConfidenceOfNewPredictions() {
        func confidences(_ updates: RealtimeFeed?) -> Set<DepartureConfidence> {
            let snapshot = snapshot(at: seen, updates, withVehicles: true)
            let places = (0..<feed.stops.count).map { StopIndex($0) }
            return Set(places.flatMap { snapshot.board(of: $0).departures.map(\.confidence) })
        }
        #expect(!confidences(nil).contains(.high) && confidences(nil).contains(.medium))
        #expect(confidences(updates(madeAt: seen.adding(seconds: -60))).contains(.high))
    }

    @Test func vehiclesHaveNotPassedTheStopsWhereTheyAreExpected() throws {
        let snapshot = snapshot(at: seen, withVehicles: true)
        #expect(snapshot.vehicles.count == 14)
        #expect(snapshot.vehicles.allSatisfy { $0.run != nil })
        let boards = (0..<feed.stops.count).flatMap {
            snapshot.board(of: StopIndex($0)).departures
        }
        // A vehicle is before every stop at which a board still shows it.
        let ahead = boards.compactMap { departure in
            departure.vehicle.flatMap { snapshot.vehicles[$0].nextStop }
                .map { departure.stopOrder - $0 }
        }
        #expect(ahead.count > 50 && ahead.allSatisfy { $0 >= 0 })
    }

    @Test func learnedLatenessMovesRunsWithoutRealtime() throws {
        var state = RealtimeState()
        var tracker = VehicleTracker()
        state.take(updates, of: "trip_updates", at: updated)
        _ = TransitSnapshot(feed, state, asOf: updated, tracker: &tracker)
        // The same evening without realtime: routes whose lateness was learned are delayed by it.
        let snapshot = TransitSnapshot(feed, RealtimeState(), asOf: updated, tracker: &tracker)
        let departures = (0..<feed.stops.count).flatMap {
            snapshot.board(of: StopIndex($0)).departures
        }
        let moved = departures.filter { $0.origin == .history }
        #expect(!moved.isEmpty)
        for departure in moved {
            #expect(departure.confidence == .low && departure.status == .scheduled)
            // What is typical is no delay of today, which a status would have to agree with.
            #expect(departure.delaySeconds == nil)
            let scheduled = try #require(
                departure.scheduledDeparture ?? departure.scheduledArrival)
            let moved = try #require(departure.expected).secondsSinceEpoch
            #expect((0...900).contains(moved - scheduled.secondsSinceEpoch))
        }
        #expect(departures.allSatisfy { $0.origin == .history || $0.confidence == .none })
    }
}
