// The rows of an evaluation: what was forecast, by whom, and what happened.
package import BridgecastCore

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
    /// The confidence that the model's forecast carries.
    package private(set) var confidences: [Confidence] = []
    /// Whether the arrival met a raised span.
    package private(set) var blocked: [Bool] = []
    /// P(blocked) by forecaster.
    package private(set) var probabilities: [Forecaster: [Float]] = [:]
    /// Scores of the delay, by traffic and forecaster: the model and climatology.
    package private(set) var delays: [DelayTraffic: [Forecaster: [DelayRowScore]]] = [:]

    /// Rows: the length of every column.
    package var count: Int { bridges.count }

    /// The rows of leads above 0, which scores are of: at 0 what is known is what happens.
    package var rowsAhead: [Int] { leads.indices.filter { leads[$0] > 0 } }

    mutating func append(
        bridge: BridgeIndex, lead: Int, day: Int, valid: CivilDateTime, confidence: Confidence,
        isBlocked: Bool
    ) {
        bridges.append(bridge)
        leads.append(UInt8(lead))
        days.append(Int32(day))
        hours.append(UInt8(valid.hour))
        dayTypes.append(DayType(valid.date))
        confidences.append(confidence)
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
            all.confidences += part.confidences
            all.blocked += part.blocked
            all.probabilities.merge(part.probabilities) { $0 + $1 }
            all.delays.merge(part.delays) { $0.merging($1) { $0 + $1 } }
        }
        return all
    }

    /// The rows of one bridge alone, in their order.
    package func of(_ bridge: BridgeIndex) -> ScoredRows {
        let places = bridges.indices.filter { bridges[$0] == bridge }
        var rows = ScoredRows()
        rows.bridges = places.map { bridges[$0] }
        rows.leads = places.map { leads[$0] }
        rows.days = places.map { days[$0] }
        rows.hours = places.map { hours[$0] }
        rows.dayTypes = places.map { dayTypes[$0] }
        rows.confidences = places.map { confidences[$0] }
        rows.blocked = places.map { blocked[$0] }
        rows.probabilities = probabilities.mapValues { column in places.map { column[$0] } }
        rows.delays = delays.mapValues { $0.mapValues { column in places.map { column[$0] } } }
        return rows
    }
}
