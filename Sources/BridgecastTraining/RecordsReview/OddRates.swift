// Openings by week and by hour, and the test for weeks with far more or far fewer than the rest.
package import BridgecastCore
import Foundation

/// Weeks of a bridge whose rate is far from that of its other records.
///
/// Boats come by weather and season, so that a week may truly differ: nothing is set aside. A week's mean is taken
/// to vary by a third beyond chance, Gamma-distributed with shape 10.
enum OddRate {
    private static let shape = 10.0
    /// A week is tested if its openings are more than this many times, or less than this share of, those expected.
    private static let highRatio = 3.0
    private static let lowRatio = 0.2

    /// Weeks whose openings are less likely than ``RecordsReview/chance``.
    static func findings(in history: OpeningHistory) -> [RecordsFinding] {
        let weeks = BridgeWeek.all(of: history)
        return weeks.compactMap { week in
            // The other weeks of the bridge, those within eight weeks before all others.
            let others = weeks.filter { $0.bridge == week.bridge && $0.monday != week.monday }
            let near = others.filter { abs($0.monday.dayNumber - week.monday.dayNumber) <= 56 }
            let all = level(others)
            let local = level(near)
            let high = week.expected * max(all, local)
            let low = week.expected * min(all, local)
            let count = Double(week.openings)
            if count > highRatio * high,
                logTail(from: week.openings, mean: high) < log(RecordsReview.chance)
            {
                return finding(week, count: "\(week.openings) openings", expected: high)
            }
            if count < lowRatio * low, logUpTo(week.openings, mean: low) < log(RecordsReview.chance)
            {
                return finding(week, count: "only \(week.openings) openings", expected: low)
            }
            return nil
        }
    }

    private static func level(_ weeks: [BridgeWeek]) -> Double {
        let (openings, expected) = weeks.reduce(into: (1.0, 1.0)) {
            $0.0 += Double($1.openings)
            $0.1 += $1.expected
        }
        return openings / expected
    }

    private static func finding(
        _ week: BridgeWeek, count: String, expected: Double
    ) -> RecordsFinding {
        RecordsFinding(
            kind: .rate, bridges: [week.bridge],
            period: SeattleTime.startOfDay(
                week.monday)..<SeattleTime.startOfDay(week.monday.adding(days: 7)),
            isSetAside: false,
            message: "\(count), where about \(Int(expected.rounded())) were expected")
    }

    /// ln P(at least `count` openings), negative binomial.
    private static func logTail(from count: Int, mean: Double) -> Double {
        // Terms fall by a constant share or faster beyond three times the mean.
        let terms = (count..<count + 400).map { logProbability($0, mean: mean) }
        let first = terms[0]
        return first + log(terms.reduce(0) { $0 + exp($1 - first) })
    }

    /// ln P(at most `count` openings).
    private static func logUpTo(_ count: Int, mean: Double) -> Double {
        let terms = (0...count).map { logProbability($0, mean: mean) }
        let largest = terms[count]
        return largest + log(terms.reduce(0) { $0 + exp($1 - largest) })
    }

    private static func logProbability(_ count: Int, mean: Double) -> Double {
        let n = Double(count)
        let k = shape
        return lgamma(n + k) - lgamma(k) - lgamma(n + 1) - k * log1p(mean / k)
            + n * (log(mean) - log(mean + k))
    }
}

/// Openings of a bridge in the covered time of a week of Seattle's calendar, Monday to Sunday.
package struct BridgeWeek: Sendable, Equatable {
    package let bridge: BridgeIndex
    package let monday: CivilDate
    /// Hours for which the records are complete, above 0.
    package private(set) var coveredHours = 0.0
    /// Openings that began in them.
    package private(set) var openings = 0
    /// Openings that the bridge's rates by hour and day type, over all its records, would give.
    package private(set) var expected = 0.0
    /// The median length in minutes; nil without openings.
    package private(set) var medianMinutes: Double?
    /// The share of openings of at most one minute, 0...1; 0 without openings.
    package private(set) var shortShare = 0.0

    private init(_ bridge: BridgeIndex, monday: CivilDate) {
        self.bridge = bridge
        self.monday = monday
    }

    /// The number of the week that a day is in, counted in Mondays from 1969-12-29.
    static func number(ofDay day: Int) -> Int { Int((Double(day + 3) / 7).rounded(.down)) }

    /// All weeks with covered time, by bridge and time.
    static func all(of history: OpeningHistory) -> [BridgeWeek] {
        let rates = HourlyRates(history)
        return BridgeIndex.all.flatMap { bridge in
            var weeks: [Int: BridgeWeek] = [:]
            func monday(_ week: Int) -> CivilDate { CivilDate(dayNumber: week * 7 - 3) }
            for period in history.coverage.periods[bridge.rawValue] {
                rates.forEachHour(of: bridge, in: period) { day, hours, expected in
                    let week = number(ofDay: day)
                    weeks[week, default: BridgeWeek(bridge, monday: monday(week))].add(
                        hours, expected)
                }
            }
            let lengths = Dictionary(grouping: history.covered(bridge)) {
                number(ofDay: SeattleTime.civil(at: $0.start).date.dayNumber)
            }
            for (week, openings) in lengths { weeks[week]?.set(openings.compactMap(\.minutes)) }
            return weeks.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private mutating func add(_ hours: Double, _ expected: Double) {
        coveredHours += hours
        self.expected += expected
    }

    private mutating func set(_ minutes: [Double]) {
        guard !minutes.isEmpty else { return }
        let sorted = minutes.sorted()
        openings = sorted.count
        medianMinutes = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        shortShare = Double(sorted.count { $0 <= Opening.shortMinutes }) / Double(sorted.count)
    }
}

/// Openings an hour by bridge, day type and hour of Seattle's clock.
struct HourlyRates {
    /// Expected openings of each bridge over all its covered time.
    private(set) var totals = [Double](repeating: 0, count: BridgeCatalogue.count)
    /// By ``BridgeIndex``: days with covered time, with their expected and recorded openings.
    private(set) var days: [[Day]] = []

    struct Day {
        let number: Int
        var expected = 0.0
        var openings = 0.0
    }

    /// Openings an hour, [bridge, dayType, hour].
    private var rates = [Double](repeating: 0, count: BridgeCatalogue.count * 48)
    private let coverage: Coverage

    init(_ history: OpeningHistory) {
        coverage = history.coverage
        for bridge in BridgeIndex.all { rates(of: bridge, history) }
        days = BridgeIndex.all.map { bridge in
            var days: [Int: Day] = [:]
            for period in history.coverage.periods[bridge.rawValue] {
                forEachHour(of: bridge, in: period) { day, _, expected in
                    days[day, default: Day(number: day)].expected += expected
                }
            }
            for opening in history.covered(bridge) {
                days[SeattleTime.civil(at: opening.start).date.dayNumber]?.openings += 1
            }
            return days.values.sorted { $0.number < $1.number }
        }
        totals = days.map { $0.reduce(0) { $0 + $1.expected } }
    }

    private mutating func rates(of bridge: BridgeIndex, _ history: OpeningHistory) {
        var hours = [Double](repeating: 0, count: 48)
        var openings = hours
        for period in history.coverage.periods[bridge.rawValue] {
            SeattleTime.forEachHour(in: period) { hours[Self.slot($0)] += $1 }
        }
        for opening in history.covered(bridge) {
            let civil = SeattleTime.civil(at: opening.start)
            openings[Self.slot(civil)] += 1
        }
        let mean = openings.reduce(0, +) / max(hours.reduce(0, +), 1)
        for slot in 0..<48 {
            // Drawn towards the mean by one hour's worth of it.
            rates[bridge.rawValue * 48 + slot] = (openings[slot] + mean) / (hours[slot] + 1)
        }
    }

    /// Calls `body` for each hour of a period with its day, the part of it in the period (0...1 h) and the expected
    /// openings.
    func forEachHour(
        of bridge: BridgeIndex, in period: Range<Timestamp>,
        _ body: (Int, Double, Double) -> Void
    ) {
        SeattleTime.forEachHour(in: period) { civil, share in
            let rate = rates[bridge.rawValue * 48 + Self.slot(civil)]
            body(civil.date.dayNumber, share, share * rate)
        }
    }

    private static func slot(_ civil: CivilDateTime) -> Int {
        DayType(civil.date).rawValue * 24 + civil.hour
    }

    /// Expected openings of a bridge by civil day of the covered time of a period, empty without any; the rate is at most
    /// that of the four weeks around the period.
    ///
    /// Rates are those of the rest of the records: the period's own silence does not lower them.
    func expectedByDay(of bridge: BridgeIndex, in period: Range<Timestamp>) -> [Int: Double] {
        var byDay: [Int: Double] = [:]
        for part in coverage.clamped(to: period).periods[bridge.rawValue] {
            forEachHour(of: bridge, in: part) { day, _, expected in
                byDay[day, default: 0] += expected
            }
        }
        let own = Silence.total(byDay)
        let total = totals[bridge.rawValue]
        let rest = min(total / max(total - own, total / 4, 1e-9), 4)
        let factor = rest * min(1, level(of: bridge, around: period))
        return byDay.mapValues { $0 * factor }
    }

    /// How a bridge's openings compare with its rates in the days within four weeks of a period, itself left out;
    /// drawn towards a half where there are few.
    private func level(of bridge: BridgeIndex, around period: Range<Timestamp>) -> Double {
        let first = SeattleTime.civil(at: period.lowerBound).date.dayNumber
        let last = SeattleTime.civil(at: period.upperBound).date.dayNumber
        let days = days[bridge.rawValue]
        let start = days.partitioningIndex { $0.number >= first - 28 }
        let end = days.partitioningIndex { $0.number > last + 28 }
        let near = days[start..<max(start, end)].filter { $0.number < first || $0.number > last }
        let (openings, expected) = near.reduce(into: (2.5, 5.0)) {
            $0.0 += $1.openings
            $0.1 += $1.expected
        }
        return openings / expected
    }
}

extension SeattleTime {
    /// Calls `body` for each hour of a period with its civil time and the part of it in the period, 0...1 h.
    ///
    /// Clocks change on the hour and by an hour, so that hours on the clock begin when they do in UTC.
    static func forEachHour(
        in period: Range<Timestamp>, _ body: (_ civil: CivilDateTime, _ hours: Double) -> Void
    ) {
        var time = period.lowerBound
        while time < period.upperBound {
            let civil = civil(at: time)
            let next = time.adding(seconds: Int64(3600 - civil.secondOfDay % 3600))
            let end = min(next, period.upperBound)
            body(civil, end.minutes(since: time) / 60)
            time = end
        }
    }
}
