// The hour and kind of day at which an edge is entered; speeds go by it.

/// The time of day along a trip; crossing midnight it goes on with the next day's type.
///
/// A trip over a change of the clocks keeps the clock it began with.
struct DayClock {
    private(set) var minuteOfDay: Double
    private(set) var dayType: DayType
    private(set) var nextDayType: DayType
    private let date: CivilDate

    init(_ moment: Timestamp) {
        let civil = SeattleTime.civil(at: moment)
        self.init(civil.date, civil.minuteOfDay)
    }

    private init(_ date: CivilDate, _ minuteOfDay: Double) {
        self.date = date
        self.minuteOfDay = minuteOfDay
        dayType = DayType(date)
        nextDayType = DayType(date.adding(days: 1))
    }

    func adding(minutes: Double) -> DayClock {
        let total = minuteOfDay + minutes
        guard total >= 1440 else {
            var later = self
            later.minuteOfDay = total
            return later
        }
        let days = Int(total / 1440)
        return DayClock(date.adding(days: days), total - Double(days) * 1440)
    }
}
