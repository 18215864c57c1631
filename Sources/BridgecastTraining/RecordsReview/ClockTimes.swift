// Openings as the clock that recorded them shows them, and days of that clock; for the tests of RecordsReview.
import BridgecastCore

extension Opening {
    /// When it began, in seconds on the wall clock since 1970-01-01.
    var clockSeconds: Int {
        let civil = SeattleTime.civil(at: start)
        return civil.date.dayNumber * 86_400 + civil.secondOfDay
    }

    /// How long it lasted in whole seconds; 0 without an end.
    var lengthSeconds: Int { Int(((minutes ?? 0) * 60).rounded()) }
}

extension SeattleTime {
    /// Whole civil days, by their numbers.
    static func period(ofDays days: ClosedRange<Int>) -> Range<Timestamp> {
        startOfDay(
            CivilDate(dayNumber: days.lowerBound))..<startOfDay(
                CivilDate(dayNumber: days.upperBound + 1))
    }
}
