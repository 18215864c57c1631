// From records to a climatology: counts, then smoothing, shrinkage, and pooling where a bridge has no records.
import Foundation

/// Blocked and covered minutes by bridge, season, day type and minute of the day, and opening lengths.
///
/// Counts of disjoint days add up. A day between the seasons counts for both, with its shares of them.
public struct ClimatologyCounts: Sendable {
    /// Minutes of the day.
    static let minutesPerDay = 1440
    /// Opening lengths are counted in whole minutes up to this many.
    static let longestMinutes = 60

    /// Blocked minutes, [bridge, season, dayType, minute].
    private(set) var blocked = BridgeDayTable<Double>(columns: minutesPerDay)
    /// Covered minutes, [bridge, season, dayType, minute].
    private(set) var covered = BridgeDayTable<Double>(columns: minutesPerDay)
    /// Openings longer than k minutes, [bridge, k], k = 0...60.
    private(set) var longerThan = [Double](
        repeating: 0, count: BridgeCatalogue.count * (longestMinutes + 1))
    /// Openings, [bridge, season, dayType].
    private(set) var openings = BridgeDayTable<Double>()
    /// Openings whose length is believed, [bridge].
    private(set) var measured = [Double](repeating: 0, count: BridgeCatalogue.count)

    /// Creates counts of nothing.
    public init() {}

    /// The sums over a history's covered time.
    public init(_ history: OpeningHistory) {
        self = Self.folds(of: history, count: 1) { _ in 0 }[0]
    }

    /// The sums of each fold of days, for climatologies that leave some days out.
    ///
    /// - Parameter fold: The fold of a date, 0..<count.
    package static func folds(
        of history: OpeningHistory, count: Int, fold: (CivilDate) -> Int
    ) -> [ClimatologyCounts] {
        var folds = Array(repeating: ClimatologyCounts(), count: count)
        for bridge in BridgeIndex.all {
            for period in history.coverage.periods[bridge.rawValue] {
                forEachMinute(of: period) { day, minute, share in
                    folds[fold(day.date)].covered.add(share, at: bridge, on: day, minute: minute)
                }
                for opening in history.openings(of: bridge, overlapping: period) {
                    guard let end = opening.end else { continue }
                    let visible = (opening.start..<end).clamped(to: period)
                    forEachMinute(of: visible) { day, minute, share in
                        folds[fold(day.date)].blocked.add(
                            share, at: bridge, on: day, minute: minute)
                    }
                    guard period.contains(opening.start), let length = opening.minutes else {
                        continue
                    }
                    let day = Day(SeattleTime.civil(at: opening.start).date)
                    let isBelieved = !history.doubtedStarts.contains(opening.start, of: bridge)
                    folds[fold(day.date)].addOpening(
                        of: bridge, on: day, minutes: isBelieved ? length : nil)
                }
            }
        }
        return folds
    }

    /// Adds other sums; the days of both should be disjoint.
    public mutating func add(_ other: ClimatologyCounts) { combine(with: other, sign: 1) }

    /// Subtracts sums that were added before.
    public mutating func subtract(_ other: ClimatologyCounts) { combine(with: other, sign: -1) }

    func coveredDays(of bridge: BridgeIndex, on dayType: DayType) -> Double {
        covered.row(bridge, dayType).reduce(0, +) / Double(Self.minutesPerDay)
    }

    func coveredDays(of bridge: BridgeIndex, in season: Season) -> Double {
        DayType.allCases.reduce(0) { $0 + covered.row(bridge, season, $1).reduce(0, +) }
            / Double(Self.minutesPerDay)
    }

    /// - Parameter minutes: Its length; nil if its start is not believed.
    private mutating func addOpening(of bridge: BridgeIndex, on day: Day, minutes: Double?) {
        openings.add(1, at: bridge, on: day)
        guard let minutes else { return }
        measured[bridge.rawValue] += 1
        let row = bridge.rawValue * (Self.longestMinutes + 1)
        for k in 0...Self.longestMinutes where minutes > Double(k) { longerThan[row + k] += 1 }
    }

    private mutating func combine(with other: ClimatologyCounts, sign: Double) {
        func combine(_ mine: inout [Double], _ theirs: [Double]) {
            // Fractions of minutes are rounded; a sum of nothing must still be 0.
            for i in mine.indices { mine[i] = max(0, mine[i] + sign * theirs[i]) }
        }
        combine(&blocked.values, other.blocked.values)
        combine(&covered.values, other.covered.values)
        combine(&longerThan, other.longerThan)
        combine(&openings.values, other.openings.values)
        combine(&measured, other.measured)
    }

    fileprivate struct Day {
        let date: CivilDate
        let dayType: DayType
        let summerShare: Float

        init(_ date: CivilDate) {
            self.date = date
            dayType = DayType(date)
            summerShare = Season.summerShare(on: date)
        }
    }

    /// Calls back for each clock minute an interval touches, with the share of it inside.
    private static func forEachMinute(
        of interval: Range<Timestamp>, _ body: (Day, Int, Double) -> Void
    ) {
        var time = interval.lowerBound
        var day = Day(SeattleTime.civil(at: time).date)
        while time < interval.upperBound {
            let civil = SeattleTime.civil(at: time)
            if civil.date != day.date { day = Day(civil.date) }
            let nextMinute = time.adding(seconds: Int64(60 - civil.second))
            let end = min(nextMinute, interval.upperBound)
            body(day, civil.secondOfDay / 60, end.minutes(since: time))
            time = end
        }
    }
}

extension BridgeDayTable<Double> {
    /// Adds a number to the seasons of a day, by their shares.
    fileprivate mutating func add(
        _ number: Double, at bridge: BridgeIndex, on day: ClimatologyCounts.Day,
        minute column: Int = 0
    ) {
        for season in Season.allCases {
            let share = Double(season.share(ofSummer: day.summerShare))
            if share > 0 { self[bridge, season, day.dayType, column] += share * number }
        }
    }
}

// MARK: - From counts to a climatology

extension Climatology {
    /// Smooths counts into a climatology.
    ///
    /// The share of covered minutes blocked at each minute of the day is smoothed circularly by a
    /// Gaussian of 15 minutes, with pseudo-counts of 0.02 blocked in 1 covered day; a slot is the
    /// mean of its minutes. On weekdays, minutes on either side of an edge of the bridge's closed windows are not
    /// mixed: what boats may do changes there at once. Minutes covered for less than a day are drawn to the hours'
    /// shares of all openings. A season has 20 covered days of both seasons' share at each minute beside its own. A
    /// bridge without covered days takes the mean of the others.
    ///
    /// - Precondition: The slots divide the day.
    /// - Parameters:
    ///   - slotsPerDay: A divisor of 1440.
    ///   - isSeasonal: Whether the seasons differ; the fixed baseline of the evaluation knows none.
    public init(
        _ counts: ClimatologyCounts, slotsPerDay: Int = Climatology.modelSlotsPerDay,
        isSeasonal: Bool = true
    ) {
        precondition(1440 % slotsPerDay == 0, "slots must divide the day")
        let coveredSeasonDays = BridgeIndex.all.flatMap { bridge in
            Season.allCases.map { counts.coveredDays(of: bridge, in: $0) }
        }
        func isKnown(_ bridge: BridgeIndex) -> Bool {
            DayType.allCases.contains { counts.coveredDays(of: bridge, on: $0) > 0 }
        }
        let shares = Self.blockedShares(counts, isSeasonal: isSeasonal)
        var probability = Self.slots(of: shares, slotsPerDay: slotsPerDay)
        var rates = Self.openingsPerDay(counts, shares, isSeasonal: isSeasonal)
        probability.pool(where: isKnown)
        rates.pool(where: isKnown)
        let climatology = Climatology(
            slotsPerDay: slotsPerDay, openProbability: probability.values.map { Float($0) },
            durationSurvival: Self.survival(counts), openingsPerDay: rates.values.map { Float($0) },
            coveredSeasonDays: coveredSeasonDays.map { Float($0) })
        guard let climatology else { preconditionFailure("counts gave an impossible table") }
        self = climatology
    }

    /// The smoothed share of each minute that is blocked, [bridge, season, dayType, minute].
    private static func blockedShares(
        _ counts: ClimatologyCounts, isSeasonal: Bool
    ) -> BridgeDayTable<Double> {
        let kernel = CircularGaussian(standardDeviation: smoothingMinutes, length: 1440)
        var result = BridgeDayTable<Double>(columns: 1440)
        for bridge in BridgeIndex.all {
            for dayType in DayType.allCases {
                let sections = BridgeCatalogue[bridge].rules.sections(of: dayType)
                func smooth(_ row: [Double]) -> [Double] { kernel.smooth(row, within: sections) }
                let pooled = pooledShares(
                    blocked: smooth(counts.blocked.row(bridge, dayType)),
                    covered: smooth(counts.covered.row(bridge, dayType)))
                for season in Season.allCases {
                    let blocked = smooth(Array(counts.blocked.row(bridge, season, dayType)))
                    let covered = smooth(Array(counts.covered.row(bridge, season, dayType)))
                    for minute in 0..<1440 {
                        result[bridge, season, dayType, minute] =
                            isSeasonal
                            ? (blocked[minute] + pooledSeasonDays * pooled[minute])
                                / (covered[minute] + pooledSeasonDays)
                            : pooled[minute]
                    }
                }
            }
        }
        return result
    }

    /// The share of each minute that is blocked, of both seasons.
    ///
    /// Minutes covered for less than a day, such as the nights of records by day, are drawn to the share that follows
    /// from the others and the hours' shares of all openings.
    private static func pooledShares(blocked: [Double], covered: [Double]) -> [Double] {
        func hourlyShare(_ minute: Int) -> Double { 24 * FourWeeks.hourlyShares[minute / 60] }
        let expected = covered.indices.reduce(0) { $0 + covered[$1] * hourlyShare($1) }
        // As much as a day of pseudo-counts, so that a few covered minutes do not decide about a night.
        let pseudoMinutes = Double(covered.count) * pseudoDays
        let level =
            (blocked.reduce(0, +) + pseudoBlockedShare * pseudoMinutes) / (expected + pseudoMinutes)
        return covered.indices.map { minute in
            let known = min(covered[minute], 1)
            let prior = known * pseudoBlockedShare + (1 - known) * level * hourlyShare(minute)
            return (blocked[minute] + prior * pseudoDays) / (covered[minute] + pseudoDays)
        }
    }

    /// The means over the minutes of each slot, as probabilities.
    private static func slots(
        of shares: BridgeDayTable<Double>, slotsPerDay: Int
    ) -> BridgeDayTable<Double> {
        let width = shares.columns / slotsPerDay
        var result = BridgeDayTable<Double>(columns: slotsPerDay)
        for slot in result.values.indices {
            let sum = shares.values[slot * width..<(slot + 1) * width].reduce(0, +)
            result.values[slot] = min(max(sum / Double(width), 1e-5), 1 - 1e-5)
        }
        return result
    }

    /// Openings a day, of days that may be covered in part: the share of a day's openings that the covered minutes
    /// have is that of its blocked time.
    private static func openingsPerDay(
        _ counts: ClimatologyCounts, _ shares: BridgeDayTable<Double>, isSeasonal: Bool
    ) -> BridgeDayTable<Double> {
        var result = BridgeDayTable<Double>()
        for bridge in BridgeIndex.all {
            for dayType in DayType.allCases {
                let days = Season.allCases.map { season in
                    let blocked = shares.row(bridge, season, dayType)
                    let seen = zip(counts.covered.row(bridge, season, dayType), blocked)
                        .reduce(0) { $0 + $1.0 * $1.1 }
                    return seen / blocked.reduce(0, +)
                }
                let openings = Season.allCases.map { counts.openings[bridge, $0, dayType] }
                let pooled = openings.reduce(0, +) / max(days.reduce(0, +), 1)
                for (season, own) in zip(Season.allCases, zip(openings, days)) {
                    result[bridge, season, dayType] =
                        isSeasonal
                        ? (own.0 + pooledSeasonDays * pooled) / (own.1 + pooledSeasonDays) : pooled
                }
            }
        }
        return result
    }

    private static func survival(_ counts: ClimatologyCounts) -> [Float] {
        let pooled = (0..<survivalCount).map { k in
            BridgeIndex.all.reduce(0) { $0 + counts.longerThan[$1.rawValue * survivalCount + k] }
        }
        let pooledTotal = counts.measured.reduce(0, +)
        return BridgeIndex.all.flatMap { bridge in
            let total = counts.measured[bridge.rawValue]
            return (0..<survivalCount).map { k in
                let prior = pooledTotal > 0 ? pooled[k] / pooledTotal : exp(-Double(k) / 5)
                let own = counts.longerThan[bridge.rawValue * survivalCount + k]
                return Float(min(1, (own + pooledOpenings * prior) / (total + pooledOpenings)))
            }
        }
    }
}

/// Smoothing of a table that has no ends, such as the minutes of a day.
struct CircularGaussian {
    /// By distance from the centre.
    private let weights: [Double]

    init(standardDeviation: Double, length: Int) {
        let reach = min(Int(standardDeviation * 5), (length - 1) / 2)
        weights = (0...reach).map { exp(-0.5 * pow(Double($0) / standardDeviation, 2)) }
    }

    /// The weighted means of the values around each one.
    ///
    /// - Parameter sections: A number for each value; only values with the same number are mixed.
    func smooth(_ input: [Double], within sections: [Int]) -> [Double] {
        let length = input.count
        let reach = weights.count - 1
        return input.indices.map { center in
            var sum = 0.0
            var total = 0.0
            for offset in -reach...reach {
                let index = (center + offset + length) % length
                guard sections[index] == sections[center] else { continue }
                sum += weights[abs(offset)] * input[index]
                total += weights[abs(offset)]
            }
            return sum / total
        }
    }
}

extension NavigationRules {
    /// For each minute of a day, the number of the section between two edges of closed windows that it is in; the one
    /// over midnight is 0.
    ///
    /// The edges of both seasons count, because the records of a day type have both.
    fileprivate func sections(of dayType: DayType) -> [Int] {
        let windows =
            dayType == .weekday
            ? [closedWindows, summerClosedWindows].compactMap(\.self)
                .flatMap { [$0.morning, $0.evening] } : []
        let edges = Set(windows.flatMap { [$0.startMinute, $0.endMinute] })
        return (0..<ClimatologyCounts.minutesPerDay).map { minute in
            let section = edges.count { $0 <= Double(minute) }
            return section == edges.count ? 0 : section
        }
    }
}
