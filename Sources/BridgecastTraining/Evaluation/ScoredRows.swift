// The rows of an evaluation: what was forecast, by whom, and what happened.
package import BridgecastCore

/// Who made a forecast.
package enum Forecaster: String, Sendable, CaseIterable, Codable {
    /// The model under evaluation.
    case model
    /// Share of covered minutes blocked by bridge, day type and time of day, before the period.
    case climatology
    /// Share of covered minutes blocked by bridge.
    case baseRate
    /// Opening rate by bridge, weekday and hour over the last 84 covered days before the period.
    case poisson
    /// How often a bridge that is up, or down, is up so much later.
    case persistence
    /// The "bridgelocks" rule of thumb.
    case bridgelocks
    /// Logistic regression on the model's inputs.
    case logistic
}

/// The traffic for which a delay is forecast and scored.
package enum DelayTraffic: String, Sendable, CaseIterable, Codable {
    /// The degree of saturation of the bridge's profile at the arrival.
    case profile
    /// No queue: a bicycle that filters to the front.
    case rho0 = "0"
    /// A degree of saturation of 0.3.
    case rho30 = "0.3"
    /// A degree of saturation of 0.6.
    case rho60 = "0.6"
    /// A degree of saturation of 0.85.
    case rho85 = "0.85"

    /// The degree of saturation, given the profile's.
    func density(profile: Double) -> Double { self == .profile ? profile : Double(rawValue) ?? 0 }
}

/// Forecasts and outcomes in columns, one entry per row.
package struct ScoredRows: Sendable {
    /// The bridge.
    package private(set) var bridges: [BridgeIndex] = []
    /// Index into the evaluation's leads.
    package private(set) var leads: [UInt8] = []
    /// Civil day of the issue time: the block of the bootstrap.
    package private(set) var days: [Int32] = []
    /// Civil hour of the arrival, 0...23.
    package private(set) var hours: [UInt8] = []
    /// Day type of the arrival.
    package private(set) var dayTypes: [DayType] = []
    /// Whether the arrival met a raised span.
    package private(set) var blocked: [Bool] = []
    /// P(blocked) by forecaster.
    package private(set) var probabilities: [Forecaster: [Float]] = [:]
    /// Scores of the delay, by traffic and forecaster: the model and climatology.
    package private(set) var delays: [DelayTraffic: [Forecaster: [DelayRowScore]]] = [:]

    package var count: Int { bridges.count }

    mutating func append(
        bridge: BridgeIndex, lead: Int, day: Int, valid: CivilDateTime, isBlocked: Bool
    ) {
        bridges.append(bridge)
        leads.append(UInt8(lead))
        days.append(Int32(day))
        hours.append(UInt8(valid.hour))
        dayTypes.append(DayType(valid.date))
        blocked.append(isBlocked)
    }

    mutating func append(_ forecaster: Forecaster, probability: Float) {
        probabilities[forecaster, default: []].append(probability)
    }

    mutating func append(_ forecaster: Forecaster, _ traffic: DelayTraffic, _ score: DelayRowScore)
    {
        delays[traffic, default: [:]][forecaster, default: []].append(score)
    }

    /// The rows of several evaluations of different times as one.
    package static func joined(_ parts: [ScoredRows]) -> ScoredRows {
        var all = ScoredRows()
        for part in parts {
            all.bridges += part.bridges
            all.leads += part.leads
            all.days += part.days
            all.hours += part.hours
            all.dayTypes += part.dayTypes
            all.blocked += part.blocked
            all.probabilities.merge(part.probabilities) { $0 + $1 }
            all.delays.merge(part.delays) { $0.merging($1) { $0 + $1 } }
        }
        return all
    }
}
