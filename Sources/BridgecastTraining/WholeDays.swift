// Which records are of whole days, and which are of some hours of a day alone.
internal import BridgecastCore

/// Records of whole days and of parts of days.
///
/// Those until May 2017 are what the bridges announced from 6:00 to 22:00, about a quarter of it missing. They teach what
/// the others do not have, such as summer, and are no measure of today's level.
enum WholeDays {
    /// With fewer whole days in them, records of parts of days count as others do.
    static let enough = 90.0

    /// The day on which clocks go forward is that short, minutes.
    private static let minMinutes = 23.0 * 60
    /// A feed that missed so much still saw the day, minutes.
    private static let maxBreakMinutes = 120.0

    /// The periods of coverage that have a whole day, short breaks in them included.
    static func periods(in coverage: Coverage) -> [Range<Timestamp>] {
        var joined: [Range<Timestamp>] = []
        for period in coverage.periodsOfAnyBridge {
            if let last = joined.last,
                period.lowerBound.minutes(since: last.upperBound) <= maxBreakMinutes
            {
                joined[joined.count - 1] = last.lowerBound..<period.upperBound
            } else {
                joined.append(period)
            }
        }
        return joined.filter { $0.upperBound.minutes(since: $0.lowerBound) >= minMinutes }
    }

    /// Whether there are enough of them.
    static func areEnough(in history: OpeningHistory) -> Bool {
        let minutes = periods(in: history.coverage)
            .reduce(0) { $0 + $1.upperBound.minutes(since: $1.lowerBound) }
        return minutes / 1440 >= enough
    }
}

extension OpeningHistory {
    /// The history without records of parts of days, if there are enough others; a bridge that has no others keeps them.
    var ofWholeDays: OpeningHistory {
        guard WholeDays.areEnough(in: self) else { return self }
        let whole = WholeDays.periods(in: coverage)
        let periods = coverage.periods.map { periods in
            let own = periods.filter { period in whole.contains { $0.overlaps(period) } }
            return own.isEmpty ? periods : own
        }
        return covering(Coverage(periods: periods))
    }
}
