// Measured traffic with its age: what a feed said of each bridge, used until it is too old.

/// The newest measurement of each bridge.
public struct LiveTraffic: Sendable, Equatable {
    /// A measurement older than this is not used, minutes: the profile takes over.
    public static let stalenessMinutes = 15.0
    private static let freshness = Freshness(limitMinutes: stalenessMinutes)

    private var newest: [BridgeIndex: TrafficReading] = [:]

    /// No measurements.
    public init() {}

    /// Takes readings in; of one bridge the newest counts.
    ///
    /// - Returns: The readings that make no sense: not finite, negative, or of no capacity.
    @discardableResult
    public mutating func add(_ readings: [TrafficReading]) -> [TrafficReading] {
        readings.filter { reading in
            guard reading.measurement.density(of: reading.bridge) != nil else { return true }
            if newest[reading.bridge].map({ $0.measuredAt <= reading.measuredAt }) ?? true {
                newest[reading.bridge] = reading
            }
            return false
        }
    }

    /// Age of a bridge's measurement in minutes; nil without one.
    public func ageMinutes(of bridge: BridgeIndex, at now: Timestamp) -> Double? {
        newest[bridge].map { now.minutes(since: $0.measuredAt) }
    }

    /// The measured density of a bridge, if it is recent enough and was known by then.
    public func density(of bridge: BridgeIndex, at now: Timestamp) -> Double? {
        guard let reading = newest[bridge], Self.freshness.holds(reading.measuredAt, at: now)
        else { return nil }
        return reading.measurement.density(of: bridge)
    }

    /// Densities for a forecast: measured where that is recent, else the profile's.
    public func densities(at now: Timestamp) -> TrafficDensity {
        var result = TrafficDensity()
        for bridge in newest.keys {
            guard let density = density(of: bridge, at: now) else { continue }
            _ = result.set(density, for: bridge)
        }
        return result
    }
}
