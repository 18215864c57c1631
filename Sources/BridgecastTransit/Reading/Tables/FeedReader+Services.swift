// calendar.txt and calendar_dates.txt: the days of each service.
internal import BridgecastCore

/// Columns of calendar.txt.
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

/// Columns of calendar_dates.txt.
enum CalendarDateColumn: Int, FeedColumn {
    case id, date, kind
    static let file = "calendar_dates.txt"
    static let names = ["service_id", "date", "exception_type"]
    static let required = allCases
    static let others = ["holiday_name"]
}

extension FeedReader {
    /// calendar.txt and calendar_dates.txt, one of which has to be there.
    mutating func readServices() throws(TransitFeedError.Problem) -> ServiceCalendar {
        guard has(CalendarColumn.file) || has(CalendarDateColumn.file) else {
            throw .missingFile("calendar.txt or calendar_dates.txt")
        }
        var services = ServiceCalendar()
        try readWeeks(&services)
        try readDates(&services)
        guard services.count > 0 else { throw .empty(calendarAtFault) }
        return services
    }

    /// The first of the two files in which something is wrong, else the first that is there.
    private var calendarAtFault: String {
        let here = [CalendarColumn.file, CalendarDateColumn.file].filter(has)
        let isFaulty: (String) -> Bool = { [notices] file in
            notices.counts.contains { $0.file == file && $0.severity == .error }
        }
        return here.first(where: isFaulty) ?? here.first ?? CalendarColumn.file
    }

    private mutating func readWeeks(
        _ services: inout ServiceCalendar
    ) throws(TransitFeedError.Problem) {
        var table = services
        try forEachRow(of: CalendarColumn.self, isRequired: false) { row, bytes, notices in
            guard let id = row.required(.id, bytes, &notices),
                let first = row.date(.firstDay, bytes, &notices),
                let last = row.date(.lastDay, bytes, &notices)
            else { return }
            guard table.ids.append(bytes.extracting(id)) != nil else {
                return row.noteDuplicate(.id, bytes, &notices)
            }
            if last < first {
                row.note(
                    .error, "start_and_end_range_out_of_order", .lastDay,
                    "\(last) is before \(first): the service never runs by the week", &notices)
            }
            var weekdays: UInt8 = 0
            for (bit, column) in CalendarColumn.weekdays.enumerated() {
                weekdays |= UInt8(row.choice(column, upTo: 1, bytes, &notices)) << UInt8(bit)
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
        var (table, exceptions) = (services, [Exception]())
        try forEachRow(of: CalendarDateColumn.self, isRequired: false) { row, bytes, notices in
            guard let id = row.required(.id, bytes, &notices),
                let date = row.date(.date, bytes, &notices),
                let kind = row.whole(.kind, 1...2, bytes, &notices)
            else { return }
            let known = table.ids.position(of: bytes.extracting(id))
            if known == nil {
                // It has dates alone.
                _ = table.ids.append(bytes.extracting(id))
                table.weekdays.append(0)
                table.firstDays.append(1)
                table.lastDays.append(0)
            }
            exceptions.append(
                Exception(
                    service: Int32(known ?? table.count - 1), day: Int32(date.dayNumber),
                    isAdded: kind == 1 ? 1 : 0, line: UInt32(clamping: row.line)))
        }
        take(&exceptions, into: &table)
        services = table
    }

    /// Takes over exceptions in order of their days; of two for one day the first.
    private mutating func take(
        _ exceptions: inout [Exception], into services: inout ServiceCalendar
    ) {
        exceptions.sort { ($0.service, $0.day, $0.line) < ($1.service, $1.day, $1.line) }
        services.exceptionStarts = [UInt32](repeating: 0, count: services.count + 1)
        var before: Exception?
        for exception in exceptions {
            defer { before = exception }
            if let before, before.service == exception.service, before.day == exception.day {
                notices.add(
                    .error, "duplicate_key", file: CalendarDateColumn.file,
                    line: Int(exception.line), field: "date",
                    "service '\(printable(services.ids[Int(exception.service)]))' has this date before; the row is left out"
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
