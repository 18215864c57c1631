// How often each bridge opens by kind of day and hour, by the records under review; what its tests expect.
import BridgecastCore

/// Openings an hour by bridge, kind of day and hour of Seattle's clock.
struct HourlyRates {
    /// Openings to expect of each bridge over all its covered time.
    private(set) var totals = [Double](repeating: 0, count: BridgeCatalogue.count)
    /// By ``BridgeIndex``: days with covered time, what to expect on them, and what there was.
    private(set) var days: [[Day]] = []

    /// A civil day of a bridge.
    struct Day {
        let number: Int
        var expected = 0.0
        var openings = 0.0
    }

    /// Openings an hour, [bridge, dayType, hour].
    private var rates = [Double](repeating: 0, count: BridgeCatalogue.count * 48)

    /// The rates of a history's covered time.
    init(_ history: OpeningHistory) {
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
            Self.forEachHour(in: period) { _, slot, share in hours[slot] += share }
        }
        for opening in history.covered(bridge) {
            let civil = SeattleTime.civil(at: opening.start)
            openings[DayType(civil.date).rawValue * 24 + civil.hour] += 1
        }
        let mean = openings.reduce(0, +) / max(hours.reduce(0, +), 1)
        for slot in 0..<48 {
            // An hour's worth of the mean, for hours of which little is known.
            rates[bridge.rawValue * 48 + slot] = (openings[slot] + mean) / (hours[slot] + 1)
        }
    }

    /// Calls back for each hour of a period with its day, the hours in it (0...1) and the openings to expect.
    func forEachHour(
        of bridge: BridgeIndex, in period: Range<Timestamp>,
        _ body: (_ day: Int, _ hours: Double, _ expected: Double) -> Void
    ) {
        Self.forEachHour(in: period) { day, slot, share in
            body(day, share, share * rates[bridge.rawValue * 48 + slot])
        }
    }

    /// Openings to expect of a bridge by civil day of a period; no more often than in the four weeks around it.
    ///
    /// The period's own silence is left out of what is expected: rates are those of the rest.
    func expectedByDay(of bridge: BridgeIndex, in period: Range<Timestamp>) -> [Int: Double] {
        var byDay: [Int: Double] = [:]
        forEachHour(of: bridge, in: period) { day, _, expected in
            byDay[day, default: 0] += expected
        }
        let (own, total) = (Silence.total(byDay), totals[bridge.rawValue])
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

    /// Clocks change on the hour and by an hour, so that hours on the clock begin when they do in UTC.
    private static func forEachHour(
        in period: Range<Timestamp>, _ body: (_ day: Int, _ slot: Int, _ hours: Double) -> Void
    ) {
        var moment = period.lowerBound
        while moment < period.upperBound {
            let civil = SeattleTime.civil(at: moment)
            let next = moment.adding(seconds: Int64(3600 - civil.secondOfDay % 3600))
            let end = min(next, period.upperBound)
            body(
                civil.date.dayNumber, DayType(civil.date).rawValue * 24 + civil.hour,
                end.minutes(since: moment) / 60)
            moment = end
        }
    }
}
