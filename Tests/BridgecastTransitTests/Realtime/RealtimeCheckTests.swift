// What is found wrong with realtime feeds: each fault by its own code, and nothing in a correct feed.
import BridgecastCore
import BridgecastRealtimeWire
import BridgecastTransit
import SwiftProtobuf
import Testing

@Suite struct RealtimeCheckTests {
    private static let noon: Int64 = 1_771_380_000

    /// The number of notices about a feed of entities, by code.
    private func findings(
        _ entities: [TransitRealtime_FeedEntity],
        edit: (inout TransitRealtime_FeedMessage) -> Void = { _ in }
    ) throws -> [String: Int] {
        var message = TransitRealtime_FeedMessage(at: Self.noon, entities)
        edit(&message)
        let counts = try RealtimeFeed.read(message.bytes()).notices.counts
        return Dictionary(uniqueKeysWithValues: counts.map { ($0.code, $0.count) })
    }

    private func inTrip(
        _ edit: (inout TransitRealtime_TripUpdate) -> Void
    ) throws -> [String: Int] {
        var update = RichFeed.updateMessage
        update.stopTimeUpdate = [
            stop(1, arrival: 60, departure: 90), stop(2, arrival: 200, departure: nil),
        ]
        edit(&update)
        return try findings([TransitRealtime_FeedEntity(id: "t", tripUpdate: update)])
    }

    private func inVehicle(
        _ edit: (inout TransitRealtime_VehiclePosition) -> Void
    ) throws -> [String: Int] {
        var vehicle = RichFeed.vehicleMessage
        edit(&vehicle)
        return try findings([TransitRealtime_FeedEntity(id: "v", vehicle: vehicle)])
    }

    private func inAlert(
        _ edit: (inout TransitRealtime_Alert) -> Void
    ) throws -> [String: Int] {
        var alert = RichFeed.alertMessage
        edit(&alert)
        return try findings([TransitRealtime_FeedEntity(id: "a", alert: alert)])
    }

    private func stop(
        _ sequence: UInt32, arrival: Int64?, departure: Int64?
    ) -> TransitRealtime_TripUpdate.StopTimeUpdate {
        var stop = TransitRealtime_TripUpdate.StopTimeUpdate()
        stop.stopSequence = sequence
        if let arrival { stop.arrival.time = Self.noon + arrival }
        if let departure { stop.departure.time = Self.noon + departure }
        return stop
    }

    @Test func correctFeeds() throws {
        #expect(try inTrip { _ in }.isEmpty)
        #expect(try inVehicle { _ in }.isEmpty)
        #expect(try inAlert { _ in }.isEmpty)
    }

    @Test func headersAndEntities() throws {
        #expect(try findings([]) { $0.header.clearTimestamp() } == ["missing_timestamp": 1])
        let empty = try findings([TransitRealtime_FeedEntity(id: "")])
        #expect(empty == ["missing_entity_id": 1, "entity_without_content": 1])
        let twice = [1, 2].map { _ in
            TransitRealtime_FeedEntity(id: "a", alert: RichFeed.alertMessage)
        }
        #expect(try findings(twice) == ["duplicate_entity_id": 1])
        var gone = TransitRealtime_FeedEntity(id: "a")
        gone.isDeleted = true
        #expect(try findings([gone]) == ["deleted_in_full_dataset": 1])
        #expect(try findings([gone]) { $0.header.incrementality = .differential }.isEmpty)
    }

    @Test func trips() throws {
        #expect(try inTrip { $0.trip = .init() } == ["trip_without_id": 1])
        #expect(try inTrip { $0.trip.startDate = "2026-02-17" } == ["invalid_date": 1])
        #expect(try inTrip { $0.trip.startTime = "noon" } == ["invalid_time": 1])
        #expect(try inTrip { $0.trip.directionID = 2 } == ["invalid_direction": 1])
        func withoutStops(
            _ relationship: TransitRealtime_TripDescriptor.ScheduleRelationship
        ) throws -> [String: Int] {
            try inTrip {
                $0.stopTimeUpdate = []
                $0.clearDelay()
                $0.trip.scheduleRelationship = relationship
            }
        }
        #expect(try withoutStops(.scheduled) == ["trip_without_stops": 1])
        #expect(try withoutStops(.canceled).isEmpty)
    }

    @Test func stops() throws {
        #expect(try inTrip { $0.stopTimeUpdate.reverse() }["stop_sequence_not_increasing"] == 1)
        #expect(
            try inTrip { $0.stopTimeUpdate[0].departure.time = Self.noon }
                == ["decreasing_stop_times": 1])
        #expect(
            try inTrip { $0.stopTimeUpdate[0].clearStopSequence() } == ["stop_without_id": 1])
        #expect(try inTrip { $0.stopTimeUpdate[1].clearArrival() } == ["stop_without_times": 1])
        #expect(
            try inTrip {
                $0.stopTimeUpdate[1].clearArrival()
                $0.stopTimeUpdate[1].scheduleRelationship = .skipped
            }.isEmpty)
        #expect(
            try inTrip { $0.stopTimeUpdate[1].arrival = .init() } == ["event_without_time": 1])
    }

    @Test func vehicles() throws {
        #expect(try inVehicle { $0.position.latitude = 91 } == ["coordinates_out_of_range": 1])
        #expect(
            try inVehicle {
                $0.position.latitude = 0
                $0.position.longitude = 0
            } == ["coordinates_out_of_range": 1])
        #expect(try inVehicle { $0.position.bearing = -10 } == ["bearing_out_of_range": 1])
        #expect(try inVehicle { $0.position.speed = 200 } == ["speed_out_of_range": 1])
        #expect(try inVehicle { $0.clearTimestamp() } == ["missing_vehicle_timestamp": 1])
        #expect(try inVehicle { $0.vehicle.clearID() } == ["missing_vehicle_id": 1])
    }

    @Test func alerts() throws {
        #expect(try inAlert { $0.clearHeaderText() } == ["missing_header_text": 1])
        #expect(try inAlert { $0.informedEntity = [] } == ["alert_without_informed_entity": 1])
        #expect(
            try inAlert {
                $0.activePeriod[0].end = UInt64(Self.noon) - 1
                $0.activePeriod.removeLast()
            } == ["period_ends_before_start": 1])
    }

    @Test func theFirstOfEachKindAreKeptAndAllAreCounted() throws {
        var vehicle = RichFeed.vehicleMessage
        vehicle.position.bearing = 400
        let message = TransitRealtime_FeedMessage(
            at: Self.noon,
            (0..<50).map { TransitRealtime_FeedEntity(id: "\($0)", vehicle: vehicle) })
        let notices = try RealtimeFeed.read(message.bytes()).notices
        #expect(notices.kept.count == FeedNotices.maxKept && notices.counts.map(\.count) == [50])
        #expect(notices.kept[0].message == "entity 1 ('0'): 400.0 degrees")
    }
}
