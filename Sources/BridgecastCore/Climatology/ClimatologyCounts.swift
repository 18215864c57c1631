// Sums over covered records from which climatologies are made; sums of disjoint days add up.

/// Blocked and covered minutes by bridge, day type and minute of the day, and opening lengths.
public struct ClimatologyCounts: Sendable {
    /// Minutes of the day.
    static let minutesPerDay = 1440
    /// Opening lengths are counted in whole minutes up to this many.
    static let longestMinutes = 60

    /// Blocked minutes, [bridge, dayType, minute].
    private(set) var blocked = BridgeDayTable<Double>(columns: minutesPerDay)
    /// Covered minutes, [bridge, dayType, minute].
    private(set) var covered = BridgeDayTable<Double>(columns: minutesPerDay)
    /// Openings longer than k minutes, [bridge, k], k = 0...60.
    private(set) var longerThan = [Double](
        repeating: 0, count: BridgeCatalogue.count * (longestMinutes + 1))
    /// Openings, [bridge, dayType].
    private(set) var openings = BridgeDayTable<Double>()

    /// Sums of nothing.
    public init() {}

    /// The sums over a history's covered time.
    public init(_ history: OpeningHistory) {
        self = Self.folds(of: history, count: 1) { _ in 0 }[0]
    }

    /// The sums of each fold of days, for climatologies that leave some days out.
    ///
    /// - Parameters:
    ///   - count: Number of folds.
    ///   - fold: The fold of a date, 0..<count.
    package static func folds(
        of history: OpeningHistory, count: Int, fold: (CivilDate) -> Int
    ) -> [ClimatologyCounts] {
        var folds = Array(repeating: ClimatologyCounts(), count: count)
        for bridge in BridgeIndex.all {
            for period in history.coverage.periods[bridge.rawValue] {
                forEachMinute(of: period) { day, minute, share in
                    folds[fold(day.date)].covered[bridge, day.dayType, minute] += share
                }
                for opening in history.openings(of: bridge, overlapping: period) {
                    guard let end = opening.end else { continue }
                    let visible = (opening.start..<end).clamped(to: period)
                    forEachMinute(of: visible) { day, minute, share in
                        folds[fold(day.date)].blocked[bridge, day.dayType, minute] += share
                    }
                    guard period.contains(opening.start), let length = opening.minutes else {
                        continue
                    }
                    let day = Day(SeattleTime.civil(at: opening.start).date)
                    folds[fold(day.date)].addOpening(of: bridge, on: day.dayType, minutes: length)
                }
            }
        }
        return folds
    }

    /// Adds other sums; the days of both should be disjoint.
    public mutating func add(_ other: ClimatologyCounts) { combine(with: other, sign: 1) }

    /// Takes sums away that were added before.
    public mutating func subtract(_ other: ClimatologyCounts) { combine(with: other, sign: -1) }

    /// Covered days of a bridge.
    func coveredDays(of bridge: BridgeIndex, on dayType: DayType) -> Double {
        covered.row(bridge, dayType).reduce(0, +) / Double(Self.minutesPerDay)
    }

    private mutating func addOpening(
        of bridge: BridgeIndex, on dayType: DayType, minutes: Double
    ) {
        openings[bridge, dayType] += 1
        let row = bridge.rawValue * (Self.longestMinutes + 1)
        for k in 0...Self.longestMinutes where minutes > Double(k) { longerThan[row + k] += 1 }
    }

    private mutating func combine(with other: ClimatologyCounts, sign: Double) {
        func combine(_ mine: inout [Double], _ theirs: [Double]) {
            // Fractions of minutes make round-off; a sum that was never there must come out as 0.
            for i in mine.indices { mine[i] = max(0, mine[i] + sign * theirs[i]) }
        }
        combine(&blocked.values, other.blocked.values)
        combine(&covered.values, other.covered.values)
        combine(&longerThan, other.longerThan)
        combine(&openings.values, other.openings.values)
    }

    private struct Day {
        let date: CivilDate
        let dayType: DayType

        init(_ date: CivilDate) {
            self.date = date
            dayType = DayType(date)
        }
    }

    /// Calls back for each clock minute an interval touches, with the share of it inside.
    private static func forEachMinute(
        of interval: Range<Timestamp>, _ body: (Day, Int, Double) -> Void
    ) {
        var moment = interval.lowerBound
        var day = Day(SeattleTime.civil(at: moment).date)
        while moment < interval.upperBound {
            let civil = SeattleTime.civil(at: moment)
            if civil.date != day.date { day = Day(civil.date) }
            let nextMinute = moment.adding(seconds: Int64(60 - civil.second))
            let end = min(nextMinute, interval.upperBound)
            body(day, civil.secondOfDay / 60, end.minutes(since: moment))
            moment = end
        }
    }
}
