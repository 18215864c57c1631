// A realtime feed as Protocol Buffers, for others to read: alerts of raised bridges leave the service so.
internal import BridgecastCore
internal import BridgecastRealtimeWire
internal import SwiftProtobuf

extension RealtimeFeed {
    /// The message as Protocol Buffers; what is nil is not set in it.
    ///
    /// Texts and identifiers of any length are written, and numbers beyond what the format holds at its bounds.
    public func protobufBytes() -> [UInt8] {
        var message = TransitRealtime_FeedMessage()
        message.header.gtfsRealtimeVersion = version ?? "2.0"
        message.header.incrementality = isDifferential ? .differential : .fullDataset
        if let timestamp { message.header.timestamp = timestamp.unsigned }
        message.entity = entities.map(\.wire)
        // Fails for messages of 2 GiB and for fields that are required, which are set.
        return (try? message.serializedBytes(partial: true)) ?? []
    }
}

extension Timestamp {
    fileprivate var unsigned: UInt64 { UInt64(clamping: secondsSinceEpoch) }
}

extension RealtimeEntity {
    fileprivate var wire: TransitRealtime_FeedEntity {
        var wire = TransitRealtime_FeedEntity()
        wire.id = id
        if let isDeleted { wire.isDeleted = isDeleted }
        if let tripUpdate { wire.tripUpdate = tripUpdate.wire }
        if let vehicle { wire.vehicle = vehicle.wire }
        if let alert { wire.alert = alert.wire }
        return wire
    }
}

extension TripUpdate {
    fileprivate var wire: TransitRealtime_TripUpdate {
        var wire = TransitRealtime_TripUpdate()
        wire.trip = trip.wire
        if let vehicle { wire.vehicle = vehicle.wire }
        wire.stopTimeUpdate = stops.map(\.wire)
        if let timestamp { wire.timestamp = timestamp.unsigned }
        if let delaySeconds { wire.delay = Int32(clamping: delaySeconds) }
        if let properties { wire.tripProperties = properties.wire }
        return wire
    }
}

extension StopTimeUpdate {
    fileprivate var wire: TransitRealtime_TripUpdate.StopTimeUpdate {
        var wire = TransitRealtime_TripUpdate.StopTimeUpdate()
        if let sequence { wire.stopSequence = UInt32(clamping: sequence) }
        if let stopID { wire.stopID = stopID }
        if let arrival { wire.arrival = arrival.wire }
        if let departure { wire.departure = departure.wire }
        if let departureOccupancy { wire.departureOccupancyStatus = departureOccupancy.wire }
        if let relationship {
            wire.scheduleRelationship = .init(rawValue: relationship.rawValue) ?? .scheduled
        }
        if let assignedStopID { wire.stopTimeProperties.assignedStopID = assignedStopID }
        if let headsign { wire.stopTimeProperties.stopHeadsign = headsign }
        return wire
    }
}

extension StopTimeEvent {
    fileprivate var wire: TransitRealtime_TripUpdate.StopTimeEvent {
        var wire = TransitRealtime_TripUpdate.StopTimeEvent()
        if let delaySeconds { wire.delay = Int32(clamping: delaySeconds) }
        if let time { wire.time = time.secondsSinceEpoch }
        if let scheduledTime { wire.scheduledTime = scheduledTime.secondsSinceEpoch }
        if let uncertaintySeconds { wire.uncertainty = Int32(clamping: uncertaintySeconds) }
        return wire
    }
}

extension Occupancy {
    fileprivate var wire: TransitRealtime_VehiclePosition.OccupancyStatus {
        .init(rawValue: rawValue) ?? .noDataAvailable
    }
}

extension VehicleReport {
    fileprivate var wire: TransitRealtime_VehiclePosition {
        var wire = TransitRealtime_VehiclePosition()
        if let trip { wire.trip = trip.wire }
        if let vehicle { wire.vehicle = vehicle.wire }
        if let latitude { wire.position.latitude = latitude }
        if let longitude { wire.position.longitude = longitude }
        if let bearing { wire.position.bearing = bearing }
        if let odometer { wire.position.odometer = odometer }
        if let speed { wire.position.speed = speed }
        if let stopSequence { wire.currentStopSequence = UInt32(clamping: stopSequence) }
        if let stopID { wire.stopID = stopID }
        if let stopStatus {
            wire.currentStatus = .init(rawValue: stopStatus.rawValue) ?? .inTransitTo
        }
        if let timestamp { wire.timestamp = timestamp.unsigned }
        if let level = congestionLevel.flatMap(TransitRealtime_VehiclePosition.CongestionLevel.init)
        {
            wire.congestionLevel = level
        }
        if let occupancy { wire.occupancyStatus = occupancy.wire }
        if let occupancyPercentage {
            wire.occupancyPercentage = UInt32(clamping: occupancyPercentage)
        }
        wire.multiCarriageDetails = carriages.map(\.wire)
        return wire
    }
}

extension VehicleReport.Carriage {
    fileprivate var wire: TransitRealtime_VehiclePosition.CarriageDetails {
        var wire = TransitRealtime_VehiclePosition.CarriageDetails()
        if let id { wire.id = id }
        if let label { wire.label = label }
        if let occupancy { wire.occupancyStatus = occupancy.wire }
        if let occupancyPercentage {
            wire.occupancyPercentage = Int32(clamping: occupancyPercentage)
        }
        if let sequence { wire.carriageSequence = UInt32(clamping: sequence) }
        return wire
    }
}
