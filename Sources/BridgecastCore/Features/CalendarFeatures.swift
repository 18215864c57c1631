// Features of the day.

/// The day at the valid time: weekday, holiday, and how high the sun stands.
///
/// There is no season: the records cover parts of two winters and one spring, too little to learn
/// one from, and networks that were shown the day of the year were no better on later days.
enum CalendarFeatures: MomentFeatures {
    static let count = Weekday.allCases.count + 3

    static let specs =
        Weekday.allCases.map { FeatureSpec.flag("calendar.\($0)") } + [
            .flag("calendar.holiday"), .flag("calendar.weekend"),
            FeatureSpec("calendar.sun", .one, -1...1),
        ]

    static func append(_ moment: MomentContext, to values: inout RowWriter) {
        let date = moment.validCivil.date
        let weekday = date.weekday
        for day in Weekday.allCases { values.append(day == weekday ? 1 : 0) }
        let isWeekend = moment.dayType == .weekend
        values.append(isWeekend && !weekday.isWeekend ? 1 : 0)
        values.append(isWeekend ? 1 : 0)
        values.append(Float(Daylight.sineOfSunElevation(at: moment.validTime)))
    }
}
