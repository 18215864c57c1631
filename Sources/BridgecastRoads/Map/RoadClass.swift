// What kind of road an arc is, by OpenStreetMap's `highway`; network files store the raw value.

/// A class of roads, as `highway` of OpenStreetMap tells them apart; ramps have the class of their road.
public enum RoadClass: UInt8, Sendable, CaseIterable {
    case motorway, trunk, primary, secondary, tertiary, unclassified, residential, livingStreet
    /// For bikes and people on foot.
    case trail
    /// For people on foot; bikes are pushed.
    case footway

    /// Whether its streets, ramps aside, are for those who live or work there.
    package var isLocal: Bool {
        switch self {
        case .unclassified, .residential, .livingStreet: true
        default: false
        }
    }
}
