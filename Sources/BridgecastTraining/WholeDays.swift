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
        coverage.periodsOfAnyBridge(joinedOverMinutes: maxBreakMinutes)
            .filter { $0.upperBound.minutes(since: $0.lowerBound) >= minMinutes }
    }

    /// The periods that have a whole day; nil if they are too few.
    static func periodsIfEnough(in coverage: Coverage) -> [Range<Timestamp>]? {
        let periods = periods(in: coverage)
        let minutes = periods.reduce(0) { $0 + $1.upperBound.minutes(since: $1.lowerBound) }
        return minutes / 1440 >= enough ? periods : nil
    }
}

extension OpeningHistory {
    /// The history without records of parts of days, if there are enough others; a bridge that has no others keeps them.
    var ofWholeDays: OpeningHistory {
        guard let whole = WholeDays.periodsIfEnough(in: coverage) else { return self }
        let periods = coverage.periods.map { periods in
            let own = periods.filter { period in whole.contains { $0.overlaps(period) } }
            return own.isEmpty ? periods : own
        }
        return covering(Coverage(periods: periods))
    }
}
