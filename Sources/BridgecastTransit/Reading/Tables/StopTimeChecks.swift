// Checks the stops of each trip, in order, and fills in the times that the file does not give; used by the reading of
// stop_times.txt.
internal import BridgecastCore

/// Makes a table of stop times of rows that stand in the order of trips.
struct StopTimeChecks {
    private let grouping: RowGrouping
    private let lines: LineNumbers
    private let stops: StopTable
    private let trips: TripTable
    /// The last departure of the trip at hand.
    private var latest: Int32 = 0
    /// The last distance of the trip at hand.
    private var farthest = -Float.infinity

    init(
        _ grouping: RowGrouping, _ lines: LineNumbers, _ stops: StopTable, _ trips: TripTable
    ) {
        (self.grouping, self.lines, self.stops, self.trips) = (grouping, lines, stops, trips)
    }

    /// The table; the rows' columns become its own. O(rows)
    mutating func table(
        _ rows: inout StopTimeRows, _ notices: inout FeedNotices
    ) -> StopTimeTable {
        var starts = [UInt32](repeating: 0, count: trips.count + 1)
        var kept = 0
        for trip in 0..<trips.count {
            let range = Int(grouping.starts[trip])..<Int(grouping.starts[trip + 1])
            kept = keep(range, of: trip, to: kept, &rows, &notices)
            starts[trip + 1] = UInt32(kept)
        }
        var table = StopTimeTable()
        rows.removeLast(rows.count - kept)
        table.starts = starts
        swap(&table.stops, &rows.stops)
        swap(&table.arrivals, &rows.arrivals)
        swap(&table.departures, &rows.departures)
        swap(&table.sequences, &rows.sequences)
        swap(&table.distances, &rows.distances)
        swap(&table.flags, &rows.flags)
        for (row, headsign) in rows.headsigns.enumerated() where headsign >= 0 {
            table.headsignRows.append(UInt32(row))
            table.headsignTexts.append(headsign)
        }
        return table
    }

    /// Brings a trip's rows that can be used to a place at or before theirs: those from the first to the last that has
    /// a time, because of others none could be found.
    ///
    /// - Returns: Behind the last of them.
    private mutating func keep(
        _ range: Range<Int>, of trip: Int, to place: Int, _ rows: inout StopTimeRows,
        _ notices: inout FeedNotices
    ) -> Int {
        var (end, untimed) = (place, 0)
        for row in range {
            if end == place, rows.arrivals[row] < 0, rows.departures[row] < 0 {
                untimed += 1
                continue
            }
            if end > place, rows.sequences[row] == rows.sequences[end - 1] {
                note(
                    .error, "duplicate_key", row, "stop_sequence", &notices,
                    "trip '\(name(trip))' has stop_sequence \(rows.sequences[row]) before; the row is left out"
                )
                continue
            }
            if row != end { rows.move(row, to: end) }
            settle(end, first: end == place, origin: row, &rows, &notices)
            end += 1
        }
        let isEarly = untimed > 0
        while end > place, rows.arrivals[end - 1] < 0 { (end, untimed) = (end - 1, untimed + 1) }
        if untimed > 0 {
            note(
                .error, "missing_trip_edge", isEarly ? range.lowerBound : range.upperBound - 1,
                "arrival_time", &notices,
                "trip '\(name(trip))' has no time at its \(isEarly ? "first" : "last") stop; rows without times there are left out: \(untimed)"
            )
        }
        fillTimes(place..<end, &rows)
        return end
    }

    /// Completes a row's own times and keeps times and distances from running backwards.
    private mutating func settle(
        _ place: Int, first: Bool, origin: Int, _ rows: inout StopTimeRows,
        _ notices: inout FeedNotices
    ) {
        settleDistance(place, first: first, origin: origin, &rows, &notices)
        if rows.arrivals[place] < 0 { rows.arrivals[place] = rows.departures[place] }
        if rows.departures[place] < 0 { rows.departures[place] = rows.arrivals[place] }
        guard rows.arrivals[place] >= 0 else {
            rows.flags[place] |= StopTimeTable.Flags.interpolated.rawValue
            return
        }
        if rows.departures[place] < rows.arrivals[place] {
            note(
                .error, "stop_time_with_departure_before_arrival_time", origin, "departure_time",
                &notices,
                "\(Self.clock(rows.departures[place])) is before the arrival at \(Self.clock(rows.arrivals[place])), which is taken"
            )
            rows.departures[place] = rows.arrivals[place]
        }
        let before = first ? 0 : latest
        if rows.arrivals[place] < before {
            note(
                .error, "stop_time_with_arrival_before_previous_departure_time", origin,
                "arrival_time", &notices,
                "\(Self.clock(rows.arrivals[place])) is before the departure from the stop before at \(Self.clock(before)), which is taken"
            )
            rows.arrivals[place] = before
            rows.departures[place] = max(before, rows.departures[place])
        }
        latest = rows.departures[place]
    }

    private mutating func settleDistance(
        _ place: Int, first: Bool, origin: Int, _ rows: inout StopTimeRows,
        _ notices: inout FeedNotices
    ) {
        guard !rows.distances.isEmpty else { return }
        if first { farthest = -.infinity }
        let distance = rows.distances[place]
        guard !distance.isNaN else { return }
        if distance <= farthest {
            note(
                distance < farthest ? .error : .warning,
                "decreasing_or_equal_stop_time_distance", origin, "shape_dist_traveled", &notices,
                "\(distance) after \(farthest)\(distance < farthest ? "; the distance is left out" : "")"
            )
        }
        if distance < farthest {
            rows.distances[place] = .nan
        } else {
            farthest = distance
        }
    }

    /// Fills in times between those that are given, by the way between the stops.
    private func fillTimes(_ range: Range<Int>, _ rows: inout StopTimeRows) {
        var known = range.lowerBound
        for place in range.dropFirst() where rows.arrivals[place] >= 0 {
            if place > known + 1 {
                StopTimeInterpolation(stops).fill(known...place, &rows)
            }
            known = place
        }
    }

    private func name(_ trip: Int) -> String { printable(trips.ids[trip], most: 40) }

    private func note(
        _ severity: FeedNotice.Severity, _ code: String, _ row: Int, _ field: String,
        _ notices: inout FeedNotices, _ words: @autoclosure () -> String
    ) {
        notices.add(
            severity, code, file: StopTimeColumn.file,
            line: lines.line(ofRow: grouping.row(at: row)), field: field, words())
    }

    private static func clock(_ seconds: Int32) -> String {
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
