// A cut in the records: what comes before it is fitted to, the days after it are scored. For choosing a recipe.
// Belongs here: what a recipe scores at several origins and how recipes compare; not: the files and tables of it
// (BridgecastCLI/Origins).
package import BridgecastCore

/// One origin of a rolling-origin evaluation.
package struct RollingOrigin: Sendable, Equatable {
    /// First day that is scored (Seattle).
    package let date: CivilDate
    /// Days that are scored, at least 1.
    package let days: Int
    /// Days before the first scored one that the fit does not use either, at least 0.
    package let purgeDays: Int

    /// Cuts at the start of a day.
    package init(_ date: CivilDate, days: Int = usualDays, purgeDays: Int = usualPurgeDays) {
        (self.date, self.days, self.purgeDays) = (date, days, purgeDays)
    }

    /// Two weeks: every weekday twice.
    package static let usualDays = 14
    /// A day: longer than anything that a row's inputs remember opening by opening.
    package static let usualPurgeDays = 1

    /// Six fortnights spread over all covered records, none of which overlap.
    package static let usualDates = [
        (2018, 2, 12), (2018, 3, 12), (2025, 2, 15), (2025, 4, 10), (2026, 2, 1), (2026, 2, 15),
    ].compactMap { CivilDate(year: $0, month: $1, day: $2) }

    /// The date as `2018-02-12`: the origin's name in files and tables.
    package var name: String { date.description }

    /// Issue times that are scored.
    package var interval: Range<Timestamp> {
        SeattleTime.startOfDay(date)..<SeattleTime.startOfDay(date.adding(days: days))
    }

    /// The fit uses nothing from this moment on.
    package var fittedBefore: Timestamp {
        SeattleTime.startOfDay(date.adding(days: -purgeDays))
    }
}
