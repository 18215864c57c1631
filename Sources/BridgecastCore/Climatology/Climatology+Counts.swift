// Making a climatology from counts: smoothing, shrinkage, and pooling where a bridge has no records.
import Foundation

extension Climatology {
    /// Smooths counts into a climatology.
    ///
    /// The share of covered minutes blocked at each minute of the day is smoothed circularly by a
    /// Gaussian of 15 minutes, with pseudo-counts of 0.02 blocked in 1 covered day; a slot is the
    /// mean of its minutes. A bridge without covered days takes the mean of the others.
    ///
    /// - Precondition: The slots divide the day.
    /// - Parameters:
    ///   - slotsPerDay: A divisor of 1440; 1440 is the fixed baseline of the evaluation.
    public init(_ counts: ClimatologyCounts, slotsPerDay: Int = Climatology.modelSlotsPerDay) {
        precondition(1440 % slotsPerDay == 0, "slots must divide the day")
        let coveredDays = BridgeIndex.all.map { bridge in
            DayType.allCases.reduce(0) { $0 + counts.coveredDays(of: bridge, on: $1) }
        }
        var probability = Self.smoothed(counts, slotsPerDay: slotsPerDay)
        var rates = Self.openingsPerDay(counts)
        probability.pool { coveredDays[$0.rawValue] > 0 }
        rates.pool { coveredDays[$0.rawValue] > 0 }
        let climatology = Climatology(
            slotsPerDay: slotsPerDay, openProbability: probability.values.map { Float($0) },
            durationSurvival: Self.survival(counts),
            openingsPerDay: rates.values.map { Float($0) },
            coveredDays: coveredDays.map { Float($0) })
        guard let climatology else { preconditionFailure("counts gave an impossible table") }
        self = climatology
    }

    private static func smoothed(
        _ counts: ClimatologyCounts, slotsPerDay: Int
    ) -> BridgeDayTable<Double> {
        let kernel = CircularGaussian(standardDeviation: smoothingMinutes, length: 1440)
        let width = 1440 / slotsPerDay
        var result = BridgeDayTable<Double>(columns: slotsPerDay)
        for bridge in BridgeIndex.all {
            for dayType in DayType.allCases {
                let blocked = kernel.smooth(counts.blocked.row(bridge, dayType))
                let covered = kernel.smooth(counts.covered.row(bridge, dayType))
                for slot in 0..<slotsPerDay {
                    let minutes = slot * width..<(slot + 1) * width
                    let sum = minutes.reduce(0) { sum, minute in
                        sum + (blocked[minute] + pseudoBlockedShare * pseudoDays)
                            / (covered[minute] + pseudoDays)
                    }
                    result[bridge, dayType, slot] = min(
                        max(sum / Double(width), 1e-5), 1 - 1e-5)
                }
            }
        }
        return result
    }

    private static func openingsPerDay(_ counts: ClimatologyCounts) -> BridgeDayTable<Double> {
        var result = BridgeDayTable<Double>()
        for bridge in BridgeIndex.all {
            for dayType in DayType.allCases {
                let days = counts.coveredDays(of: bridge, on: dayType)
                result[bridge, dayType] = counts.openings[bridge, dayType] / max(days, 1)
            }
        }
        return result
    }

    private static func survival(_ counts: ClimatologyCounts) -> [Float] {
        let pooled = (0..<survivalCount).map { k in
            BridgeIndex.all.reduce(0) { $0 + counts.longerThan[$1.rawValue * survivalCount + k] }
        }
        let pooledTotal = counts.openings.values.reduce(0, +)
        return BridgeIndex.all.flatMap { bridge in
            let total = counts.openings.sum(of: bridge)
            return (0..<survivalCount).map { k in
                let prior = pooledTotal > 0 ? pooled[k] / pooledTotal : exp(-Double(k) / 5)
                let own = counts.longerThan[bridge.rawValue * survivalCount + k]
                return Float(min(1, (own + pooledOpenings * prior) / (total + pooledOpenings)))
            }
        }
    }
}
