// The figures of a bridge's records in one week; made by RecordsReview for those who look at records.
package import BridgecastCore

/// What the records say of a bridge in a week of Seattle's calendar, Monday to Sunday, in covered time.
package struct BridgeWeek: Sendable, Equatable {
    /// The bridge.
    package let bridge: BridgeIndex
    /// The week's Monday.
    package let monday: CivilDate
    /// Hours for which the records are complete, above 0.
    package private(set) var coveredHours = 0.0
    /// Openings that began in them.
    package private(set) var openings = 0
    /// Openings that the bridge's rates by hour and kind of day, over all its records, would have led to.
    package private(set) var expected = 0.0
    /// The median length in minutes; nil without openings.
    package private(set) var medianMinutes: Double?
    /// The share of openings of at most one minute, 0...1; 0 without openings.
    package private(set) var shortShare = 0.0

    private init(_ bridge: BridgeIndex, monday: CivilDate) {
        (self.bridge, self.monday) = (bridge, monday)
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
        shortShare =
            Double(sorted.count { $0 <= Opening.shortMinutes }) / Double(sorted.count)
    }
}
