// When trips stop where: stop_times.txt in columns, a trip's rows together and in order.
internal import BridgecastCore

/// stop_times.txt in columns.
///
/// Times are seconds of the service day, which begins twelve hours before noon: on days when clocks change that is not
/// midnight. They may lie beyond 86,400.
package struct StopTimeTable: Sendable {
    /// By trip, where its rows begin; one more than there are trips.
    package var starts: [UInt32] = [0]
    /// Rows of stops.
    package var stops: [Int32] = []
    /// Seconds of the service day; never below those of the row before it in its trip.
    package var arrivals: [Int32] = []
    package var departures: [Int32] = []
    /// stop_sequence; increasing within a trip.
    package var sequences: [UInt32] = []
    /// shape_dist_traveled in the feed's own unit; NaN where it gives none.
    ///
    /// Empty if it nowhere does.
    package var distances: [Float] = []
    /// As ``Flags``.
    package var flags: [UInt8] = []
    /// Rows that have a headsign of their own, increasing, and which (places in ``TripTable/headsignTexts``).
    package var headsignRows: [UInt32] = []
    package var headsignTexts: [Int32] = []

    package init() {}

    package var count: Int { stops.count }

    /// The rows of a trip; empty for one that stops nowhere.
    package func rows(of trip: TripIndex) -> Range<Int> {
        Int(starts[trip.position])..<Int(starts[trip.position + 1])
    }

    /// The trip of a row; O(log trips), and less where trips are of much the same length.
    package func trip(ofRow row: Int) -> TripIndex {
        let end = starts.count - 1
        // From where it would be if all trips were of one length, in growing steps to either side.
        var low = min(row * end / max(1, count), end - 1)
        var (high, step) = (low + 1, 8)
        while low > 0, Int(starts[low]) > row {
            (high, low, step) = (low, max(0, low - step), 2 * step)
        }
        while high < end, Int(starts[high]) <= row {
            (low, high, step) = (high, min(end, high + step), 2 * step)
        }
        return TripIndex(starts.partitionPoint(in: low + 1..<high + 1) { Int($0) > row } - 1)
    }

    /// The headsign that a row has of its own; nil where it has its trip's.
    package func headsign(ofRow row: Int) -> Int32? {
        let place = headsignRows.partitionPoint { Int($0) >= row }
        return place < headsignRows.count && Int(headsignRows[place]) == row
            ? headsignTexts[place] : nil
    }

    /// What is said of a stop time.
    package struct Flags: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Nobody gets on here: pickup_type 1.
        package static let noPickUp = Flags(rawValue: 1)
        /// Nobody gets off here: drop_off_type 1.
        package static let noDropOff = Flags(rawValue: 2)
        /// Getting on or off has to be arranged: types 2 and 3.
        package static let onRequest = Flags(rawValue: 4)
        /// Times are only about right: timepoint 0.
        package static let approximate = Flags(rawValue: 8)
        /// The feed gives no times here: they are interpolated.
        package static let interpolated = Flags(rawValue: 16)
    }
}

/// By stop, the rows of ``StopTimeTable`` that stop there, in order of departure, then of the row.
package struct StopCalls: Sendable {
    /// By stop, where its rows begin; one more than there are stops.
    package var starts: [UInt32] = [0]
    package var rows: [UInt32] = []

    package init() {}
}

/// By station, the stops that belong to it, in the order of the feed.
package struct StationChildren: Sendable {
    /// By stop, where its children begin; one more than there are stops.
    package var starts: [UInt32] = [0]
    /// Rows of stops.
    package var stops: [Int32] = []

    package init() {}

    /// What belongs to a stop.
    package func of(_ station: StopIndex) -> ArraySlice<Int32> {
        stops[Int(starts[station.position])..<Int(starts[station.position + 1])]
    }
}
