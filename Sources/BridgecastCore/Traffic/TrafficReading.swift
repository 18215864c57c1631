// A measurement of traffic with its time, as feeds and files give it.

/// A measurement of the traffic towards a bridge.
public struct TrafficReading: Sendable, Equatable {
    /// The bridge.
    public var bridge: BridgeIndex
    /// What was measured.
    public var measurement: TrafficMeasurement
    /// When it was true.
    public var measuredAt: Timestamp

    /// Creates a reading.
    public init(bridge: BridgeIndex, measurement: TrafficMeasurement, measuredAt: Timestamp) {
        (self.bridge, self.measurement, self.measuredAt) = (bridge, measurement, measuredAt)
    }
}
