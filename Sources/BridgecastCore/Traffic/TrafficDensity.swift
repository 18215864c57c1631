// The traffic density a forecast is made for: the profile's, unless a measurement overrides it.
// Belongs here: how saturated the approaches of a bridge are; not: what that does to delays (Delay).

/// Degrees of saturation by bridge: the profile's model, or given values.
public struct TrafficDensity: Sendable, Equatable {
    /// A given value per bridge that replaces the profile, by ``BridgeIndex``; 0 ..< 1.
    private var given: [Double?] = Array(repeating: nil, count: BridgeCatalogue.count)

    /// The profile's values for all bridges.
    public init() {}

    /// Sets a bridge's density; values above ``TrafficProfile/maximumDensity`` are cut there.
    ///
    /// - Returns: Whether the value is a degree of saturation, 0 ..< 1; if not, nothing changes.
    public mutating func set(_ density: Double, for bridge: BridgeIndex) -> Bool {
        guard density >= 0, density < 1 else { return false }
        given[bridge.rawValue] = min(density, TrafficProfile.maximumDensity)
        return true
    }

    /// Sets a bridge's density from a live measurement.
    ///
    /// - Returns: Whether the measurement makes sense; if not, nothing changes.
    public mutating func set(_ measurement: TrafficMeasurement, for bridge: BridgeIndex) -> Bool {
        guard let density = measurement.density(of: bridge) else { return false }
        return set(density, for: bridge)
    }

    /// The degree of saturation of a bridge's approach at a moment, 0 ..< 1.
    public func density(of bridge: BridgeIndex, at moment: Timestamp) -> Double {
        given[bridge.rawValue] ?? TrafficProfile.density(of: bridge, at: moment)
    }
}
