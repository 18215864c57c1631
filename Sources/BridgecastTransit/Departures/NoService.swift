// Why nothing leaves: a timetable that has ended, one that has not begun, a day without service.
internal import BridgecastCore

extension TransitFeed {
    /// Why no service runs around a moment, in words; nil if some does.
    ///
    /// - Complexity: O(services + exceptions)
    func noService(at places: [StopIndex], _ moment: Timestamp) -> String? {
        guard places.contains(where: { !calls.range(of: $0).isEmpty })
        else { return "No trip of this timetable calls here." }
        guard let period = services.period else { return "This timetable has no day with service." }
        let today = zone.civil(at: moment).date
        // Trips of yesterday run on after midnight.
        if today.adding(days: -1) > period.upperBound {
            return "The timetable ended on \(period.upperBound)."
        }
        if today < period.lowerBound { return "The timetable starts on \(period.lowerBound)." }
        let days = [today.adding(days: -1), today]
        let runs = days.contains { services.active(on: $0).contains(true) }
        return runs ? nil : "No service runs on \(today)."
    }
}
