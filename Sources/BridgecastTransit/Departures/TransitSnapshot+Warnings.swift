// What riders must know of realtime feeds that do not fit the timetable or the moment; a warning of every transit answer.

extension TransitSnapshot {
    /// A line for people for each realtime feed that speaks of no trip of the timetable, or from the future.
    ///
    /// Such as `trip_updates: none of its 25 trips is in the timetable: it is of another agency, or the timetable is out of
    /// date`; the same stands in ``notices``.
    package var feedWarnings: [String] {
        notices.kept.lazy
            .filter { $0.code == FeedNotice.strangeFeedCode || $0.code == FeedNotice.futureCode }
            .map { "\($0.file): \($0.message)" }
    }
}

extension FeedNotice {
    /// Of a realtime feed none of whose trips the timetable has.
    static var strangeFeedCode: String { "no_trip_in_timetable" }
    /// Of a realtime feed with entities that are stamped in the future (E050 of gtfs-realtime-validator).
    static var futureCode: String { "timestamp_in_future" }
}
