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

    /// Slots of equal length that a day is divided into.
    public var slotsPerDay: Int { tables.slotsPerDay }
    /// P(blocked), [bridge, dayType, slot].
    public var openProbability: BridgeDayTable<Float> { tables.openProbability }
    /// P(an opening lasts longer than k minutes), [bridge, k], k = 0...60.
    public var durationSurvival: [Float] { tables.durationSurvival }
    /// Openings per covered day, [bridge, dayType].
    public var openingsPerDay: BridgeDayTable<Float> { tables.openingsPerDay }
    /// Covered days behind each bridge's figures; 0 means they are pooled from other bridges.
    public var coveredDays: [Float] { tables.coveredDays }
    /// How long openings last given what is known; nil if only `durationSurvival` is.
    ///
    /// What is usual does not use it.
    public package(set) var lengthLaw: LengthLaw? {
        get { tables.lengthLaw }
        set { tables = ClimatologyTables(tables, lengthLaw: newValue) }
    }

    /// All of it behind one reference: rows of a forecast pass it on.
    private var tables: ClimatologyTables
    /// The same for copies, which nobody else has while one of them is held.
    var identity: ObjectIdentifier { ObjectIdentifier(tables) }

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
        tables = ClimatologyTables(
            slotsPerDay: slotsPerDay, openProbability: openProbability,
            durationSurvival: durationSurvival, openingsPerDay: openingsPerDay,
            coveredDays: coveredDays)
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
        DelayDistribution(
            none: exp(log1p(-openProbability) / (1 - density)), shares: shares(of: bridge))
    }

    /// Shares of a bridge's blocked time with a remaining delay in bins 1 to 11.
    func shares(of bridge: BridgeIndex) -> InlineArray<11, Float> {
        InlineArray { tables.binShares[bridge.rawValue * (DelayBins.count - 1) + $0] }
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
        let before = slot == 0 ? 0 : tables.cumulativeShares[bridge, dayType, slot - 1]
        let after = tables.cumulativeShares[bridge, dayType, slot]
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
}
