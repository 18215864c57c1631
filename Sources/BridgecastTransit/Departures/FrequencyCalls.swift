// By stop, the stop times of trips that run every so often; their rows are times from the start, not of the day.

/// Stop times of trips with frequencies.
package struct FrequencyCalls: Sendable {
    /// By stop, rows of ``StopTimeTable``.
    private var rows: [Int32: [UInt32]] = [:]

    /// Finds them; O(stop times of such trips).
    package init(_ feed: TransitFeed) {
        var before = FeedIndex<TransitTrip>.none
        for frequency in feed.frequencies where frequency.trip != before {
            before = frequency.trip
            for row in feed.stopTimes.rows(of: TripIndex(Int(before))) {
                rows[feed.stopTimes.stops[row], default: []].append(UInt32(row))
            }
        }
    }

    /// The rows that stop at a stop.
    package func at(_ stop: StopIndex) -> [UInt32] {
        rows.isEmpty ? [] : rows[stop.number] ?? []
    }
}
