// What a caller of TrafficInference asks, and how its service is set up.
public import BridgecastCore

/// What a caller asks: the delay at a bridge at an arrival time.
public struct ForecastRequest: Sendable, Hashable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// Minutes from issue time to arrival, 0 to ``ForecastTable/farthestMinutes``.
    public var leadMinutes: Double
    /// Degree of saturation of the approach at the arrival, 0 ..< 1; 0 forecasts "blocked".
    public var density: Float

    /// Creates a request.
    public init(bridge: BridgeIndex, leadMinutes: Double, density: Float) {
        self.bridge = bridge
        self.leadMinutes = leadMinutes
        self.density = density
    }

    /// Checks lead and density.
    ///
    /// - Parameter place: Where it stands among the requests, for the message.
    /// - Throws: ``InferenceError/lead(minutes:request:)`` or ``InferenceError/density(_:request:)``.
    func check(place: Int) throws(InferenceError) {
        guard leadMinutes >= 0, leadMinutes <= ForecastTable.farthestMinutes else {
            throw .lead(minutes: leadMinutes, request: place)
        }
        guard density >= 0, density < 1 else { throw .density(density, request: place) }
    }
}
