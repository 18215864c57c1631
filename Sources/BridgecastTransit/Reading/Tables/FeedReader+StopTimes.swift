// stop_times.txt: when trips stop where; millions of rows.
internal import BridgecastCore

/// Columns of stop_times.txt.
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
    /// stop_times.txt, put in order, checked and its missing times filled in; trips take over new headsigns.
    mutating func readStopTimes(
        _ trips: inout TripTable, _ stops: StopTable
    ) throws(TransitFeedError.Problem) -> StopTimeTable {
        var rows = StopTimeRows(trips: trips, stops: stops)
        rows.reserve(
            count: min(limits.rows, statedBytes(StopTimeColumn.file) / StopTimeRows.leastBytes))
        let header = try forEachRow(
            of: StopTimeColumn.self, isRequired: true, most: limits.rows
        ) { row, bytes, notices in rows.append(row, bytes, &notices) }
        guard rows.count > 0 else { throw .empty(StopTimeColumn.file) }
        if header?.has(.arrival) != true, header?.has(.departure) != true {
            throw .missingColumn(file: StopTimeColumn.file, column: "arrival_time")
        }
        trips.headsignTexts = rows.headsignTexts.texts
        let grouping = RowGrouping(rows.stretches, groups: trips.count, sequences: rows.sequences)
        rows.arrange(grouping)
        var checks = StopTimeChecks(grouping, rows.lines, stops, trips)
        let table = checks.table(&rows, &notices)
        guard table.count > 0 else { throw .empty(StopTimeColumn.file) }
        return table
    }
}
