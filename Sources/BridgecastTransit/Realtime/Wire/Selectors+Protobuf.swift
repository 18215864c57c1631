// Whom and what a feed means, and alerts, as Protocol Buffers.
internal import BridgecastCore
internal import BridgecastRealtimeWire

extension TripSelector {
    var wire: TransitRealtime_TripDescriptor {
        var wire = TransitRealtime_TripDescriptor()
        if let tripID { wire.tripID = tripID }
        if let routeID { wire.routeID = routeID }
        if let direction { wire.directionID = UInt32(clamping: direction) }
        if let startTime { wire.startTime = startTime }
        if let startDate { wire.startDate = startDate }
        if let relationship {
            wire.scheduleRelationship = .init(rawValue: relationship.rawValue) ?? .scheduled
        }
        return wire
    }
}

extension VehicleLabel {
    var wire: TransitRealtime_VehicleDescriptor {
        var wire = TransitRealtime_VehicleDescriptor()
        if let id { wire.id = id }
        if let label { wire.label = label }
        if let licencePlate { wire.licensePlate = licencePlate }
        if let wheelchair = wheelchair.flatMap(
            TransitRealtime_VehicleDescriptor.WheelchairAccessible.init)
        {
            wire.wheelchairAccessible = wheelchair
        }
        return wire
    }
}

extension TripProperties {
    var wire: TransitRealtime_TripUpdate.TripProperties {
        var wire = TransitRealtime_TripUpdate.TripProperties()
        if let tripID { wire.tripID = tripID }
        if let startDate { wire.startDate = startDate }
        if let startTime { wire.startTime = startTime }
        if let shapeID { wire.shapeID = shapeID }
        if let headsign { wire.tripHeadsign = headsign }
        if let shortName { wire.tripShortName = shortName }
        return wire
    }
}

extension ServiceAlert {
    var wire: TransitRealtime_Alert {
        var wire = TransitRealtime_Alert()
        wire.activePeriod = activePeriods.map(\.wire)
        wire.informedEntity = informed.map(\.wire)
        if let cause = cause.flatMap(TransitRealtime_Alert.Cause.init) { wire.cause = cause }
        if let effect = effect.flatMap(TransitRealtime_Alert.Effect.init) { wire.effect = effect }
        if let severity = severity.flatMap(TransitRealtime_Alert.SeverityLevel.init) {
            wire.severityLevel = severity
        }
        if !header.isEmpty { wire.headerText = Self.wire(header) }
        if !description.isEmpty { wire.descriptionText = Self.wire(description) }
        if !url.isEmpty { wire.url = Self.wire(url) }
        return wire
    }

    private static func wire(_ texts: [Translation]) -> TransitRealtime_TranslatedString {
        var wire = TransitRealtime_TranslatedString()
        wire.translation = texts.map { text in
            var translation = TransitRealtime_TranslatedString.Translation()
            translation.text = text.text
            if !text.language.isEmpty { translation.language = text.language }
            return translation
        }
        return wire
    }
}

extension ServiceAlert.Period {
    fileprivate var wire: TransitRealtime_TimeRange {
        var wire = TransitRealtime_TimeRange()
        if let start { wire.start = UInt64(clamping: start.secondsSinceEpoch) }
        if let end { wire.end = UInt64(clamping: end.secondsSinceEpoch) }
        return wire
    }
}

extension ServiceAlert.Selector {
    fileprivate var wire: TransitRealtime_EntitySelector {
        var wire = TransitRealtime_EntitySelector()
        if let agencyID { wire.agencyID = agencyID }
        if let routeID { wire.routeID = routeID }
        if let stopID { wire.stopID = stopID }
        if let routeType { wire.routeType = Int32(clamping: routeType) }
        if let direction { wire.directionID = UInt32(clamping: direction) }
        if let trip { wire.trip = trip.wire }
        return wire
    }
}
