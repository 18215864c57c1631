// The rows of an evaluation: what was forecast, by whom, and what happened.
package import BridgecastCore

/// Who made a forecast.
package enum Forecaster: String, Sendable, CaseIterable, Codable {
    /// The model under evaluation.
    case model
    /// Share of covered minutes blocked by bridge, day type and time of day, before the period.
    case climatology
    /// Opening rate by bridge, weekday and hour over the last 84 covered days before the period.
    case poisson
}

/// Forecasts and outcomes in columns, one entry per row.
package struct ScoredRows: Sendable {
    /// The bridge.
    package private(set) var bridges: [BridgeIndex] = []
    /// Index into the evaluation's leads.
    package private(set) var leads: [UInt8] = []
    /// Civil day of the issue time: the block of the bootstrap.
    package private(set) var days: [Int32] = []
    /// Whether the arrival met a raised span.
    package private(set) var blocked: [Bool] = []
    /// P(blocked) by forecaster.
    package private(set) var probabilities: [Forecaster: [Float]] = [:]
    /// Delay at the profile's density that happened, seconds.
    package private(set) var delays: [Float] = []
    /// Delay distributions at the profile's density; Poisson gives none.
    package private(set) var distributions: [Forecaster: [DelayDistribution]] = [:]

    package var count: Int { bridges.count }

    mutating func append(
        bridge: BridgeIndex, lead: Int, day: Int, isBlocked: Bool, delaySeconds: Double
    ) {
        bridges.append(bridge)
        leads.append(UInt8(lead))
        days.append(Int32(day))
        blocked.append(isBlocked)
        delays.append(Float(delaySeconds))
    }

    mutating func append(
        _ forecaster: Forecaster, probability: Float, distribution: DelayDistribution?
    ) {
        probabilities[forecaster, default: []].append(probability)
        if let distribution { distributions[forecaster, default: []].append(distribution) }
    }
}
