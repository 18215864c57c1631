// The two seasons of the climatology, and how dates between them belong to both.

/// A season of boating: openings come at other hours in each, and in summer up to four times as often.
///
/// At Fremont there were 4.9 openings a day in January 2016 and 17.1 in July, in the hours from 6:00 to 22:00.
public enum Season: Int, CaseIterable, Sendable {
    case winter, summer

    /// Days of a year on which summer begins and ends to count, 1 being 1 January; each takes ``rampDays``.
    private static let summerDays = (first: 111, last: 259)
    private static let rampDays = 30

    /// How much of a date's climatology is that of summer, 0...1.
    ///
    /// 1 from 21 May to 16 September, 0 from 16 October to 21 April, and linear between them, so that at midnight no forecast
    /// changes by more than a thirtieth of the difference; in leap years a day earlier.
    public static func summerShare(on date: CivilDate) -> Float {
        let dayOfYear = date.dayOfYear
        func ramp(_ first: Int) -> Float {
            min(max(Float(dayOfYear - first) / Float(rampDays), 0), 1)
        }
        return ramp(summerDays.first) - ramp(summerDays.last)
    }

    /// The season's share of a date whose share of summer is given, 0...1.
    func share(ofSummer summerShare: Float) -> Float {
        self == .summer ? summerShare : 1 - summerShare
    }
}
