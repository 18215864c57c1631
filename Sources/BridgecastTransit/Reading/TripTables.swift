// Reads the tables of trips: calendar.txt, calendar_dates.txt, trips.txt, frequencies.txt and
// transfers.txt. Stop times are in StopTimeReading.
internal import BridgecastCore
internal import BridgecastSupport

// MARK: - calendar.txt and calendar_dates.txt

enum CalendarColumn: Int, FeedColumn {
    case id, monday, tuesday, wednesday, thursday, friday, saturday, sunday, firstDay, lastDay
    static let file = "calendar.txt"
    static let names = [
        "service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        "start_date", "end_date",
    ]
    static let required = allCases
    static let others = ["service_name"]
    static let weekdays: [Self] = [
        .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
    ]
}

enum CalendarDateColumn: Int, FeedColumn {
    case id, date, kind
    static let file = "calendar_dates.txt"
    static let names = ["service_id", "date", "exception_type"]
    static let required = allCases
    static let others = ["holiday_name"]
}

extension FeedReader {
    /// Reads calendar.txt and calendar_dates.txt, one of which is required.
    mutating func readServices() throws(TransitFeedError.Problem) -> ServiceCalendar {
        guard has(CalendarColumn.file) || has(CalendarDateColumn.file) else {
            throw .missingFile("calendar.txt or calendar_dates.txt")
        }
        var services = ServiceCalendar()
        try readWeeks(&services)
        try readDates(&services)
        guard services.count > 0 else { throw .empty(faultyCalendar) }
        return services
    }

    /// The first of the two files with an error, or else the first that exists.
    private var faultyCalendar: String {
        let present = [CalendarColumn.file, CalendarDateColumn.file].filter(has)
        let isFaulty: (String) -> Bool = { [notices] file in
            notices.counts.contains { $0.file == file && $0.severity == .error }
        }
        return present.first(where: isFaulty) ?? present.first ?? CalendarColumn.file
    }

    private mutating func readWeeks(
        _ services: inout ServiceCalendar
    ) throws(TransitFeedError.Problem) {
        var table = services
        try forEachRow(of: CalendarColumn.self, isRequired: false) { row, notices in
            guard row.required(.id, &notices) != nil, let first = row.date(.firstDay, &notices),
                let last = row.date(.lastDay, &notices), row.append(.id, to: &table.ids, &notices)
            else { return }
            if last < first {
                row.note(
                    .error, "start_and_end_range_out_of_order", in: .lastDay,
                    "\(last) is before \(first): the service never runs by the week", to: &notices)
            }
            var weekdays: UInt8 = 0
            for (bit, column) in CalendarColumn.weekdays.enumerated() {
                weekdays |= UInt8(row.choice(column, upTo: 1, &notices)) << UInt8(bit)
            }
            table.weekdays.append(weekdays)
            table.firstDays.append(Int32(first.dayNumber))
            table.lastDays.append(Int32(last.dayNumber))
        }
        services = table
    }

    private struct Exception {
        var service: Int32
        var day: Int32
        var isAdded: UInt8
        var line: UInt32
    }

    private mutating func readDates(
        _ services: inout ServiceCalendar
    ) throws(TransitFeedError.Problem) {
        var table = services
        var exceptions: [Exception] = []
        try forEachRow(of: CalendarDateColumn.self, isRequired: false) { row, notices in
            guard row.required(.id, &notices) != nil, let date = row.date(.date, &notices),
                let kind = row.whole(.kind, 1...2, &notices)
            else { return }
            let known = row.position(.id, in: table.ids)
            if known == nil {
                // A service of calendar_dates.txt alone.
                _ = row.append(.id, to: &table.ids, &notices)
                table.weekdays.append(0)
                table.firstDays.append(1)
                table.lastDays.append(0)
            }
            exceptions.append(
                Exception(
                    service: Int32(known ?? table.count - 1), day: Int32(date.dayNumber),
                    isAdded: kind == 1 ? 1 : 0, line: UInt32(clamping: row.line)))
        }
        add(&exceptions, to: &table)
        services = table
    }

    /// Adds exceptions in the order of days; of two for one day the first.
    private mutating func add(_ exceptions: inout [Exception], to services: inout ServiceCalendar) {
        exceptions.sort { ($0.service, $0.day, $0.line) < ($1.service, $1.day, $1.line) }
        services.exceptionStarts = [UInt32](repeating: 0, count: services.count + 1)
        var before: Exception?
        for exception in exceptions {
            defer { before = exception }
            if let before, before.service == exception.service, before.day == exception.day {
                notices.add(
                    .error, "duplicate_key", file: CalendarDateColumn.file,
                    line: Int(exception.line), field: "date",
                    "service '\(printable(services.ids[Int(exception.service)]))' has this date twice; the row is left out"
                )
                continue
            }
            services.exceptionDays.append(exception.day)
            services.exceptionIsAdded.append(exception.isAdded)
            services.exceptionStarts[Int(exception.service) + 1] += 1
        }
        for row in 0..<services.count {
            services.exceptionStarts[row + 1] += services.exceptionStarts[row]
        }
    }
}

// MARK: - trips.txt

enum TripColumn: Int, FeedColumn {
    case id, route, service, headsign, shortName, direction, shape, wheelchair
    static let file = "trips.txt"
    static let names = [
        "trip_id", "route_id", "service_id", "trip_headsign", "trip_short_name", "direction_id",
        "shape_id", "wheelchair_accessible",
    ]
    static let required: [Self] = [.id, .route, .service]
    static let others = [
        "block_id", "bikes_allowed", "cars_allowed", "safe_duration_factor", "safe_duration_offset",
    ]
}

extension FeedReader {
    /// Reads trips.txt; trips without a known route or service are left out.
    mutating func readTrips(
        routes: RouteTable, services: ServiceCalendar, shapes: ShapeTable
    ) throws(TransitFeedError.Problem) -> TripTable {
        var trips = TripTable()
        var headsigns = IdentifierTable()
        try forEachRow(of: TripColumn.self, isRequired: true) { row, notices in
            guard row.required(.id, &notices) != nil,
                let (route, service) = Self.routeAndService(of: row, routes, services, &notices),
                row.append(.id, to: &trips.ids, &notices)
            else { return }
            trips.routes.append(Int32(route))
            trips.services.append(Int32(service))
            row.checkCharacters(of: [.id, .shortName], &notices)
            let known = headsigns.count
            trips.headsigns.append(row.findOrAppend(.headsign, in: &headsigns))
            // Checked once, since many trips share a headsign.
            if headsigns.count > known { row.checkCharacters(of: [.headsign], &notices) }
            row.append(.shortName, to: &trips.shortNames)
            let direction = row.whole(.direction, 0...1, &notices)
            trips.directions.append(Int8(direction ?? -1))
            trips.shapes.append(Self.shape(of: row, in: shapes, &notices))
            trips.wheelchairs.append(UInt8(row.choice(.wheelchair, upTo: 2, &notices)))
        }
        guard trips.count > 0 else { throw .empty(TripColumn.file) }
        trips.headsignTexts = headsigns.texts
        return trips
    }

    /// The rows of a trip's route and service; nil, with a notice, if one is missing.
    private static func routeAndService(
        of row: borrowing TableRow<TripColumn>, _ routes: RouteTable, _ services: ServiceCalendar,
        _ notices: inout FeedNotices
    ) -> (route: Int, service: Int)? {
        guard row.required(.route, &notices) != nil, row.required(.service, &notices) != nil,
            let route = row.reference(
                .route, to: routes.ids, of: RouteColumn.file, otherwise: "the trip is left out",
                &notices),
            let service = row.reference(
                .service, to: services.ids, of: CalendarColumn.file,
                otherwise: "the trip never runs and is left out", &notices)
        else { return nil }
        return (route, service)
    }

    /// The row of a trip's shape, if that has two points or more.
    private static func shape(
        of row: borrowing TableRow<TripColumn>, in shapes: ShapeTable, _ notices: inout FeedNotices
    ) -> Int32 {
        guard !row.range(.shape).isEmpty,
            let shape = row.reference(
                .shape, to: shapes.ids, of: ShapeColumn.file,
                otherwise: "the trip runs from stop to stop", &notices)
        else { return ShapeIndex.none }
        return shapes.rows(of: ShapeIndex(shape)).count > 1 ? Int32(shape) : ShapeIndex.none
    }
}

// MARK: - frequencies.txt and transfers.txt

enum FrequencyColumn: Int, FeedColumn {
    case trip, start, end, headway, isExact
    static let file = "frequencies.txt"
    static let names = ["trip_id", "start_time", "end_time", "headway_secs", "exact_times"]
    static let required: [Self] = [.trip, .start, .end, .headway]
    static let others: [String] = []
}

enum TransferColumn: Int, FeedColumn {
    case from, to, kind, minTime
    static let file = "transfers.txt"
    static let names = ["from_stop_id", "to_stop_id", "transfer_type", "min_transfer_time"]
    static let required: [Self] = []
    static let others = ["from_route_id", "to_route_id", "from_trip_id", "to_trip_id"]
}

extension FeedReader {
    /// Reads frequencies.txt, if there is one, in the order of trips and times, and sets ``TripTable/frequencyStarts``.
    mutating func readFrequencies(
        _ trips: inout TripTable
    ) throws(TransitFeedError.Problem) -> [TripFrequency] {
        var rows: [TripFrequency] = []
        let ids = trips.ids
        try forEachRow(of: FrequencyColumn.self, isRequired: false) { row, notices in
            if let frequency = Self.frequency(row, tripIDs: ids, &notices) {
                rows.append(frequency)
            }
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

    private static func frequency(
        _ row: borrowing TableRow<FrequencyColumn>, tripIDs: IdentifierTable,
        _ notices: inout FeedNotices
    ) -> TripFrequency? {
        guard row.required(.start, &notices) != nil, row.required(.end, &notices) != nil,
            let start = row.time(.start, &notices), let end = row.time(.end, &notices),
            let headway = row.whole(.headway, 1...86_400, &notices),
            let trip = row.reference(.trip, to: tripIDs, of: TripColumn.file, &notices)
        else { return nil }
        guard start < end else {
            row.note(
                .error, "start_and_end_range_out_of_order", in: .end,
                "is not after start_time; the row is left out", to: &notices)
            return nil
        }
        return TripFrequency(
            trip: Int32(trip), startSeconds: start, endSeconds: end, headwaySeconds: Int32(headway),
            isExact: Int32(row.choice(.isExact, upTo: 1, &notices)))
    }

    /// Moves the start of a row that overlaps the one before it of the same trip to the end of that one, so that no run
    /// is counted twice.
    ///
    /// - Parameter rows: Sorted by trip and start.
    private mutating func withoutOverlaps(
        _ rows: [TripFrequency], _ ids: IdentifierTable
    ) -> [TripFrequency] {
        var kept: [TripFrequency] = []
        for var row in rows {
            if let last = kept.last, last.trip == row.trip, row.startSeconds < last.endSeconds {
                notices.add(
                    .error, "overlapping_frequency", file: FrequencyColumn.file,
                    field: "start_time",
                    "trip '\(printable(ids[Int(row.trip)]))' has two rows for the same time; the later one begins at the end of the other"
                )
                let steps = (last.endSeconds - row.startSeconds - 1) / row.headwaySeconds + 1
                row.startSeconds += steps * row.headwaySeconds
                guard row.startSeconds < row.endSeconds else { continue }
            }
            kept.append(row)
        }
        return kept
    }

    /// Reads the transfers between stops of transfers.txt, if there is one; those between routes and trips are ignored.
    mutating func readTransfers(
        _ stops: StopTable
    ) throws(TransitFeedError.Problem) -> [StopTransfer] {
        var transfers: [StopTransfer] = []
        try forEachRow(of: TransferColumn.self, isRequired: false) { row, notices in
            guard !row.range(.from).isEmpty, !row.range(.to).isEmpty,
                let from = row.reference(.from, to: stops.ids, of: StopColumn.file, &notices),
                let to = row.reference(.to, to: stops.ids, of: StopColumn.file, &notices)
            else { return }
            let minSeconds = row.whole(.minTime, 0...86_400, &notices)
            transfers.append(
                StopTransfer(
                    from: Int32(from), to: Int32(to),
                    kind: Int32(row.choice(.kind, upTo: 5, &notices)),
                    minSeconds: Int32(minSeconds ?? -1)))
        }
        return transfers
    }
}
