// What is wrong with a feed on a day: it may have been good when it was read. Used by checks of feeds.
public import BridgecastCore

extension TransitFeed {
    /// What a day finds of a feed that has run out or not begun: `expired_calendar` for the whole timetable,
    /// `feed_expiration_date7_days` and `feed_expiration_date30_days` for feed_info.txt.
    public func notices(on today: CivilDate) -> [FeedNotice] {
        var found: [FeedNotice] = []
        if let period = services.period, today > period.upperBound {
            found.append(
                FeedNotice(
                    .warning, "expired_calendar", file: CalendarColumn.file, field: "end_date",
                    "the timetable ended on \(period.upperBound); fetch a newer one"))
        } else if let period = services.period, today < period.lowerBound {
            found.append(
                FeedNotice(
                    .info, "calendar_in_future", file: CalendarColumn.file, field: "start_date",
                    "the timetable begins on \(period.lowerBound)"))
        } else if services.period == nil {
            found.append(
                FeedNotice(
                    .warning, "expired_calendar", file: CalendarColumn.file,
                    "no service runs on any day"))
        }
        if let last = info?.lastDay, today.adding(days: 30) > last {
            let days = today.adding(days: 7) > last ? 7 : 30
            found.append(
                FeedNotice(
                    .warning, "feed_expiration_date\(days)_days", file: InfoColumn.file,
                    field: "feed_end_date",
                    "the feed is meant for days until \(last); fetch a newer one"))
        }
        return found
    }
}
