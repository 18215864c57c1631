// The forecast from history alone: the prior that the network corrects, and the baseline to beat.
// How it is made from records is in ClimatologyCounts.swift.
import Foundation

/// Open probabilities by bridge, season, day type and time of day, and how long openings last.
///
/// A date between the seasons has a mean of both, weighted by ``Season/summerShare(on:)``.
public struct Climatology: Sendable, Equatable {
    /// Standard deviation of the circular Gaussian that smooths over the time of day.
    public static let smoothingMinutes = 15.0
    /// The prior: this many covered days, of which this share is blocked.
    static let pseudoDays = 1.0
    static let pseudoBlockedShare = 0.02
    /// Opening lengths of all bridges together count as this many openings of each.
    static let pooledOpenings = 10.0
    /// A season's table begins as that of both seasons, counted for this many covered days.
    static let pooledSeasonDays = 20.0

    /// Slots of equal length that a day is divided into.
    public var slotsPerDay: Int { tables.slotsPerDay }
    /// P(blocked), [bridge, season, dayType, slot].
    public var openProbability: BridgeDayTable<Float> { tables.openProbability }
    /// P(an opening lasts longer than k minutes), [bridge, k], k = 0...60.
    public var durationSurvival: [Float] { tables.durationSurvival }
    /// Openings a day, [bridge, season, dayType].
    public var openingsPerDay: BridgeDayTable<Float> { tables.openingsPerDay }
    /// Covered days of each bridge; 0 means that its figures are pooled from other bridges.
    public var coveredDays: [Float] { tables.coveredDays }
    /// Covered days, [bridge, season].
    public var coveredSeasonDays: [Float] { tables.coveredSeasonDays }
    /// How long openings last given what is known; nil if only `durationSurvival` is.
    ///
    /// Climatological probabilities do not use it.
    public package(set) var lengthLaw: LengthLaw? {
        get { tables.lengthLaw }
        set { tables = ClimatologyTables(tables, lengthLaw: newValue) }
    }

    /// One reference, so that copying a climatology is cheap.
    private var tables: ClimatologyTables
    /// The same for copies; unique for as long as one of them is held.
    var identity: ObjectIdentifier { ObjectIdentifier(tables) }

    /// Entries of `durationSurvival` per bridge.
    public static let survivalCount = ClimatologyCounts.longestMinutes + 1
    /// Slots per day of the climatology that a model file carries: one every five minutes.
    public static let modelSlotsPerDay = 288

    /// Creates a climatology from stored tables.
    ///
    /// Parameters are as the properties of the same names. Returns nil if a size does not fit or a value is not a
    /// probability (or, for days and rates, is negative or not finite).
    public init?(
        slotsPerDay: Int, openProbability: [Float], durationSurvival: [Float],
        openingsPerDay: [Float], coveredSeasonDays: [Float]
    ) {
        let bridges = BridgeCatalogue.count
        guard slotsPerDay > 0, slotsPerDay <= ClimatologyCounts.minutesPerDay,
            ClimatologyCounts.minutesPerDay % slotsPerDay == 0,
            durationSurvival.count == bridges * Self.survivalCount,
            coveredSeasonDays.count == bridges * Season.allCases.count,
            openProbability.allSatisfy({ $0 > 0 && $0 < 1 }),
            durationSurvival.allSatisfy({ $0 >= 0 && $0 <= 1 }),
            (openingsPerDay + coveredSeasonDays).allSatisfy({ $0 >= 0 && $0.isFinite }),
            let openProbability = BridgeDayTable(openProbability, columns: slotsPerDay),
            let openingsPerDay = BridgeDayTable(openingsPerDay)
        else { return nil }
        tables = ClimatologyTables(
            slotsPerDay: slotsPerDay, openProbability: openProbability,
            durationSurvival: durationSurvival, openingsPerDay: openingsPerDay,
            coveredSeasonDays: coveredSeasonDays)
    }

    /// P(blocked) at a time, from history alone, 0 < p < 1.
    public func openProbability(of bridge: BridgeIndex, at civil: CivilDateTime) -> Float {
        let slot = civil.secondOfDay * slotsPerDay / 86_400
        return openProbability.mean(
            bridge, DayType(civil.date), slot, summerShare: Season.summerShare(on: civil.date))
    }

    /// Openings a day of each bridge, by ``BridgeIndex``, on days like a date.
    public func openingsPerDay(on date: CivilDate) -> [Float] {
        let dayType = DayType(date)
        let summerShare = Season.summerShare(on: date)
        return BridgeIndex.all.map { openingsPerDay.mean($0, dayType, summerShare: summerShare) }
    }

    /// Openings that a bridge is expected to have on covered days, by ``DayType`` raw value, of the four weeks before
    /// a date with a share of summer.
    func expectedOpenings(
        _ bridge: BridgeIndex, onDays days: [Double], summerShare: Float
    ) -> Double {
        DayType.allCases.reduce(0) { sum, dayType in
            let perDay = openingsPerDay.mean(bridge, dayType, summerShare: summerShare)
            return sum + days[dayType.rawValue] * Double(perDay)
        }
    }

    /// The history of each bridge, by ``BridgeIndex``, on days like a date.
    package func history(on date: CivilDate) -> [BridgeHistory] {
        zip(BridgeIndex.all, openingsPerDay(on: date)).map { bridge, perDay in
            BridgeHistory(
                openingsPerDay: Double(perDay), coveredDays: Double(coveredDays[bridge.rawValue]),
                coveredDaysOfSeason: coveredDays(of: bridge, like: date))
        }
    }

    /// Covered days of a bridge in the season that has the larger share of a date.
    package func coveredDays(of bridge: BridgeIndex, like date: CivilDate) -> Double {
        coveredDays(of: bridge, in: Season.summerShare(on: date) < 0.5 ? .winter : .summer)
    }

    /// Covered days of a bridge in a season.
    package func coveredDays(of bridge: BridgeIndex, in season: Season) -> Double {
        Double(coveredSeasonDays[bridge.rawValue * Season.allCases.count + season.rawValue])
    }

    /// P(an opening lasts longer than `total` minutes, given that it has lasted `elapsed`), 0 < p <= 1.
    ///
    /// One opening in a thousand is assumed to last another 20 minutes on average at any age, so that the ratio
    /// is defined beyond the longest opening of the records.
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
    /// A queue makes an opening last `1 / (1 - rho)` times as long for vehicles that arrive; the delay of a vehicle
    /// that is delayed is uniform over the opening's length for any `rho`, so its bins follow from the
    /// lengths alone.
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

    /// Expected openings of a bridge between two times of one civil day.
    package func expectedOpenings(
        _ bridge: BridgeIndex, on dayType: DayType, from start: CivilDateTime, to end: CivilDateTime
    ) -> Float {
        let summerShare = Season.summerShare(on: end.date)
        return max(
            0,
            expectedOpenings(bridge, dayType, until: end, summerShare: summerShare)
                - expectedOpenings(bridge, dayType, until: start, summerShare: summerShare))
    }

    /// Expected openings from the beginning of a day.
    private func expectedOpenings(
        _ bridge: BridgeIndex, _ dayType: DayType, until civil: CivilDateTime, summerShare: Float
    ) -> Float {
        let position = civil.minuteOfDay * Double(slotsPerDay) / 1440
        let slot = min(Int(position), slotsPerDay - 1)
        func mean(_ slot: Int) -> Float {
            slot < 0
                ? 0
                : tables.cumulativeOpenings.mean(bridge, dayType, slot, summerShare: summerShare)
        }
        let before = mean(slot - 1)
        return before + (mean(slot) - before) * Float(position - Double(slot))
    }

    private func survival(_ bridge: BridgeIndex, _ minutes: Double) -> Double {
        guard minutes < Double(ClimatologyCounts.longestMinutes) else { return 0 }
        let lower = Int(minutes)
        let row = bridge.rawValue * Self.survivalCount
        let low = Double(durationSurvival[row + lower])
        let high = Double(durationSurvival[row + lower + 1])
        return low + (high - low) * (minutes - Double(lower))
    }

    /// P(delay) of an arrival by history alone, 0 < p < 1; compares with ``DelayDistribution/probabilityDelayed``
    /// of a forecast for the same time and density.
    ///
    /// - Parameters:
    ///   - density: Degree of saturation of the approach at the arrival, 0 ..< 1.
    ///   - situation: Corrects the rate of a bridge with little history; nil for no correction.
    package func climatologicalProbabilityDelayed(
        at bridge: BridgeIndex, arrival: Timestamp, density: Double, in situation: Situation? = nil
    ) -> Double {
        let blocked = climatologicalProbabilityBlocked(at: bridge, arrival: arrival, in: situation)
        return -expm1(log1p(-Double(blocked)) / (1 - density))
    }

    /// Mean length of a bridge's openings, minutes, 0...60; longer ones count as an hour.
    package func meanOpeningMinutes(_ bridge: BridgeIndex) -> Double {
        let row = bridge.rawValue * Self.survivalCount
        let survival = durationSurvival[row..<row + Self.survivalCount].map(Double.init)
        return zip(survival, survival.dropFirst()).reduce(0) { $0 + ($1.0 + $1.1) / 2 }
    }

    /// P(blocked) of an arrival by history, corrected by the bridge's own count where it has little; 0 < p < 1.
    package func climatologicalProbabilityBlocked(
        at bridge: BridgeIndex, arrival: Timestamp, in situation: Situation?
    ) -> Float {
        rateRatio(of: bridge, in: situation)
            .scaled(openProbability(of: bridge, at: SeattleTime.civil(at: arrival)))
    }

    /// The history of each bridge, by ``BridgeIndex``, on days like a date, in a situation.
    package func history(on date: CivilDate, in situation: Situation) -> [BridgeHistory] {
        zip(BridgeIndex.all, history(on: date)).map { bridge, past in
            var past = past
            past.openingsPerDay *= Double(rateRatio(of: bridge, in: situation).value)
            return past
        }
    }

    private func rateRatio(of bridge: BridgeIndex, in situation: Situation?) -> RateRatio {
        situation.map { RateRatio(bridge, in: $0, self) } ?? .one
    }
}

// MARK: - Tables

/// The tables of a ``Climatology``, whose properties document them.
final class ClimatologyTables: Sendable, Equatable {
    /// Smallest share of blocked time in any delay bin, so that no bin is impossible.
    private static let minBinShare: Float = 1e-4

    let slotsPerDay: Int
    let openProbability: BridgeDayTable<Float>
    let durationSurvival: [Float]
    let openingsPerDay: BridgeDayTable<Float>
    let coveredSeasonDays: [Float]
    /// Of both seasons, [bridge].
    let coveredDays: [Float]
    let lengthLaw: LengthLaw?
    /// For each bridge: share of blocked time with a remaining delay in bins 1 to 11.
    let binShares: [Float]
    /// Expected openings of a day by the end of each slot, [bridge, season, dayType, slot].
    let cumulativeOpenings: BridgeDayTable<Float>

    init(
        slotsPerDay: Int, openProbability: BridgeDayTable<Float>, durationSurvival: [Float],
        openingsPerDay: BridgeDayTable<Float>, coveredSeasonDays: [Float]
    ) {
        self.slotsPerDay = slotsPerDay
        self.openProbability = openProbability
        self.durationSurvival = durationSurvival
        self.openingsPerDay = openingsPerDay
        self.coveredSeasonDays = coveredSeasonDays
        coveredDays = BridgeIndex.all.map { bridge in
            let seasons = Season.allCases.count
            return coveredSeasonDays[bridge.rawValue * seasons..<(bridge.rawValue + 1) * seasons]
                .reduce(0, +)
        }
        lengthLaw = nil
        binShares = Self.binShares(durationSurvival)
        cumulativeOpenings = Self.cumulative(openProbability, openingsPerDay)
    }

    init(_ other: ClimatologyTables, lengthLaw: LengthLaw?) {
        slotsPerDay = other.slotsPerDay
        openProbability = other.openProbability
        durationSurvival = other.durationSurvival
        openingsPerDay = other.openingsPerDay
        coveredSeasonDays = other.coveredSeasonDays
        coveredDays = other.coveredDays
        self.lengthLaw = lengthLaw
        binShares = other.binShares
        cumulativeOpenings = other.cumulativeOpenings
    }

    static func == (one: ClimatologyTables, other: ClimatologyTables) -> Bool {
        one === other
            || one.slotsPerDay == other.slotsPerDay && one.openProbability == other.openProbability
                && one.durationSurvival == other.durationSurvival
                && one.openingsPerDay == other.openingsPerDay
                && one.coveredSeasonDays == other.coveredSeasonDays
                && one.lengthLaw == other.lengthLaw
    }

    private static func binShares(_ survival: [Float]) -> [Float] {
        let limits = DelayBins.limitsSeconds.map { Int($0 / 60) }
        return BridgeIndex.all.flatMap { bridge in
            let row = bridge.rawValue * Climatology.survivalCount
            let shares = (1..<DelayBins.count).map { bin in
                (limits[bin - 1]..<limits[bin]).reduce(minBinShare) { $0 + survival[row + $1] }
            }
            let sum = shares.reduce(0, +)
            return shares.map { $0 / sum }
        }
    }

    /// Openings are spread over a day as the time blocked is.
    private static func cumulative(
        _ probability: BridgeDayTable<Float>, _ perDay: BridgeDayTable<Float>
    ) -> BridgeDayTable<Float> {
        var result = probability
        var values = result.values.mutableSpan
        for (number, openings) in perDay.values.enumerated() {
            let row = number * probability.columns..<(number + 1) * probability.columns
            var sum: Float = 0
            for index in row {
                sum += values[index]
                values[index] = sum
            }
            for index in row { values[index] *= openings / sum }
        }
        return result
    }
}

/// Numbers by bridge, season and day type, one or a row of them each: [bridge, season, dayType, column].
public struct BridgeDayTable<Number: BinaryFloatingPoint & Sendable>: Sendable, Equatable {
    /// All numbers, row after row.
    public internal(set) var values: [Number]
    /// Numbers of each bridge, season and day type.
    public let columns: Int

    /// Rows of each bridge.
    package static var rowsPerBridge: Int { Season.allCases.count * DayType.allCases.count }
    private static var rowCount: Int { BridgeCatalogue.count * rowsPerBridge }

    /// Creates a table from its numbers; nil if their number does not fit.
    init?(_ values: [Number], columns: Int = 1) {
        guard values.count == Self.rowCount * columns else { return nil }
        self.values = values
        self.columns = columns
    }

    package init(repeating number: Number = 0, columns: Int = 1) {
        values = Array(repeating: number, count: Self.rowCount * columns)
        self.columns = columns
    }

    /// A number.
    public package(set) subscript(
        bridge: BridgeIndex, season: Season, dayType: DayType, column: Int = 0
    ) -> Number {
        get { values[start(bridge, season, dayType) + column] }
        set { values[start(bridge, season, dayType) + column] = newValue }
    }

    func row(_ bridge: BridgeIndex, _ season: Season, _ dayType: DayType) -> ArraySlice<Number> {
        let start = start(bridge, season, dayType)
        return values[start..<start + columns]
    }

    /// The sums of both seasons' rows, [column].
    func row(_ bridge: BridgeIndex, _ dayType: DayType) -> [Number] {
        zip(row(bridge, .winter, dayType), row(bridge, .summer, dayType)).map { $0 + $1 }
    }

    func sum(of bridge: BridgeIndex) -> Number {
        DayType.allCases.reduce(0) { $0 + row(bridge, $1).reduce(0, +) }
    }

    /// Gives unknown bridges the mean of the known ones.
    mutating func pool(where isKnown: (BridgeIndex) -> Bool) {
        let known = BridgeIndex.all.filter(isKnown)
        guard !known.isEmpty else { return }
        let width = Self.rowsPerBridge * columns
        for bridge in BridgeIndex.all where !isKnown(bridge) {
            for index in 0..<width {
                values[bridge.rawValue * width + index] =
                    known.reduce(0) { $0 + values[$1.rawValue * width + index] }
                    / Number(known.count)
            }
        }
    }

    private func start(_ bridge: BridgeIndex, _ season: Season, _ dayType: DayType) -> Int {
        ((bridge.rawValue * Season.allCases.count + season.rawValue) * DayType.allCases.count
            + dayType.rawValue) * columns
    }
}

extension BridgeDayTable<Float> {
    /// The mean of both seasons' numbers at a date with a share of summer, 0...1.
    func mean(
        _ bridge: BridgeIndex, _ dayType: DayType, _ column: Int = 0, summerShare: Float
    ) -> Float {
        let winter = self[bridge, .winter, dayType, column]
        return winter + summerShare * (self[bridge, .summer, dayType, column] - winter)
    }
}
