// `bridgecast board`: the departures of a stop.
import ArgumentParser
import BridgecastAnswers
import BridgecastTransitAnswers
import BridgecastCLI
import BridgecastCore
internal import BridgecastSupport
import BridgecastTransit
import Foundation

struct BoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.board.rawValue, abstract: NetworkCommand.board.abstract,
        discussion: """
            `time` is the timetable's, `now` is predicted. Trust is high if the vehicle was seen in the last 90 \
            seconds and the prediction is fresh, medium if there is only a prediction, low if it is old or the \
            timetable was shifted by the typical delay. \
            Below a bus with a drawbridge on its way is the delay that the bridge may cause.
            """)

    @Argument(help: "The stop or station: identifier, code or name, such as '22nd Street'.")
    var stop: String?

    @Option(name: .long, help: "The nearest station to latitude,longitude instead.")
    var near: String?

    @OptionGroup var transit: TransitOptions
    @OptionGroup var query: BoardOptions

    @Option(name: .long, help: "Output: table, json or ndjson.")
    var format = TransitFormat.table

    @Option(
        name: .long,
        help:
            "Boards for many stops and times: a file with lines stop_id,unix_seconds; prints a document per line."
    )
    var queries: String?

    @OptionGroup var watching: WatchingOptions

    func validate() throws {
        let named = [stop, near, queries].count { $0 != nil }
        guard named > 0 else {
            throw ValidationError("name a stop, or a place with --near, or a file with --queries")
        }
        guard named == 1 else {
            throw ValidationError(
                "a stop, --near and --queries contradict each other: name one of them")
        }
        guard queries == nil || !watching.watch else {
            throw ValidationError("--queries and --watch contradict each other")
        }
    }

    func run() async throws {
        try await reportingFailures {
            try await TransitSession.with(transit, isMoving: watching.watch) { session in
                let query = try query.query(in: FeedNames(feed: session.feed))
                if let queries {
                    return try await BoardQueries(file: queries).answer(session, query)
                }
                let location = try location(in: session)
                let model = await StopBoardModel(
                    of: location.stop, query, in: session.timetable, at: session.clock.now)
                try await watching.show(session, model, as: format) { view in
                    let document = StopBoardDocument(
                        model.board, model.snapshot, envelope: view.envelope,
                        bridges: view.bridges, metres: location.metres)
                    return TransitOutput(document) { width in
                        StopBoardText(document).lines(
                            isSplit: query.limitPerDirection != nil, width: width)
                    }
                }
            }
        }
    }

    /// The requested stop, and its distance from the place of `--near`.
    private func location(in session: TransitSession) throws -> (stop: StopIndex, metres: Double?) {
        guard let near else {
            return (try FeedNames(feed: session.feed).stop(stop ?? ""), nil)
        }
        guard let point = GeoPoint(text: near), (-90...90).contains(point.latitude),
            (-180...180).contains(point.longitude)
        else {
            throw CommandFailure(
                .usage,
                "--near: '\(printable(near))' is not a place: write latitude,longitude such as 37.4429,-122.1650"
            )
        }
        guard let found = session.timetable.stations.nearest(to: point).first else {
            throw CommandFailure(
                .usage,
                "--near: the feed has no station within 50 km of \(printable(near)): name a stop instead"
            )
        }
        return (found.stop, found.metres)
    }
}

// MARK: - Options

/// Options of a board.
struct BoardOptions: ParsableArguments {
    @Option(name: .long, help: "Departures of the next minutes, 1 to 2880.")
    var minutes = 120

    @Option(name: .long, help: "Maximum number of departures.")
    var limit: Int?

    @Option(name: .long, help: "A board for each direction, with this maximum of departures each.")
    var perDirection: Int?

    @Option(name: .long, help: "Only this route: its identifier, or its name such as 542.")
    var route: String?

    @Option(name: .long, help: "Only this direction: 0 or 1, as the feed has it.")
    var direction: Int?

    @Flag(name: .long, help: "Show arrivals of trips that end here too.")
    var arrivals = false

    @Option(name: .long, help: "Seconds late or early that are still on time, 0 to 3600.")
    var onTime = 180

    /// Longer boards are timetables.
    private static let minutesRange = 1...2880

    func validate() throws {
        guard Self.minutesRange.contains(minutes) else {
            throw ValidationError("--minutes \(minutes) must be 1 to 2880")
        }
        guard limit.map({ $0 > 0 }) ?? true, perDirection.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--limit and --per-direction must be above zero")
        }
        guard direction.map({ (0...1).contains($0) }) ?? true else {
            throw ValidationError("--direction is 0 or 1")
        }
        guard (0...3600).contains(onTime) else {
            throw ValidationError("--on-time \(onTime) must be 0 to 3600")
        }
    }

    /// - Throws: ``CommandFailure`` if the feed has no such route.
    func query(in names: FeedNames) throws -> BoardQuery {
        var query = BoardQuery()
        query.horizonSeconds = minutes * 60
        query.limit = limit
        query.limitPerDirection = perDirection
        query.direction = direction
        query.includesArrivals = arrivals
        query.route = try route.map { try names.route($0) }
        query.onTimeSeconds = onTime
        return query
    }
}

// MARK: - Queries

/// `--queries`: a file with a query per line: a stop's identifier, a comma, and seconds since 1970.
///
/// Many boards come from one reading of the feed; for checks and for other programs.
private struct BoardQueries {
    private let path: String
    /// Read line by line, twice: a million queries take no more memory than this.
    private let data: Data

    private static let maxBytes = 64 << 20

    /// - Throws: ``CommandFailure`` that names the wrong line.
    init(file path: String) throws {
        self.path = path
        data = try readFile(path, maxBytes: Self.maxBytes, option: "--queries")
        try forEachQuery { _, _, _ in }
    }

    /// Prints the board's document for each query, in order, with the realtime feeds of the session's time.
    ///
    /// - Throws: ``CommandFailure`` for a stop that the feed does not have.
    func answer(_ session: TransitSession, _ query: BoardQuery) async throws {
        let snapshot = try await session.snapshot()
        try forEachQuery { line, stop, time in
            guard let index = session.feed.stop(stop) else {
                throw CommandFailure(
                    .data, "\(path), line \(line): the feed has no stop '\(printable(stop))'")
            }
            let board = snapshot.board(of: index, at: time, query)
            let envelope = TransitEnvelope(
                snapshot, generatedAt: .now, validAt: time, agesAt: time)
            try Console.print(StopBoardDocument(board, snapshot, envelope: envelope).jsonLine())
        }
    }

    /// Reads the queries in order: the number of the line, the stop and the time of each.
    private func forEachQuery(
        _ body: (Int, String, Timestamp) throws -> Void
    ) throws {
        var start = data.startIndex
        var number = 0
        while start < data.endIndex {
            let end = data[start...].firstIndex(of: UInt8(ascii: "\n")) ?? data.endIndex
            var line = String(decoding: data[start..<end], as: UTF8.self)[...]
            start = end + 1
            number += 1
            if line.last == "\r" { line.removeLast() }
            guard !line.isEmpty else { continue }
            // Identifiers may have commas; the time has none.
            guard let comma = line.lastIndex(of: ","),
                let seconds = Int64(line[line.index(after: comma)...])
            else {
                throw CommandFailure(.data, "\(path), line \(number): is not stop_id,unix_seconds")
            }
            try body(number, String(line[..<comma]), Timestamp(secondsSinceEpoch: seconds))
        }
    }
}

// MARK: - Text

/// A board as lines: one per departure, and below it the delay that a drawbridge may cause.
private struct StopBoardText {
    let document: StopBoardDocument
    let zone: TransitZone

    init(_ document: StopBoardDocument) {
        self.document = document
        zone = document.envelope.zone
    }

    /// All lines of the board.
    ///
    /// - Parameters:
    ///   - isSplit: Whether each direction has a board of its own.
    ///   - width: Columns of the terminal; two directions are side by side if they fit.
    func lines(isSplit: Bool, width: Int) -> [StyledLine] {
        var lines = [title]
        lines += document.alerts.prefix(Self.maxAlerts).map {
            StyledLine("! \(printable($0.header, maxLength: 160))", .yellow)
        }
        lines.append(StyledLine())
        if let why = document.board.noService {
            lines.append(StyledLine(printable(why, maxLength: 300)))
        } else if document.board.hasOnlyArrivals {
            lines.append(
                StyledLine(
                    "No departures from here: lines end here; --arrivals shows what arrives."))
        } else if document.departures.isEmpty {
            lines.append(StyledLine("No departures in the next \(horizon)."))
        } else {
            lines += isSplit ? directions(width: width) : table(document.departures).lines()
            lines += unlikely
        }
        let sources = sourceLines
        return lines + (sources.isEmpty ? [] : [StyledLine()] + sources)
    }

    /// Maximum alerts above a board.
    private static let maxAlerts = 3

    /// A line for each bridge that is not shown below the departures.
    private var unlikely: [StyledLine] {
        let hidden = document.departures.flatMap(\.bridges).filter { !$0.isWorthALine }
        let isForecast = Dictionary(grouping: hidden) { ahead in
            [BridgeCatalogue[ahead.bridge].name, ahead.delay == nil ? "" : "forecast"]
        }
        let lines = isForecast.sorted { $0.key[0] < $1.key[0] }.map { key, entries in
            let departures = entries.count == 1 ? "one of these" : "\(entries.count) of these"
            let chance = "under \(BridgeAhead.smallPerHundred) in 100"
            let text =
                key[1].isEmpty
                ? "no forecast so far ahead"
                : "\(chance)\(entries.count == 1 ? "" : " each") to be stopped"
            return StyledLine("\(key[0]) Bridge is on the way of \(departures): \(text)", .dim)
        }
        return lines.isEmpty ? [] : [StyledLine()] + lines
    }

    private var title: StyledLine {
        let stop = document.stop.stop
        var line = StyledLine(printable(stop.name, maxLength: 80), .bold)
        if !stop.platform.isEmpty {
            line.append(", platform \(printable(stop.platform, maxLength: 12))")
        }
        if let metres = document.stop.metres {
            line.append("  \(TransitText.distance(metres)) away", .dim)
        }
        line.append("   \(TransitText.day(document.board.asOf, in: zone))", .dim)
        return line
    }

    private var horizon: String {
        let minutes = document.board.query.horizonSeconds / 60
        return minutes % 60 == 0
            ? minutes == 60 ? "hour" : "\(minutes / 60) hours" : "\(minutes) minutes"
    }

    /// A board for each direction, side by side where two fit.
    private func directions(width: Int) -> [StyledLine] {
        var groups: [(name: String, entries: [DepartureEntry])] = []
        for entry in document.departures {
            let name = name(of: entry)
            if let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].entries.append(entry)
            } else {
                groups.append((name, [entry]))
            }
        }
        groups.sort { $0.name < $1.name }
        let boards = groups.map { group in
            [StyledLine(printable(group.name, maxLength: 60), .bold)] + table(group.entries).lines()
        }
        let widest = boards.map { $0.reduce(0) { max($0, $1.width) } }
        if boards.count == 2, widest[0] + widest[1] + 4 <= width {
            return .columns(boards[0], boards[1])
        }
        return Array(boards.joined(separator: [StyledLine()]))
    }

    private func name(of entry: DepartureEntry) -> String {
        guard let direction = entry.departure.direction else { return "Departures" }
        return document.directionNames[direction] ?? "Direction \(direction)"
    }

    private func table(_ entries: [DepartureEntry]) -> StyledTable {
        var table = StyledTable([
            .init(title: "time"), .init(title: "now"), .init(title: "in", isRight: true),
            .init(title: "line"), .init(title: "to"), .init(title: "platform"),
            .init(title: "status"), .init(title: "trust"), .init(title: "crowding"),
            .init(title: "wheelchair"),
        ])
        for entry in entries {
            table.add(
                cells(entry),
                below: entry.bridges.filter(\.isWorthALine).map {
                    TransitText.bridge($0, at: entry.now)
                })
        }
        return table
    }

    private func cells(_ entry: DepartureEntry) -> [StyledTable.Cell] {
        let departure = entry.departure
        let scheduled = departure.scheduledDeparture ?? departure.scheduledArrival
        let predicted = departure.predictedDeparture ?? departure.predictedArrival
        let isGone = !departure.isServed
        let style = TransitText.style(departure.status)
        return [
            .init(scheduled.map(clock), isGone ? .dim : .plain),
            .init(isGone ? nil : predicted.map(clock), style),
            .init(TransitText.countdown(entry), .bold),
            .init(TransitText.line(entry), max: 24),
            .init(TransitText.destination(entry), isGone ? .dim : .plain, max: 36),
            .init(platform(entry), departure.plannedStop == nil ? .plain : .yellow, max: 16),
            .init(TransitText.status(departure), style),
            .init(departure.confidence == .none ? nil : departure.confidence.rawValue.lowercased()),
            .init(
                TransitText.crowding(departure.occupancy, departure.occupancyPercentage), max: 24),
            .init(
                departure.wheelchair == .accessible
                    ? "yes" : departure.wheelchair == .inaccessible ? "no" : nil),
        ]
    }

    private func clock(_ time: Timestamp) -> String { zone.clockText(time) }

    private func platform(_ entry: DepartureEntry) -> String? {
        let platform = entry.stop.platform
        guard entry.departure.plannedStop != nil else { return platform.isEmpty ? nil : platform }
        return "now \(platform.isEmpty ? entry.stop.id : platform)"
    }

    private var sourceLines: [StyledLine] {
        document.envelope.sources.map { TransitText.source($0) }
    }
}
