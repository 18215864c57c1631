// What is found wrong with realtime feeds: each fault by its own name, and nothing where all is well.
import BridgecastCore
import BridgecastTransit
import Testing

@Suite struct RealtimeCheckTests {
    private static let noon = Timestamp(secondsSinceEpoch: 1_771_380_000)

    /// What is found in a feed of entities, by name with how often.
    private func findings(
        _ entities: [RealtimeEntity], _ edit: (inout RealtimeFeed) -> Void = { _ in }
    ) throws -> [String: Int] {
        var feed = RealtimeFeed(version: "2.0", timestamp: Self.noon, entities: entities)
        edit(&feed)
        let counts = try RealtimeFeed.read(feed.protobufBytes()).notices.counts
        return Dictionary(uniqueKeysWithValues: counts.map { ($0.code, $0.count) })
    }

    private func inTrip(_ edit: (inout TripUpdate) -> Void) throws -> [String: Int] {
        var update = RichFeed.update
        update.stops = [stop(1, arrival: 60, departure: 90), stop(2, arrival: 200, departure: nil)]
        edit(&update)
        return try findings([RealtimeEntity(id: "t", tripUpdate: update)])
    }

    private func inVehicle(_ edit: (inout VehicleReport) -> Void) throws -> [String: Int] {
        var report = RichFeed.vehicle
        edit(&report)
        return try findings([RealtimeEntity(id: "v", vehicle: report)])
    }

    private func stop(_ sequence: Int, arrival: Int64?, departure: Int64?) -> StopTimeUpdate {
        func event(_ seconds: Int64?) -> StopTimeEvent? {
            seconds.map { StopTimeEvent(time: Self.noon.adding(seconds: $0)) }
        }
        var stop = StopTimeUpdate()
        (stop.sequence, stop.arrival, stop.departure) = (sequence, event(arrival), event(departure))
        return stop
    }

    @Test func aSoundFeedHasNone() throws {
        #expect(try inTrip { _ in }.isEmpty)
        #expect(try inVehicle { _ in }.isEmpty)
        #expect(try findings([RealtimeEntity(id: "a", alert: RichFeed.alert)]).isEmpty)
    }

    @Test func headersAndEntities() throws {
        #expect(try findings([]) { $0.timestamp = nil } == ["missing_timestamp": 1])
        let empty = try findings([RealtimeEntity(id: "")])
        #expect(empty == ["missing_entity_id": 1, "entity_without_content": 1])
        let twice = [1, 2].map { _ in RealtimeEntity(id: "a", alert: RichFeed.alert) }
        #expect(try findings(twice) == ["duplicate_entity_id": 1])
        let gone = [RealtimeEntity(id: "a", isDeleted: true)]
        #expect(try findings(gone) == ["deleted_in_full_dataset": 1])
        #expect(try findings(gone) { $0.isDifferential = true }.isEmpty)
    }

    @Test func trips() throws {
        #expect(try inTrip { $0.trip = TripSelector() } == ["trip_without_id": 1])
        #expect(try inTrip { $0.trip.startDate = "2026-02-17" } == ["invalid_date": 1])
        #expect(try inTrip { $0.trip.startTime = "noon" } == ["invalid_time": 1])
        #expect(try inTrip { $0.trip.direction = 2 } == ["invalid_direction": 1])
        #expect(
            try inTrip {
                ($0.stops, $0.delaySeconds, $0.trip.relationship) = ([], nil, .scheduled)
            } == ["trip_without_stops": 1])
        #expect(
            try inTrip {
                ($0.stops, $0.delaySeconds, $0.trip.relationship) = ([], nil, .cancelled)
            }.isEmpty)
    }

    @Test func stops() throws {
        #expect(try inTrip { $0.stops.reverse() }["stop_sequence_not_increasing"] == 1)
        #expect(
            try inTrip { $0.stops[0].departure?.time = Self.noon } == ["decreasing_stop_times": 1]
        )
        #expect(try inTrip { $0.stops[0].sequence = nil } == ["stop_without_id": 1])
        #expect(try inTrip { $0.stops[1].arrival = nil } == ["stop_without_times": 1])
        #expect(
            try inTrip {
                ($0.stops[1].arrival, $0.stops[1].relationship) = (nil, .skipped)
            }.isEmpty)
        #expect(
            try inTrip { $0.stops[1].arrival = StopTimeEvent() } == ["event_without_time": 1])
    }

    @Test func vehicles() throws {
        #expect(try inVehicle { $0.latitude = 91 } == ["coordinates_out_of_range": 1])
        #expect(
            try inVehicle { ($0.latitude, $0.longitude) = (0, 0) } == [
                "coordinates_out_of_range": 1
            ]
        )
        #expect(try inVehicle { $0.bearing = -10 } == ["bearing_out_of_range": 1])
        #expect(try inVehicle { $0.speed = 200 } == ["speed_out_of_range": 1])
        #expect(
            try inVehicle { $0.timestamp = nil }
                == ["missing_vehicle_timestamp": 1])
        #expect(
            try inVehicle { $0.vehicle?.id = nil }
                == ["missing_vehicle_id": 1])
    }

    @Test func alerts() throws {
        func findings(_ edit: (inout ServiceAlert) -> Void) throws -> [String: Int] {
            var alert = RichFeed.alert
            edit(&alert)
            return try self.findings([RealtimeEntity(id: "a", alert: alert)])
        }
        #expect(try findings { $0.header = [] } == ["missing_header_text": 1])
        #expect(try findings { $0.informed = [] } == ["alert_for_nobody": 1])
        #expect(
            try findings {
                $0.activePeriods = [.init(start: Self.noon, end: Self.noon.adding(seconds: -1))]
            } == ["period_ends_before_start": 1])
    }

    @Test func ofEachKindTheFirstAreKeptAndAllAreCounted() throws {
        var report = RichFeed.vehicle
        report.bearing = 400
        let feed = RealtimeFeed(
            version: "2.0", timestamp: Self.noon,
            entities: (0..<50).map { RealtimeEntity(id: "\($0)", vehicle: report) })
        let notices = try RealtimeFeed.read(feed.protobufBytes()).notices
        #expect(notices.kept.count == FeedNotices.mostKept && notices.counts.map(\.count) == [50])
        #expect(notices.kept[0].message == "entity 1 ('0'): 400.0 degrees")
    }
}
