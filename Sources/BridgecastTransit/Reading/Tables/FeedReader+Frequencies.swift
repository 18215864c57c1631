// frequencies.txt and transfers.txt.
internal import BridgecastCore

/// Columns of frequencies.txt.
enum FrequencyColumn: Int, FeedColumn {
    case trip, start, end, headway, isExact
    static let file = "frequencies.txt"
    static let names = ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"]
    static let required: [Self] = [.trip, .start, .end, .headway]
    static let others: [String] = []
}

/// Columns of transfers.txt.
enum TransferColumn: Int, FeedColumn {
    case from, to, kind, leastTime
    static let file = "transfers.txt"
    static let names = ["from_stop_id", "to_stop_id", "transfer_type", "min_transfer_time"]
    static let required: [Self] = []
    static let others = ["from_route_id", "to_route_id", "from_trip_id", "to_trip_id"]
}

extension FeedReader {
    /// frequencies.txt, where there is one, in the order of trips and times; trips are told where theirs begin.
    mutating func readFrequencies(
        _ trips: inout TripTable
    ) throws(TransitFeedError.Problem) -> [TripFrequency] {
        var rows: [TripFrequency] = []
        let ids = trips.ids
        try forEachRow(of: FrequencyColumn.self, isRequired: false) { row, bytes, notices in
            guard row.required(.start, bytes, &notices) != nil,
                row.required(.end, bytes, &notices) != nil,
                let start = row.time(.start, bytes, &notices),
                let end = row.time(.end, bytes, &notices),
                let headway = row.whole(.headway, 1...86_400, bytes, &notices)
            else { return }
            guard let trip = ids.position(of: bytes.extracting(row.range(.trip, bytes))) else {
                return row.noteForeign(
                    .trip, TripColumn.file, "the row is left out", bytes, &notices)
            }
            guard start < end else {
                return row.note(
                    .error, "start_and_end_range_out_of_order", .end,
                    "is not after start_time; the row is left out", &notices)
            }
            rows.append(
                TripFrequency(
                    trip: Int32(trip), startSeconds: start, endSeconds: end,
                    headwaySeconds: Int32(headway),
                    isExact: Int32(row.choice(.isExact, upTo: 1, bytes, &notices))))
        }
        guard !rows.isEmpty else { return [] }
        rows.sort { ($0.trip, $0.startSeconds) < ($1.trip, $1.startSeconds) }
        rows = withoutOverlaps(rows, ids)
        var starts = [UInt32](repeating: 0, count: trips.count + 1)
        for row in rows { starts[Int(row.trip) + 1] += 1 }
        for trip in 0..<trips.count { starts[trip + 1] += starts[trip] }
        trips.frequencyStarts = starts
        return rows
    }

    /// Ordered rows, of which one that begins within another of its trip begins where that ends: nobody runs twice, and
    /// a thousand rows for the same hour are no thousand runs.
    private mutating func withoutOverlaps(
        _ rows: [TripFrequency], _ ids: IdentifierTable
    ) -> [TripFrequency] {
        var kept: [TripFrequency] = []
        for var row in rows {
            if let last = kept.last, last.trip == row.trip, row.startSeconds < last.endSeconds {
                notices.add(
                    .error, "overlapping_frequency", file: FrequencyColumn.file,
                    field: "start_time",
                    "trip '\(printable(ids[Int(row.trip)]))' has two rows for the same time; the later one begins where the other ends"
                )
                let steps = (last.endSeconds - row.startSeconds - 1) / row.headwaySeconds + 1
                row.startSeconds += steps * row.headwaySeconds
                guard row.startSeconds < row.endSeconds else { continue }
            }
            kept.append(row)
        }
        return kept
    }

    /// transfers.txt between stops, where there is one; those between routes and trips are not read.
    mutating func readTransfers(
        _ stops: StopTable
    ) throws(TransitFeedError.Problem) -> [StopTransfer] {
        var transfers: [StopTransfer] = []
        try forEachRow(of: TransferColumn.self, isRequired: false) { row, bytes, notices in
            let (from, to) = (row.range(.from, bytes), row.range(.to, bytes))
            guard !from.isEmpty, !to.isEmpty else { return }
            guard let first = stops.ids.position(of: bytes.extracting(from)) else {
                return row.noteForeign(
                    .from, StopColumn.file, "the row is left out", bytes, &notices)
            }
            guard let second = stops.ids.position(of: bytes.extracting(to)) else {
                return row.noteForeign(.to, StopColumn.file, "the row is left out", bytes, &notices)
            }
            let least = row.whole(.leastTime, 0...86_400, bytes, &notices)
            transfers.append(
                StopTransfer(
                    from: Int32(first), to: Int32(second),
                    kind: Int32(row.choice(.kind, upTo: 5, bytes, &notices)),
                    leastSeconds: Int32(least ?? -1)))
        }
        return transfers
    }
}
