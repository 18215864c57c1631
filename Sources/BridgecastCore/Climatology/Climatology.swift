// The forecast from history alone: the prior that the network corrects, and the baseline to beat.
// Belongs here: what is usual by bridge, day type and time of day; not: forecasts, which correct it.
import Foundation

/// Open probabilities by bridge, day type and time of day, and how long openings last.
public struct Climatology: Sendable, Equatable {
    /// Standard deviation of the circular Gaussian that smooths over the time of day.
    public static let smoothingMinutes = 15.0
    /// The prior weight of one covered day, and the share of it that is blocked.
    static let pseudoDays = 1.0
    static let pseudoBlockedShare = 0.02
    /// Opening lengths of all bridges count as this many openings of each.
    static let pooledOpenings = 10.0
    /// Least share of blocked time in any delay bin, so that no bin is impossible.
    static let leastBinShare: Float = 1e-4

    /// Slots of equal length that a day is divided into.
    public let slotsPerDay: Int
    /// P(blocked), [bridge, dayType, slot].
    public let openProbability: BridgeDayTable<Float>
    /// P(an opening lasts longer than k minutes), [bridge, k], k = 0...60.
    public let durationSurvival: [Float]
    /// Openings per covered day, [bridge, dayType].
    public let openingsPerDay: BridgeDayTable<Float>
    /// Covered days behind each bridge's figures; 0 means they are pooled from other bridges.
    public let coveredDays: [Float]
    /// How long openings last given what is known; nil if only `durationSurvival` is.
    ///
    /// What is usual does not use it.
    public package(set) var lengthLaw: LengthLaw?

    /// For each bridge: share of blocked time with a remaining delay in bins 1 to 11.
    private let binShares: [Float]
    /// For each bridge and day type: share of a day's openings by the end of each slot.
    private let cumulativeShares: BridgeDayTable<Float>

    /// Entries of `durationSurvival` per bridge.
    public static let survivalCount = ClimatologyCounts.longestMinutes + 1
    /// Slots per day of the climatology that a model file carries: one every five minutes.
    public static let modelSlotsPerDay = 288

    /// Creates a climatology from stored tables.
    ///
    /// - Parameters: As the properties of the same names; returns nil if a size does not fit or a
    ///   value is not a probability (or, for days and rates, is negative or not finite).
    public init?(
        slotsPerDay: Int, openProbability: [Float], durationSurvival: [Float],
        openingsPerDay: [Float], coveredDays: [Float]
    ) {
        let bridges = BridgeCatalogue.count
        guard slotsPerDay > 0, slotsPerDay <= ClimatologyCounts.minutesPerDay,
            ClimatologyCounts.minutesPerDay % slotsPerDay == 0,
            durationSurvival.count == bridges * Self.survivalCount, coveredDays.count == bridges,
            openProbability.allSatisfy({ $0 > 0 && $0 < 1 }),
            durationSurvival.allSatisfy({ $0 >= 0 && $0 <= 1 }),
            (openingsPerDay + coveredDays).allSatisfy({ $0 >= 0 && $0.isFinite }),
            let openProbability = BridgeDayTable(openProbability, columns: slotsPerDay),
            let openingsPerDay = BridgeDayTable(openingsPerDay)
        else { return nil }
        self.slotsPerDay = slotsPerDay
        self.openProbability = openProbability
        self.durationSurvival = durationSurvival
        self.openingsPerDay = openingsPerDay
        self.coveredDays = coveredDays
        binShares = Self.binShares(durationSurvival)
        cumulativeShares = Self.cumulative(openProbability)
    }

    /// P(blocked) at a moment, from history alone, 0 < p < 1.
    public func openProbability(of bridge: BridgeIndex, at civil: CivilDateTime) -> Float {
        let slot = civil.secondOfDay * slotsPerDay / 86_400
        return openProbability[bridge, DayType(civil.date), slot]
    }

    /// Openings a day of each bridge, by ``BridgeIndex``, on days like a date.
    public func openingsPerDay(on date: CivilDate) -> [Float] {
        let dayType = DayType(date)
        return BridgeIndex.all.map { openingsPerDay[$0, dayType] }
    }

    /// What the past says of each bridge, by ``BridgeIndex``, on days like a date.
    package func history(on date: CivilDate) -> [BridgeHistory] {
        zip(openingsPerDay(on: date), coveredDays).map {
            BridgeHistory(openingsPerDay: Double($0), coveredDays: Double($1))
        }
    }

    /// P(an opening lasts longer than `total` minutes, given that it has lasted `elapsed`), 0 < p <= 1.
    ///
    /// One opening in a thousand is taken to fade only slowly, with a mean of 20 minutes more, so
    /// that the ratio holds beyond the longest opening of the records.
    public func probabilityOutlasts(
        _ bridge: BridgeIndex, total: Double, elapsed: Double
    ) -> Double {
        guard total > elapsed else { return 1 }
        func survival(_ minutes: Double) -> Double {
            0.999 * self.survival(bridge, minutes) + 0.001 * exp(-minutes / 20)
        }
        // The ratio no longer depends on the age after the longest opening of the tables.
        let age = min(max(0, elapsed), Double(ClimatologyCounts.longestMinutes))
        return survival(age + total - elapsed) / survival(age)
    }

    /// The climatological delay distribution for an open probability and a degree of saturation.
    ///
    /// A queue makes an opening last `1 / (1 - rho)` times as long for those who arrive; the delay
    /// of one who is delayed is uniform over the opening's length whatever `rho` is, so its bins
    /// follow from the lengths alone.
    ///
    /// - Parameters:
    ///   - openProbability: P(blocked), 0 < p < 1.
    ///   - density: Degree of saturation, 0 ..< 1.
    package func delay(
        _ bridge: BridgeIndex, openProbability: Float, density: Float
    ) -> DelayDistribution {
        Self.delay(shares(of: bridge), openProbability: openProbability, density: density)
    }

    /// The same for the shares of a bridge that are at hand.
    @inline(__always)
    static func delay(
        _ shares: InlineArray<11, Float>, openProbability: Float, density: Float
    ) -> DelayDistribution {
        DelayDistribution(none: exp(log1p(-openProbability) / (1 - density)), shares: shares)
    }

    /// Shares of a bridge's blocked time with a remaining delay in bins 1 to 11.
    func shares(of bridge: BridgeIndex) -> InlineArray<11, Float> {
        InlineArray { binShares[bridge.rawValue * (DelayBins.count - 1) + $0] }
    }

    /// Openings to expect of a bridge between two times of one civil day, by climatology.
    package func expectedOpenings(
        _ bridge: BridgeIndex, on dayType: DayType, from start: CivilDateTime, to end: CivilDateTime
    ) -> Float {
        let shares =
            cumulativeShare(bridge, dayType, end) - cumulativeShare(bridge, dayType, start)
        return max(0, shares) * openingsPerDay[bridge, dayType]
    }

    private func cumulativeShare(
        _ bridge: BridgeIndex, _ dayType: DayType, _ civil: CivilDateTime
    ) -> Float {
        let position = civil.minuteOfDay * Double(slotsPerDay) / 1440
        let slot = min(Int(position), slotsPerDay - 1)
        let before = slot == 0 ? 0 : cumulativeShares[bridge, dayType, slot - 1]
        let after = cumulativeShares[bridge, dayType, slot]
        return before + (after - before) * Float(position - Double(slot))
    }

    private func survival(_ bridge: BridgeIndex, _ minutes: Double) -> Double {
        guard minutes < Double(ClimatologyCounts.longestMinutes) else { return 0 }
        let lower = Int(minutes)
        let row = bridge.rawValue * Self.survivalCount
        let low = Double(durationSurvival[row + lower])
        let high = Double(durationSurvival[row + lower + 1])
        return low + (high - low) * (minutes - Double(lower))
    }

    private static func binShares(_ survival: [Float]) -> [Float] {
        let limits = DelayBins.limitsSeconds.map { Int($0 / 60) }
        return BridgeIndex.all.flatMap { bridge in
            let row = bridge.rawValue * survivalCount
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
