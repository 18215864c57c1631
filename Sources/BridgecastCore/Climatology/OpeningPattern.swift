/// Openings and their lengths by weekday and hour of Seattle's clock, over covered time.
package struct OpeningPattern: Sendable, Equatable {
    package struct Hour: Sendable, Equatable {
        package let weekday: Weekday
        /// The hour on the clock, 0...23.
        package let hour: Int
        /// Time for which the records are complete, seconds.
        package fileprivate(set) var coveredSeconds: Int64 = 0
        /// Covered time in which the span was up, seconds.
        package fileprivate(set) var raisedSeconds: Int64 = 0
        /// Openings that began in it while it was covered.
        package fileprivate(set) var openings = 0
        /// The median length of those whose end is known, seconds; nil without any.
        package fileprivate(set) var medianSeconds: Double?

        /// Openings in an hour of covered time; nil without any.
        package var openingsPerHour: Double? {
            coveredSeconds > 0 ? Double(openings) * 3600 / Double(coveredSeconds) : nil
        }

        /// The share of covered time in which the span was up, 0...1; nil without any.
        package var raisedShare: Double? {
            coveredSeconds > 0 ? Double(raisedSeconds) / Double(coveredSeconds) : nil
        }
    }

    /// From the first to the last covered time; nil if nothing is covered.
    package let interval: Range<Timestamp>?
    /// The median length of all openings whose end is known, seconds; nil without any.
    package let medianSeconds: Double?
    /// All hours of a week from Monday on, 168.
    package let hours: [Hour]

    package var coveredSeconds: Int64 { hours.reduce(0) { $0 + $1.coveredSeconds } }
    package var openings: Int { hours.reduce(0) { $0 + $1.openings } }

    /// Counts a bridge's openings; O(covered hours + openings).
    ///
    /// - Parameter end: Nothing later counts; an opening that is under way then has no length.
    package init(of bridge: BridgeIndex, in history: OpeningHistory, before end: Timestamp) {
        var hours = Weekday.allCases.flatMap { weekday in
            (0..<24).map { Hour(weekday: weekday, hour: $0) }
        }
        let coverage = history.coverage.clamped(to: .earliest..<end)
        let periods = coverage.periods[bridge.rawValue]
        for period in periods {
            Self.forEachHour(of: period) { hours[$0].coveredSeconds += $1 }
            for opening in history.openings(of: bridge, overlapping: period) {
                guard let lowered = opening.end else { continue }
                let raised = (opening.start..<lowered).clamped(to: period)
                Self.forEachHour(of: raised) { hours[$0].raisedSeconds += $1 }
            }
        }
        var lengths = hours.map { _ in [Int64]() }
        for opening in history.openings[bridge.rawValue]
        where coverage.contains(opening.start, of: bridge) {
            let hour = Self.index(of: SeattleTime.civil(at: opening.start))
            hours[hour].openings += 1
            guard let lowered = opening.end, lowered < end else { continue }
            lengths[hour].append(lowered.secondsSinceEpoch - opening.start.secondsSinceEpoch)
        }
        for hour in hours.indices { hours[hour].medianSeconds = Self.median(lengths[hour]) }
        self.hours = hours
        medianSeconds = Self.median(lengths.flatMap(\.self))
        interval = periods.first.flatMap { first in
            periods.last.map { first.lowerBound..<$0.upperBound }
        }
    }

    private static func index(of civil: CivilDateTime) -> Int {
        civil.date.weekday.rawValue * 24 + civil.hour
    }

    /// Calls back for each hour that an interval touches, with the seconds of it inside.
    ///
    /// Clocks change on the hour and by an hour, so that clock hours begin with those of UTC: the one repeated in
    /// November counts twice, the one skipped in March not at all.
    private static func forEachHour(of interval: Range<Timestamp>, _ body: (Int, Int64) -> Void) {
        var time = interval.lowerBound
        while time < interval.upperBound {
            let civil = SeattleTime.civil(at: time)
            let next = time.adding(seconds: Int64(3600 - civil.secondOfDay % 3600))
            let end = min(next, interval.upperBound)
            body(index(of: civil), end.secondsSinceEpoch - time.secondsSinceEpoch)
            time = end
        }
    }

    private static func median(_ lengths: [Int64]) -> Double? {
        guard !lengths.isEmpty else { return nil }
        let sorted = lengths.sorted()
        let low = sorted[(sorted.count - 1) / 2]
        let high = sorted[sorted.count / 2]
        return Double(low + high) / 2
    }
}
