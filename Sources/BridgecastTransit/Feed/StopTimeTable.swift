// When trips stop where: stop_times.txt in columns, and the same by stop.
internal import BridgecastCore

/// stop_times.txt in columns.
///
/// Times are seconds of the service day, which begins twelve hours before noon: on days when clocks change that is not
/// midnight. They may exceed 86,400.
package struct StopTimeTable: Sendable {
    /// By trip, its first row; one more than there are trips.
    package var starts: [UInt32] = [0]
    package var stops: [Int32] = []
    /// Seconds of the service day; never decreasing within a trip.
    package var arrivals: [Int32] = []
    package var departures: [Int32] = []
    /// stop_sequence; increasing within a trip.
    package var sequences: [UInt32] = []
    /// shape_dist_traveled in the feed's own unit; NaN where missing, an empty array if missing everywhere.
    package var distances: [Float] = []
    /// As ``Flags``.
    package var flags: [UInt8] = []
    /// Rows with a headsign of their own, increasing, and its index in ``TripTable/headsignTexts``.
    package var headsignRows: [UInt32] = []
    package var headsignTexts: [Int32] = []

    package init() {}

    package var count: Int { stops.count }

    /// The rows of a trip; empty for a trip without stops.
    package func rows(of trip: TripIndex) -> Range<Int> {
        Int(starts[trip.position])..<Int(starts[trip.position + 1])
    }

    /// The trip of a row; O(log trips), less if trips are of similar length.
    package func trip(ofRow row: Int) -> TripIndex {
        let end = starts.count - 1
        // Gallops from where it would be if all trips had the same length.
        var low = min(row * end / max(1, count), end - 1)
        var high = low + 1
        var step = 8
        while low > 0, Int(starts[low]) > row {
            high = low
            low = max(0, low - step)
            step *= 2
        }
        while high < end, Int(starts[high]) <= row {
            low = high
            high = min(end, high + step)
            step *= 2
        }
        return TripIndex(starts[low + 1..<high + 1].partitioningIndex { Int($0) > row } - 1)
    }

    /// A row's own headsign; nil if it has its trip's.
    package func headsign(ofRow row: Int) -> Int32? {
        let index = headsignRows.partitioningIndex { Int($0) >= row }
        return index < headsignRows.count && Int(headsignRows[index]) == row
            ? headsignTexts[index] : nil
    }

    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// pickup_type 1: no boarding.
        package static let noPickUp = Flags(rawValue: 1)
        /// drop_off_type 1: no alighting.
        package static let noDropOff = Flags(rawValue: 2)
        /// pickup_type or drop_off_type 2 or 3: by arrangement.
        package static let onRequest = Flags(rawValue: 4)
        /// timepoint 0: approximate times.
        package static let approximate = Flags(rawValue: 8)
        /// The feed has no times here: they are interpolated.
        package static let interpolated = Flags(rawValue: 16)
    }
}

/// By stop, its rows of ``StopTimeTable``, in order of departure, then of the row.
package struct StopCalls: Sendable {
    /// By stop, the start of its rows in ``rows``; one more than there are stops.
    package var starts: [UInt32] = [0]
    package var rows: [UInt32] = []

    package init() {}

    /// The indices of a stop's rows in ``rows``.
    package func range(of stop: StopIndex) -> Range<Int> {
        Int(starts[stop.position])..<Int(starts[stop.position + 1])
    }

    /// Sorts the rows of a table by stop, then by departure, then by row.
    ///
    /// O(rows): two counting sorts.
    init(_ table: StopTimeTable, stops: Int) {
        self.init()
        let rows = (0..<UInt32(table.count)).map { $0 }
        let latest = Int(table.departures.max() ?? 0)
        let byTime = Self.sorted(rows, keys: latest + 1) { Int(table.departures[Int($0)]) }
        let byStop = Self.sorted(byTime.rows, keys: stops) { Int(table.stops[Int($0)]) }
        self.rows = byStop.rows
        starts = byStop.starts
    }

    /// Counting sort, stable, by a key from 0; also the start of each key.
    static func sorted(
        _ rows: [UInt32], keys: Int, _ key: (UInt32) -> Int
    ) -> (rows: [UInt32], starts: [UInt32]) {
        var starts = [UInt32](repeating: 0, count: keys + 1)
        for row in rows { starts[key(row) + 1] += 1 }
        for key in 0..<keys { starts[key + 1] += starts[key] }
        var next = starts
        var sorted = [UInt32](repeating: 0, count: rows.count)
        for row in rows {
            let key = key(row)
            sorted[Int(next[key])] = row
            next[key] += 1
        }
        return (sorted, starts)
    }
}
