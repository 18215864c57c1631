// Calls by stop that are not in the timetable by time: those of live runs, and those of trips by frequencies.

/// A call of a live run at a stop.
package struct LiveCall: Sendable, BitwiseCopyable {
    /// The index in ``TransitSnapshot/live``.
    package let run: Int32
    /// The index among the stops of the trip.
    package let order: Int32
}

/// The calls of all live runs by stop, in columns.
package struct LiveCalls: Sendable {
    /// By stop, the index of its first call; one more than there are stops; empty if no run is live.
    private var starts: [UInt32] = []
    private var calls: [LiveCall] = []

    /// No calls.
    package init() {}

    /// Sorts the calls of runs by stop: the planned one, and the one in use where that is another; O(stops + calls).
    package init(_ runs: [LiveRun], _ feed: TransitFeed) {
        guard !runs.isEmpty else { return }
        starts = [UInt32](repeating: 0, count: feed.stops.count + 2)
        Self.forEach(of: runs, feed) { stop, _ in starts[Int(stop) + 2] += 1 }
        for stop in 2..<starts.count { starts[stop] += starts[stop - 1] }
        calls = [LiveCall](
            repeating: LiveCall(run: 0, order: 0), count: Int(starts[starts.count - 1]))
        Self.forEach(of: runs, feed) { stop, call in
            calls[Int(starts[Int(stop) + 1])] = call
            starts[Int(stop) + 1] += 1
        }
        starts.removeLast()
    }

    /// The calls at a stop, in the order of the runs.
    package func at(_ stop: StopIndex) -> ArraySlice<LiveCall> {
        starts.isEmpty
            ? [] : calls[Int(starts[stop.position])..<Int(starts[stop.position + 1])]
    }

    private static func forEach(
        of runs: [LiveRun], _ feed: TransitFeed, _ body: (Int32, LiveCall) -> Void
    ) {
        for (index, run) in runs.enumerated() {
            let rows = feed.stopTimes.rows(of: run.key.trip)
            for (order, row) in rows.enumerated() {
                let call = LiveCall(run: Int32(index), order: Int32(order))
                body(feed.stopTimes.stops[row], call)
                if order < run.stops.count, let other = run.stops[order].assignedStop,
                    other.number != feed.stopTimes.stops[row]
                {
                    body(other.number, call)
                }
            }
        }
    }
}

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

    /// The rows at a stop.
    package func at(_ stop: StopIndex) -> [UInt32] {
        rows.isEmpty ? [] : rows[stop.number] ?? []
    }
}
