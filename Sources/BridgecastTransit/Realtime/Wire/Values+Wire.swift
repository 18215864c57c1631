// Small messages into values, member by member: what is not set is nil.
internal import BridgecastRealtimeWire

extension TripSelector {
    init(_ wire: TransitRealtime_TripDescriptor) {
        self.init()
        if wire.hasTripID { tripID = wire.tripID }
        if wire.hasRouteID { routeID = wire.routeID }
        if wire.hasDirectionID { direction = Int(wire.directionID) }
        if wire.hasStartTime { startTime = wire.startTime }
        if wire.hasStartDate { startDate = wire.startDate }
        if wire.hasScheduleRelationship {
            relationship = TripRelationship(rawValue: wire.scheduleRelationship.rawValue)
        }
    }
}

extension VehicleLabel {
    init(_ wire: TransitRealtime_VehicleDescriptor) {
        self.init()
        if wire.hasID { id = wire.id }
        if wire.hasLabel { label = wire.label }
        if wire.hasLicensePlate { licencePlate = wire.licensePlate }
        if wire.hasWheelchairAccessible { wheelchair = wire.wheelchairAccessible.rawValue }
    }
}

extension TripProperties {
    init(_ wire: TransitRealtime_TripUpdate.TripProperties) {
        self.init()
        if wire.hasTripID { tripID = wire.tripID }
        if wire.hasStartDate { startDate = wire.startDate }
        if wire.hasStartTime { startTime = wire.startTime }
        if wire.hasShapeID { shapeID = wire.shapeID }
        if wire.hasTripHeadsign { headsign = wire.tripHeadsign }
        if wire.hasTripShortName { shortName = wire.tripShortName }
    }
}

extension VehicleReport {
    mutating func place(_ wire: TransitRealtime_Position) {
        if wire.hasLatitude { latitude = wire.latitude }
        if wire.hasLongitude { longitude = wire.longitude }
        if wire.hasBearing { bearing = wire.bearing }
        if wire.hasOdometer { odometer = wire.odometer }
        if wire.hasSpeed { speed = wire.speed }
    }
}

extension VehicleReport.Carriage {
    init(_ wire: TransitRealtime_VehiclePosition.CarriageDetails) {
        self.init()
        if wire.hasID { id = wire.id }
        if wire.hasLabel { label = wire.label }
        if wire.hasOccupancyStatus {
            occupancy = Occupancy(rawValue: wire.occupancyStatus.rawValue)
        }
        // -1 is the specification's word for none.
        if wire.hasOccupancyPercentage, wire.occupancyPercentage >= 0 {
            occupancyPercentage = Int(wire.occupancyPercentage)
        }
        if wire.hasCarriageSequence { sequence = Int(wire.carriageSequence) }
    }
}

extension ServiceAlert.Selector {
    init(_ wire: TransitRealtime_EntitySelector) {
        self.init()
        if wire.hasAgencyID { agencyID = wire.agencyID }
        if wire.hasRouteID { routeID = wire.routeID }
        if wire.hasStopID { stopID = wire.stopID }
        if wire.hasRouteType { routeType = Int(wire.routeType) }
        if wire.hasDirectionID { direction = Int(wire.directionID) }
        if wire.hasTrip { trip = TripSelector(wire.trip) }
    }
}

extension ServiceAlert.Translation {
    init(_ wire: TransitRealtime_TranslatedString.Translation) {
        self.init(wire.text, language: wire.language)
    }
}
