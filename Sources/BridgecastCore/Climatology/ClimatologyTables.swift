// The numbers behind a climatology, which its copies share.

/// What a ``Climatology`` holds; its properties say what each is.
final class ClimatologyTables: Sendable, Equatable {
    /// Least share of blocked time in any delay bin, so that no bin is impossible.
    private static let leastBinShare: Float = 1e-4

    let slotsPerDay: Int
    let openProbability: BridgeDayTable<Float>
    let durationSurvival: [Float]
    let openingsPerDay: BridgeDayTable<Float>
    let coveredDays: [Float]
    let lengthLaw: LengthLaw?
    /// For each bridge: share of blocked time with a remaining delay in bins 1 to 11.
    let binShares: [Float]
    /// For each bridge and day type: share of a day's openings by the end of each slot.
    let cumulativeShares: BridgeDayTable<Float>

    init(
        slotsPerDay: Int, openProbability: BridgeDayTable<Float>, durationSurvival: [Float],
        openingsPerDay: BridgeDayTable<Float>, coveredDays: [Float]
    ) {
        self.slotsPerDay = slotsPerDay
        self.openProbability = openProbability
        self.durationSurvival = durationSurvival
        self.openingsPerDay = openingsPerDay
        self.coveredDays = coveredDays
        lengthLaw = nil
        binShares = Self.binShares(durationSurvival)
        cumulativeShares = Self.cumulative(openProbability)
    }

    /// The same with another law of lengths.
    init(_ other: ClimatologyTables, lengthLaw: LengthLaw?) {
        slotsPerDay = other.slotsPerDay
        openProbability = other.openProbability
        durationSurvival = other.durationSurvival
        openingsPerDay = other.openingsPerDay
        coveredDays = other.coveredDays
        self.lengthLaw = lengthLaw
        binShares = other.binShares
        cumulativeShares = other.cumulativeShares
    }

    static func == (one: ClimatologyTables, other: ClimatologyTables) -> Bool {
        one === other
            || one.slotsPerDay == other.slotsPerDay
                && one.openProbability == other.openProbability
                && one.durationSurvival == other.durationSurvival
                && one.openingsPerDay == other.openingsPerDay
                && one.coveredDays == other.coveredDays && one.lengthLaw == other.lengthLaw
    }

    private static func binShares(_ survival: [Float]) -> [Float] {
        let limits = DelayBins.limitsSeconds.map { Int($0 / 60) }
        return BridgeIndex.all.flatMap { bridge in
            let row = bridge.rawValue * Climatology.survivalCount
            let shares = (1..<DelayBins.count).map { bin in
                (limits[bin - 1]..<limits[bin]).reduce(leastBinShare) { $0 + survival[row + $1] }
            }
            let sum = shares.reduce(0, +)
            return shares.map { $0 / sum }
        }
    }

    private static func cumulative(_ probability: BridgeDayTable<Float>) -> BridgeDayTable<Float> {
        var result = probability
        var values = result.values.mutableSpan
        for start in stride(from: 0, to: values.count, by: probability.columns) {
            let row = start..<start + probability.columns
            var sum: Float = 0
            for index in row {
                sum += values[index]
                values[index] = sum
            }
            for index in row { values[index] /= sum }
        }
        return result
    }
}
