// Stop times in the order of their file, as they are read; used by FeedReader's reading of stop_times.txt.
internal import BridgecastCore

/// The columns of stop_times.txt.
struct StopTimeRows {
    /// Rows that follow each other and are of one trip.
    private(set) var stretches: [RowGrouping.Stretch] = []
    var stops: [Int32] = []
    /// -1 where the file has none.
    var arrivals: [Int32] = []
    var departures: [Int32] = []
    var sequences: [UInt32] = []
    /// NaN where the file has none; empty if it nowhere does.
    var distances: [Float] = []
    var flags: [UInt8] = []
    /// Places in `headsignTexts`, or ``FeedIndex/none``; empty as long as no row has one of its own.
    var headsigns: [Int32] = []
    private(set) var headsignTexts: IdentifierTable
    /// The lines of rows before they are arranged.
    private(set) var lines = LineNumbers()

    private let tripIDs: IdentifierTable
    private let stopIDs: IdentifierTable
    private let tripHeadsigns: [Int32]

    /// A row is hardly shorter.
    static let leastBytes = 36

    init(trips: TripTable, stops: StopTable) {
        (tripIDs, stopIDs, tripHeadsigns) = (trips.ids, stops.ids, trips.headsigns)
        headsignTexts = IdentifierTable(trips.headsignTexts) ?? IdentifierTable()
    }

    var count: Int { stops.count }

    /// Takes memory for so many rows, which is not touched before there are as many.
    mutating func reserve(count: Int) {
        stops.reserveCapacity(count)
        arrivals.reserveCapacity(count)
        departures.reserveCapacity(count)
        sequences.reserveCapacity(count)
        flags.reserveCapacity(count)
    }

    /// Takes over a row, if its trip and stop are known.
    mutating func append(
        _ row: borrowing TableRow<StopTimeColumn>, _ bytes: Span<UInt8>,
        _ notices: inout FeedNotices
    ) {
        guard let trip = trip(row, bytes, &notices), let stop = stop(row, bytes, &notices),
            row.required(.sequence, bytes, &notices) != nil,
            let sequence = row.whole(.sequence, 0...Int(UInt32.max), bytes, &notices)
        else { return }
        let count = stops.count
        if stretches.last?.group != Int32(trip) {
            stretches.append(RowGrouping.Stretch(group: Int32(trip), firstRow: UInt32(count)))
        }
        stops.append(Int32(stop))
        arrivals.append(row.time(.arrival, bytes, &notices) ?? -1)
        departures.append(row.time(.departure, bytes, &notices) ?? -1)
        sequences.append(UInt32(sequence))
        flags.append(Self.flags(row, bytes, &notices).rawValue)
        appendDistance(row.distance(.distance, bytes, &notices))
        let known = headsignTexts.count
        appendHeadsign(headsignTexts.place(of: bytes, row.range(.headsign, bytes)), trip)
        if headsignTexts.count > known { row.checkLetters(of: .headsign, in: bytes, &notices) }
        lines.append(row: count, line: row.line)
    }

    /// The row's trip, which usually is that of the row before.
    private func trip(
        _ row: borrowing TableRow<StopTimeColumn>, _ bytes: Span<UInt8>,
        _ notices: inout FeedNotices
    ) -> Int? {
        let range = row.range(.trip, bytes)
        if let last = stretches.last, tripIDs.holds(bytes, range, at: Int(last.group)) {
            return Int(last.group)
        }
        if let trip = tripIDs.position(of: bytes.extracting(range)) { return trip }
        row.noteForeign(.trip, TripColumn.file, "the row is left out", bytes, &notices)
        return nil
    }

    private func stop(
        _ row: borrowing TableRow<StopTimeColumn>, _ bytes: Span<UInt8>,
        _ notices: inout FeedNotices
    ) -> Int? {
        let range = row.range(.stop, bytes)
        if let stop = stopIDs.position(of: bytes.extracting(range)) { return stop }
        row.noteForeign(.stop, StopColumn.file, "the row is left out", bytes, &notices)
        return nil
    }

    private mutating func appendDistance(_ distance: Float?) {
        if distances.isEmpty {
            guard distance != nil else { return }
            distances = [Float](repeating: .nan, count: count - 1)
            distances.reserveCapacity(stops.capacity)
        }
        distances.append(distance ?? .nan)
    }

    private mutating func appendHeadsign(_ headsign: Int32, _ trip: Int) {
        let own = headsign == tripHeadsigns[trip] ? FeedIndex<TransitTrip>.none : headsign
        if headsigns.isEmpty {
            guard own >= 0 else { return }
            headsigns = [Int32](repeating: FeedIndex<TransitTrip>.none, count: count - 1)
        }
        headsigns.append(own)
    }

    private static func flags(
        _ row: borrowing TableRow<StopTimeColumn>, _ bytes: Span<UInt8>,
        _ notices: inout FeedNotices
    ) -> StopTimeTable.Flags {
        var flags: StopTimeTable.Flags = []
        switch row.choice(.pickUp, upTo: 3, bytes, &notices) {
        case 1: flags.insert(.noPickUp)
        case 2, 3: flags.insert(.onRequest)
        default: break
        }
        switch row.choice(.dropOff, upTo: 3, bytes, &notices) {
        case 1: flags.insert(.noDropOff)
        case 2, 3: flags.insert(.onRequest)
        default: break
        }
        let timepoint = row.range(.timepoint, bytes)
        if timepoint.count == 1, bytes[timepoint.lowerBound] == UInt8(ascii: "0") {
            flags.insert(.approximate)
        }
        return flags
    }

    /// Copies a row to another place.
    mutating func move(_ row: Int, to place: Int) {
        stops[place] = stops[row]
        (arrivals[place], departures[place]) = (arrivals[row], departures[row])
        (sequences[place], flags[place]) = (sequences[row], flags[row])
        if !distances.isEmpty { distances[place] = distances[row] }
        if !headsigns.isEmpty { headsigns[place] = headsigns[row] }
    }

    /// Removes the last rows.
    mutating func removeLast(_ count: Int) {
        stops.removeLast(count)
        arrivals.removeLast(count)
        departures.removeLast(count)
        sequences.removeLast(count)
        flags.removeLast(count)
        if !distances.isEmpty { distances.removeLast(count) }
        if !headsigns.isEmpty { headsigns.removeLast(count) }
    }

    /// Brings all columns into the order of trips.
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
