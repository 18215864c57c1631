// Which records are of whole days, and which are of some hours of a day alone.
internal import BridgecastCore

/// Records of whole days and of parts of days.
///
/// Those of 2015 to 2017 are what the bridges announced from 6:00 to 22:00, about a quarter of it missing. They teach what
/// the others do not have, such as summer, and are no measure of today's level.
enum WholeDays {
    /// With fewer whole days in them, records of parts of days count as others do.
    static let enough = 90.0

    /// Whether a covered period has a whole day.
    static func isWhole(_ period: Range<Timestamp>) -> Bool {
        period.upperBound.minutes(since: period.lowerBound) >= 1440
    }

    /// Whether there are enough of them.
    static func areEnough(in history: OpeningHistory) -> Bool {
        let minutes = history.coverage.periodsOfAnyBridge.filter(isWhole)
            .reduce(0) { $0 + $1.upperBound.minutes(since: $1.lowerBound) }
        return minutes / 1440 >= enough
    }
}

extension OpeningHistory {
    /// The history without records of parts of days, if there are enough others.
    var ofWholeDays: OpeningHistory {
        guard WholeDays.areEnough(in: self) else { return self }
        let whole = coverage.periodsOfAnyBridge.filter(WholeDays.isWhole)
        let periods = coverage.periods.map { periods in
            periods.filter { period in whole.contains { $0.overlaps(period) } }
        }
        return covering(Coverage(periods: periods))
    }
}
