// Finds who stops at each stop, and what belongs to each station; made at the end of reading.
internal import BridgecastCore

extension StopCalls {
    /// The rows of a table by stop, then by departure, then as they stand.
    ///
    /// O(rows): sorted by counting, twice.
    init(_ table: StopTimeTable, stops: Int) {
        self.init()
        let rows = (0..<UInt32(table.count)).map { $0 }
        let latest = Int(table.departures.max() ?? 0)
        let byTime = Self.sorted(rows, keys: latest + 1) { Int(table.departures[Int($0)]) }
        let byStop = Self.sorted(byTime.rows, keys: stops) { Int(table.stops[Int($0)]) }
        (self.rows, starts) = (byStop.rows, byStop.starts)
    }

    /// Sorts stably by a key from 0; tells where each key begins.
    private static func sorted(
        _ rows: [UInt32], keys: Int, _ key: (UInt32) -> Int
    ) -> (rows: [UInt32], starts: [UInt32]) {
        var starts = [UInt32](repeating: 0, count: keys + 1)
        for row in rows { starts[key(row) + 1] += 1 }
        for key in 0..<keys { starts[key + 1] += starts[key] }
        var (next, sorted) = (starts, [UInt32](repeating: 0, count: rows.count))
        for row in rows {
            let key = key(row)
            sorted[Int(next[key])] = row
            next[key] += 1
        }
        return (sorted, starts)
    }
}

extension StationChildren {
    /// What belongs to each stop, by the rows of their stations.
    init(parents: [Int32]) {
        self.init()
        starts = [UInt32](repeating: 0, count: parents.count + 1)
        for parent in parents where parent >= 0 { starts[Int(parent) + 1] += 1 }
        for stop in parents.indices { starts[stop + 1] += starts[stop] }
        var next = starts
        stops = [Int32](repeating: 0, count: Int(starts[parents.count]))
        for (stop, parent) in parents.enumerated() where parent >= 0 {
            stops[Int(next[Int(parent)])] = Int32(stop)
            next[Int(parent)] += 1
        }
    }
}
