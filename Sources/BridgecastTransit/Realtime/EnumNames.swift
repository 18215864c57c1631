// The names of the specification's enums, for feeds in JSON and for documents.

/// The names of an enum with their numbers (gtfs.org, GTFS Realtime reference).
package struct EnumNames: Sendable {
    /// Such as `MANY_SEATS_AVAILABLE`, with its number.
    package let names: [(number: Int, name: String)]
    /// By folded name.
    private let numbers: [String: Int]

    /// Names in order, the first one with the number `first`; an empty one leaves its number out.
    private init(_ names: String..., from first: Int = 0) {
        self.names = names.enumerated().map { ($0.offset + first, $0.element) }
            .filter { !$0.1.isEmpty }
        numbers = Dictionary(
            uniqueKeysWithValues: self.names.map { (JSONTree.folded($0.name), $0.number) })
    }

    /// The name of a number; nil if it has none.
    package func name(of number: Int) -> String? { names.first { $0.number == number }?.name }

    /// The number of a name in any spelling; nil if there is no such name.
    package func number(of name: String) -> Int? { numbers[JSONTree.folded(name)] }

    /// `FeedHeader.Incrementality`.
    package static let incrementality = Self("FULL_DATASET", "DIFFERENTIAL")
    /// `TripDescriptor.ScheduleRelationship`.
    package static let tripRelationship = Self(
        "SCHEDULED", "ADDED", "UNSCHEDULED", "CANCELED", "", "REPLACEMENT", "DUPLICATED",
        "DELETED", "NEW")
    /// `StopTimeUpdate.ScheduleRelationship`.
    package static let stopRelationship = Self("SCHEDULED", "SKIPPED", "NO_DATA", "UNSCHEDULED")
    /// `VehiclePosition.VehicleStopStatus`.
    package static let stopStatus = Self("INCOMING_AT", "STOPPED_AT", "IN_TRANSIT_TO")
    /// `VehiclePosition.CongestionLevel`.
    package static let congestionLevel = Self(
        "UNKNOWN_CONGESTION_LEVEL", "RUNNING_SMOOTHLY", "STOP_AND_GO", "CONGESTION",
        "SEVERE_CONGESTION")
    /// `VehiclePosition.OccupancyStatus`.
    package static let occupancy = Self(
        "EMPTY", "MANY_SEATS_AVAILABLE", "FEW_SEATS_AVAILABLE", "STANDING_ROOM_ONLY",
        "CRUSHED_STANDING_ROOM_ONLY", "FULL", "NOT_ACCEPTING_PASSENGERS", "NO_DATA_AVAILABLE",
        "NOT_BOARDABLE")
    /// `VehicleDescriptor.WheelchairAccessible`.
    package static let wheelchair = Self(
        "NO_VALUE", "UNKNOWN", "WHEELCHAIR_ACCESSIBLE", "WHEELCHAIR_INACCESSIBLE")
    /// `Alert.Cause`.
    package static let cause = Self(
        "UNKNOWN_CAUSE", "OTHER_CAUSE", "TECHNICAL_PROBLEM", "STRIKE", "DEMONSTRATION",
        "ACCIDENT", "HOLIDAY", "WEATHER", "MAINTENANCE", "CONSTRUCTION", "POLICE_ACTIVITY",
        "MEDICAL_EMERGENCY", from: 1)
    /// `Alert.Effect`.
    package static let effect = Self(
        "NO_SERVICE", "REDUCED_SERVICE", "SIGNIFICANT_DELAYS", "DETOUR", "ADDITIONAL_SERVICE",
        "MODIFIED_SERVICE", "OTHER_EFFECT", "UNKNOWN_EFFECT", "STOP_MOVED", "NO_EFFECT",
        "ACCESSIBILITY_ISSUE", from: 1)
    /// `Alert.SeverityLevel`.
    package static let severity = Self("UNKNOWN_SEVERITY", "INFO", "WARNING", "SEVERE", from: 1)
}
