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
        Self.pool(&probability, rowLength: 2 * slotsPerDay, coveredDays: coveredDays)
        Self.pool(&rates, rowLength: 2, coveredDays: coveredDays)
        let climatology = Climatology(
            slotsPerDay: slotsPerDay, openProbability: probability.map { Float($0) },
            durationSurvival: Self.survival(counts), openingsPerDay: rates.map { Float($0) },
            coveredDays: coveredDays.map { Float($0) })
        guard let climatology else { preconditionFailure("counts gave an impossible table") }
        self = climatology
    }

    private static func smoothed(_ counts: ClimatologyCounts, slotsPerDay: Int) -> [Double] {
        let kernel = CircularGaussian(standardDeviation: smoothingMinutes, length: 1440)
        let width = 1440 / slotsPerDay
        var result: [Double] = []
        for bridge in BridgeIndex.all {
            for dayType in DayType.allCases {
                let start = ClimatologyCounts.cell(bridge, dayType, 0)
                let blocked = kernel.smooth(counts.blocked[start..<start + 1440])
                let covered = kernel.smooth(counts.covered[start..<start + 1440])
                for slot in 0..<slotsPerDay {
                    let minutes = slot * width..<(slot + 1) * width
                    let sum = minutes.reduce(0) { sum, minute in
                        sum + (blocked[minute] + pseudoBlockedShare * pseudoDays)
                            / (covered[minute] + pseudoDays)
                    }
                    result.append(min(max(sum / Double(width), 1e-5), 1 - 1e-5))
                }
            }
        }
        return result
    }

    private static func openingsPerDay(_ counts: ClimatologyCounts) -> [Double] {
        BridgeIndex.all.flatMap { bridge in
            DayType.allCases.map { dayType in
                let days = counts.coveredDays(of: bridge, on: dayType)
                return counts.openings[bridge.rawValue * 2 + dayType.rawValue] / max(days, 1)
            }
        }
    }

    /// Gives rows of bridges without coverage the mean of the rows of the others.
    private static func pool(_ table: inout [Double], rowLength: Int, coveredDays: [Double]) {
        let known = coveredDays.indices.filter { coveredDays[$0] > 0 }
        guard !known.isEmpty else { return }
        for bridge in coveredDays.indices where coveredDays[bridge] == 0 {
            for column in 0..<rowLength {
                table[bridge * rowLength + column] =
                    known.reduce(0) { $0 + table[$1 * rowLength + column] } / Double(known.count)
            }
        }
    }

    private static func survival(_ counts: ClimatologyCounts) -> [Float] {
        let pooled = (0..<survivalCount).map { k in
            BridgeIndex.all.reduce(0) { $0 + counts.longerThan[$1.rawValue * survivalCount + k] }
        }
        let pooledTotal = counts.openings.reduce(0, +)
        return BridgeIndex.all.flatMap { bridge in
            let total = DayType.allCases.reduce(0) {
                $0 + counts.openings[bridge.rawValue * 2 + $1.rawValue]
            }
            return (0..<survivalCount).map { k in
                let prior = pooledTotal > 0 ? pooled[k] / pooledTotal : exp(-Double(k) / 5)
                let own = counts.longerThan[bridge.rawValue * survivalCount + k]
                return Float(min(1, (own + pooledOpenings * prior) / (total + pooledOpenings)))
            }
        }
    }
}

/// Smoothing of a table that has no ends.
struct CircularGaussian {
    private let weights: [Double]
    private let reach: Int

    init(standardDeviation: Double, length: Int) {
        reach = min(Int(standardDeviation * 5), (length - 1) / 2)
        let raw = (-reach...reach).map { exp(-0.5 * pow(Double($0) / standardDeviation, 2)) }
        let sum = raw.reduce(0, +)
        weights = raw.map { $0 / sum }
    }

    func smooth(_ values: ArraySlice<Double>) -> [Double] {
        let input = Array(values)
        let length = input.count
        return input.indices.map { center in
            var sum = 0.0
            for (offset, weight) in weights.enumerated() {
                sum += weight * input[(center + offset - reach + length) % length]
            }
            return sum
        }
    }
}
