// By stop, the runs with realtime that call there; a board looks them up instead of searching the timetable around them.

/// A call of a live run at a stop.
package struct LiveCall: Sendable, BitwiseCopyable {
    /// Place in ``TransitSnapshot/live``.
    package let run: Int32
    /// Place among the stops of the trip.
    package let order: Int32
}

/// The calls of all live runs by stop, in columns.
package struct LiveCalls: Sendable {
    /// By stop, where its calls begin; one more than there are stops; empty if no run is live.
    private var starts: [UInt32] = []
    private var calls: [LiveCall] = []

    /// No run is live.
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
        for (number, run) in runs.enumerated() {
            let rows = feed.stopTimes.rows(of: run.key.trip)
            for (order, row) in rows.enumerated() {
                let call = LiveCall(run: Int32(number), order: Int32(order))
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
