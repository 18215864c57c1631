// Reads stop_times.txt, millions of rows: sorts them by trip, checks them and interpolates missing times.
internal import BridgecastCore
internal import BridgecastSupport

enum StopTimeColumn: Int, FeedColumn {
    case trip, arrival, departure, stop, sequence, headsign, pickUp, dropOff, distance, timepoint
    static let file = "stop_times.txt"
    static let names = [
        "trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence", "stop_headsign",
        "pickup_type", "drop_off_type", "shape_dist_traveled", "timepoint",
    ]
    static let required: [Self] = [.trip, .stop, .sequence]
    static let others = [
        "continuous_pickup", "continuous_drop_off", "location_group_id", "location_id",
        "start_pickup_drop_off_window", "end_pickup_drop_off_window", "pickup_booking_rule_id",
        "drop_off_booking_rule_id", "mean_duration_factor", "mean_duration_offset",
    ]
}

extension FeedReader {
    /// Reads stop_times.txt in the order of trips, checked, with missing times filled in; adds new headsigns to trips.
    mutating func readStopTimes(
        _ trips: inout TripTable, _ stops: StopTable
    ) throws(TransitFeedError.Problem) -> StopTimeTable {
        var rows = StopTimeRows(trips: trips, stops: stops)
        rows.reserve(
            count: min(limits.rows, statedBytes(StopTimeColumn.file) / StopTimeRows.minRowBytes))
        let header = try forEachRow(of: StopTimeColumn.self, isRequired: true, maxRows: limits.rows)
        { row, notices in rows.append(row, &notices) }
        guard rows.count > 0 else { throw .empty(StopTimeColumn.file) }
        if header?.has(.arrival) != true, header?.has(.departure) != true {
            throw .missingColumn(file: StopTimeColumn.file, column: "arrival_time")
        }
        trips.headsignTexts = rows.headsignTexts.texts
        let grouping = RowGrouping(rows.stretches, groups: trips.count, sequences: rows.sequences)
        rows.arrange(grouping)
        var checks = StopTimeChecks(
            grouping: grouping, lines: rows.lines, stops: stops, trips: trips)
        let table = checks.table(from: &rows, &notices)
        guard table.count > 0 else { throw .empty(StopTimeColumn.file) }
        return table
    }
}

// MARK: - Rows

/// The columns of stop_times.txt in the order of the file, and later in that of trips.
struct StopTimeRows {
    /// Runs of consecutive rows of one trip.
    private(set) var stretches: [RowGrouping.Stretch] = []
    var stops: [Int32] = []
    /// -1 if missing.
    var arrivals: [Int32] = []
    var departures: [Int32] = []
    var sequences: [UInt32] = []
    /// NaN if missing; empty as long as all are missing.
    var distances: [Float] = []
    var flags: [UInt8] = []
    /// Indices in `headsignTexts`, or ``FeedIndex/none``; empty as long as no row has one of its own.
    var headsigns: [Int32] = []
    private(set) var headsignTexts: IdentifierTable
    /// The lines of rows in the order of the file.
    private(set) var lines = LineNumbers()

    private let tripIDs: IdentifierTable
    private let stopIDs: IdentifierTable
    private let tripHeadsigns: [Int32]

    /// Minimum bytes of a row, to estimate the number of rows.
    static let minRowBytes = 36

    init(trips: TripTable, stops: StopTable) {
        tripIDs = trips.ids
        stopIDs = stops.ids
        tripHeadsigns = trips.headsigns
        headsignTexts = IdentifierTable(trips.headsignTexts) ?? IdentifierTable()
    }

    var count: Int { stops.count }

    /// Reserves memory, which stays untouched until there are rows.
    mutating func reserve(count: Int) {
        stops.reserveCapacity(count)
        arrivals.reserveCapacity(count)
        departures.reserveCapacity(count)
        sequences.reserveCapacity(count)
        flags.reserveCapacity(count)
    }

    /// Appends a row if its trip and stop are known.
    mutating func append(_ row: borrowing TableRow<StopTimeColumn>, _ notices: inout FeedNotices) {
        guard let trip = trip(of: row, &notices),
            let stop = row.reference(.stop, to: stopIDs, of: StopColumn.file, &notices),
            row.required(.sequence, &notices) != nil,
            let sequence = row.whole(.sequence, 0...Int(UInt32.max), &notices)
        else { return }
        let count = stops.count
        if stretches.last?.group != Int32(trip) {
            stretches.append(RowGrouping.Stretch(group: Int32(trip), firstRow: UInt32(count)))
        }
        stops.append(Int32(stop))
        arrivals.append(row.time(.arrival, &notices) ?? -1)
        departures.append(row.time(.departure, &notices) ?? -1)
        sequences.append(UInt32(sequence))
        flags.append(Self.flags(of: row, &notices).rawValue)
        appendDistance(row.distance(.distance, &notices))
        let known = headsignTexts.count
        appendHeadsign(row.findOrAppend(.headsign, in: &headsignTexts), ofTrip: trip)
        if headsignTexts.count > known { row.checkCharacters(of: [.headsign], &notices) }
        lines.append(row: count, line: row.line)
    }

    /// The trip of a row, usually that of the row before.
    private func trip(
        of row: borrowing TableRow<StopTimeColumn>, _ notices: inout FeedNotices
    ) -> Int? {
        let id = row.bytes.span.extracting(row.range(.trip))
        if let last = stretches.last, tripIDs.holds(id, at: Int(last.group)) {
            return Int(last.group)
        }
        return row.reference(.trip, to: tripIDs, of: TripColumn.file, &notices)
    }

    private mutating func appendDistance(_ distance: Float?) {
        if distances.isEmpty {
            guard distance != nil else { return }
            distances = [Float](repeating: .nan, count: count - 1)
            distances.reserveCapacity(stops.capacity)
        }
        distances.append(distance ?? .nan)
    }

    private mutating func appendHeadsign(_ headsign: Int32, ofTrip trip: Int) {
        let own = headsign == tripHeadsigns[trip] ? FeedIndex<TransitTrip>.none : headsign
        if headsigns.isEmpty {
            guard own >= 0 else { return }
            headsigns = [Int32](repeating: FeedIndex<TransitTrip>.none, count: count - 1)
        }
        headsigns.append(own)
    }

    private static func flags(
        of row: borrowing TableRow<StopTimeColumn>, _ notices: inout FeedNotices
    ) -> StopTimeTable.Flags {
        var flags: StopTimeTable.Flags = []
        switch row.choice(.pickUp, upTo: 3, &notices) {
        case 1: flags.insert(.noPickUp)
        case 2, 3: flags.insert(.onRequest)
        default: break
        }
        switch row.choice(.dropOff, upTo: 3, &notices) {
        case 1: flags.insert(.noDropOff)
        case 2, 3: flags.insert(.onRequest)
        default: break
        }
        let timepoint = row.range(.timepoint)
        if timepoint.count == 1, row.bytes[timepoint.lowerBound] == UInt8(ascii: "0") {
            flags.insert(.approximate)
        }
        return flags
    }

    mutating func copy(_ row: Int, to other: Int) {
        stops[other] = stops[row]
        arrivals[other] = arrivals[row]
        departures[other] = departures[row]
        sequences[other] = sequences[row]
        flags[other] = flags[row]
        if !distances.isEmpty { distances[other] = distances[row] }
        if !headsigns.isEmpty { headsigns[other] = headsigns[row] }
    }

    mutating func removeLast(_ count: Int) {
        stops.removeLast(count)
        arrivals.removeLast(count)
        departures.removeLast(count)
        sequences.removeLast(count)
        flags.removeLast(count)
        if !distances.isEmpty { distances.removeLast(count) }
        if !headsigns.isEmpty { headsigns.removeLast(count) }
    }

    mutating func arrange(_ grouping: RowGrouping) {
        stretches = []
        grouping.apply(&stops)
        grouping.apply(&arrivals)
        grouping.apply(&departures)
        grouping.apply(&sequences)
        grouping.apply(&distances)
        grouping.apply(&flags)
        grouping.apply(&headsigns)
    }
}

// MARK: - Checks

/// Makes a table of stop times from rows in the order of trips.
struct StopTimeChecks {
    let grouping: RowGrouping
    let lines: LineNumbers
    let stops: StopTable
    let trips: TripTable
    /// Of the current trip, as is the distance.
    var lastDeparture: Int32 = 0
    var lastDistance = -Float.infinity

    /// Moves the columns of rows into a table. O(rows)
    mutating func table(
        from rows: inout StopTimeRows, _ notices: inout FeedNotices
    ) -> StopTimeTable {
        var starts = [UInt32](repeating: 0, count: trips.count + 1)
        var kept = 0
        for trip in 0..<trips.count {
            let range = Int(grouping.starts[trip])..<Int(grouping.starts[trip + 1])
            kept = keep(range, ofTrip: trip, from: kept, in: &rows, &notices)
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

    /// Copies a trip's usable rows, those between the first and the last with a time, to `start`, which is not after them.
    ///
    /// - Returns: The end of the copied rows.
    private mutating func keep(
        _ range: Range<Int>, ofTrip trip: Int, from start: Int, in rows: inout StopTimeRows,
        _ notices: inout FeedNotices
    ) -> Int {
        var end = start
        var untimed = 0
        for row in range {
            if end == start, rows.arrivals[row] < 0, rows.departures[row] < 0 {
                untimed += 1
                continue
            }
            if end > start, rows.sequences[row] == rows.sequences[end - 1] {
                note(
                    .error, "duplicate_key", row: row, field: "stop_sequence", to: &notices,
                    "trip '\(name(trip))' has stop_sequence \(rows.sequences[row]) twice; the row is left out"
                )
                continue
            }
            if row != end { rows.copy(row, to: end) }
            check(end, isFirst: end == start, origin: row, in: &rows, &notices)
            end += 1
        }
        let isEarly = untimed > 0
        while end > start, rows.arrivals[end - 1] < 0 {
            end -= 1
            untimed += 1
        }
        if untimed > 0 {
            note(
                .error, "missing_trip_edge", row: isEarly ? range.lowerBound : range.upperBound - 1,
                field: "arrival_time", to: &notices,
                "trip '\(name(trip))' has no time at its \(isEarly ? "first" : "last") stop; \(untimed) rows without times are left out"
            )
        }
        fillTimes(start..<end, in: &rows)
        return end
    }

    /// Completes a row's times, and corrects times and removes distances that decrease.
    ///
    /// - Parameter origin: The row before it was copied, which has its line.
    private mutating func check(
        _ row: Int, isFirst: Bool, origin: Int, in rows: inout StopTimeRows,
        _ notices: inout FeedNotices
    ) {
        checkDistance(row, isFirst: isFirst, origin: origin, in: &rows, &notices)
        if rows.arrivals[row] < 0 { rows.arrivals[row] = rows.departures[row] }
        if rows.departures[row] < 0 { rows.departures[row] = rows.arrivals[row] }
        guard rows.arrivals[row] >= 0 else {
            rows.flags[row] |= StopTimeTable.Flags.interpolated.rawValue
            return
        }
        if rows.departures[row] < rows.arrivals[row] {
            note(
                .error, "stop_time_with_departure_before_arrival_time", row: origin,
                field: "departure_time", to: &notices,
                "\(Self.clock(rows.departures[row])) is before the arrival at \(Self.clock(rows.arrivals[row])), which is used instead"
            )
            rows.departures[row] = rows.arrivals[row]
        }
        let earliest = isFirst ? 0 : lastDeparture
        if rows.arrivals[row] < earliest {
            note(
                .error, "stop_time_with_arrival_before_previous_departure_time", row: origin,
                field: "arrival_time", to: &notices,
                "\(Self.clock(rows.arrivals[row])) is before the departure from the previous stop at \(Self.clock(earliest)), which is used instead"
            )
            rows.arrivals[row] = earliest
            rows.departures[row] = max(earliest, rows.departures[row])
        }
        lastDeparture = rows.departures[row]
    }

    private mutating func checkDistance(
        _ row: Int, isFirst: Bool, origin: Int, in rows: inout StopTimeRows,
        _ notices: inout FeedNotices
    ) {
        guard !rows.distances.isEmpty else { return }
        if isFirst { lastDistance = -.infinity }
        let distance = rows.distances[row]
        guard !distance.isNaN else { return }
        if distance <= lastDistance {
            note(
                distance < lastDistance ? .error : .warning,
                "decreasing_or_equal_stop_time_distance", row: origin, field: "shape_dist_traveled",
                to: &notices,
                "\(distance) after \(lastDistance)\(distance < lastDistance ? "; the distance is left out" : "")"
            )
        }
        if distance < lastDistance { rows.distances[row] = .nan } else { lastDistance = distance }
    }

    /// Interpolates missing times between known ones, by the distance between the stops.
    private func fillTimes(_ range: Range<Int>, in rows: inout StopTimeRows) {
        var known = range.lowerBound
        for row in range.dropFirst() where rows.arrivals[row] >= 0 {
            if row > known + 1 { StopTimeInterpolation(stops: stops).fill(known...row, in: &rows) }
            known = row
        }
    }

    private func name(_ trip: Int) -> String { printable(trips.ids[trip], maxLength: 40) }

    private func note(
        _ severity: FeedNotice.Severity, _ code: String, row: Int, field: String,
        to notices: inout FeedNotices, _ message: @autoclosure () -> String
    ) {
        notices.add(
            severity, code, file: StopTimeColumn.file,
            line: lines.line(ofRow: grouping.row(at: row)), field: field, message())
    }

    private static func clock(_ seconds: Int32) -> String {
        ClockText.hoursMinutesSeconds(ofSeconds: Int(seconds))
    }
}

private struct StopTimeInterpolation {
    let stops: StopTable

    /// Fills in the times between two rows that have them: by shape_dist_traveled if all rows have it, else by great
    /// circles from stop to stop, else evenly; rounded to the second.
    func fill(_ range: ClosedRange<Int>, in rows: inout StopTimeRows) {
        let metres = statedDistances(range, rows) ?? directDistances(range, rows)
        let start = Double(rows.departures[range.lowerBound])
        let end = Double(rows.arrivals[range.upperBound])
        let last = range.count - 1
        for step in 1..<last {
            let share = metres.map { ($0[step] - $0[0]) / ($0[last] - $0[0]) }
            let seconds = start + (end - start) * (share ?? Double(step) / Double(last))
            let row = range.lowerBound + step
            rows.arrivals[row] = Int32(seconds.rounded())
            rows.departures[row] = rows.arrivals[row]
        }
    }

    /// shape_dist_traveled of each row; nil if one is missing or they do not increase from first to last.
    private func statedDistances(_ range: ClosedRange<Int>, _ rows: StopTimeRows) -> [Double]? {
        guard !rows.distances.isEmpty else { return nil }
        let distances = range.map { Double(rows.distances[$0]) }
        guard distances.allSatisfy({ !$0.isNaN }), let first = distances.first,
            let last = distances.last, last > first
        else { return nil }
        return distances
    }

    /// Metres from stop to stop, summed; nil if a stop has no location or all are at the same one.
    private func directDistances(_ range: ClosedRange<Int>, _ rows: StopTimeRows) -> [Double]? {
        var distances: [Double] = []
        var previous: GeoPoint?
        for row in range {
            guard let point = stops.point(StopIndex(Int(rows.stops[row]))) else { return nil }
            distances.append((distances.last ?? 0) + (previous?.metres(to: point) ?? 0))
            previous = point
        }
        return (distances.last ?? 0) > 0 ? distances : nil
    }
}

// MARK: - Order and lines

/// The order of rows by group and sequence number: points by shape, stop times by trip.
struct RowGrouping {
    /// By group, the start of its rows; one more than there are groups.
    private(set) var starts: [UInt32]
    /// The permutation of rows; nil if they are in order already.
    private(set) var order: [UInt32]?

    /// A run of consecutive rows of one group.
    struct Stretch {
        var group: Int32
        var firstRow: UInt32
    }

    /// Groups rows, sorted within a group by sequence number, then by row.
    ///
    /// O(rows) if they are in order within groups.
    init(_ stretches: [Stretch], groups: Int, sequences: [UInt32]) {
        starts = [UInt32](repeating: 0, count: groups + 1)
        let ends = stretches.dropFirst().map(\.firstRow) + [UInt32(sequences.count)]
        for (stretch, end) in zip(stretches, ends) {
            starts[Int(stretch.group) + 1] += end - stretch.firstRow
        }
        for group in 0..<groups { starts[group + 1] += starts[group] }
        let areGroupsInOrder = zip(stretches, stretches.dropFirst()).allSatisfy {
            $0.group < $1.group
        }
        if !areGroupsInOrder {
            order = Self.order(zip(stretches, ends), starts: starts, rowCount: sequences.count)
        }
        sortGroups(by: sequences)
    }

    private static func order(
        _ stretches: Zip2Sequence<[Stretch], [UInt32]>, starts: [UInt32], rowCount: Int
    ) -> [UInt32] {
        var next = starts
        var order = [UInt32](repeating: 0, count: rowCount)
        for (stretch, end) in stretches {
            var index = next[Int(stretch.group)]
            for row in stretch.firstRow..<end {
                order[Int(index)] = row
                index += 1
            }
            next[Int(stretch.group)] = index
        }
        return order
    }

    /// Sorts the groups that are not in order.
    private mutating func sortGroups(by sequences: [UInt32]) {
        for group in 0..<starts.count - 1 {
            let range = Int(starts[group])..<Int(starts[group + 1])
            guard !isSorted(range, by: sequences) else { continue }
            var rows = order ?? (0..<UInt32(sequences.count)).map { $0 }
            order = nil
            rows[range].sort { (sequences[Int($0)], $0) < (sequences[Int($1)], $1) }
            order = rows
        }
    }

    private func isSorted(_ range: Range<Int>, by sequences: [UInt32]) -> Bool {
        var previous: UInt32 = 0
        for index in range {
            let sequence = sequences[row(at: index)]
            guard sequence >= previous else { return false }
            previous = sequence
        }
        return true
    }

    /// The row, in the order of the file, at an index of the new order.
    @inline(__always) func row(at index: Int) -> Int { order.map { Int($0[index]) } ?? index }

    /// Sorts a column; an empty one stays empty.
    func apply<Value>(_ column: inout [Value]) {
        guard let order, !column.isEmpty else { return }
        column = order.map { column[Int($0)] }
    }
}

/// The line numbers of kept rows, run-length encoded.
struct LineNumbers: Sendable {
    /// First rows of runs whose lines are consecutive, and their lines.
    private var rows: [UInt32] = []
    private var lines: [UInt32] = []

    /// Adds the line of the next row.
    @inline(__always) mutating func append(row: Int, line: Int) {
        if let lastRow = rows.last, let lastLine = lines.last,
            line - Int(lastLine) == row - Int(lastRow)
        {
            return
        }
        rows.append(UInt32(clamping: row))
        lines.append(UInt32(clamping: line))
    }

    /// The line of a row; O(log gaps).
    func line(ofRow row: Int) -> Int {
        let run = rows.partitioningIndex { Int($0) > row } - 1
        return run < 0 ? row : Int(lines[run]) + row - Int(rows[run])
    }
}
