// `bridgecast feed check`: what a static or realtime feed holds and what is wrong with it.
import ArgumentParser
import BridgecastAnswers
import BridgecastTransitAnswers
import BridgecastCLI
internal import BridgecastCore
internal import BridgecastSupport
import BridgecastTransit
import Foundation

struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.feed.rawValue, abstract: NetworkCommand.feed.abstract,
        subcommands: [FeedCheckCommand.self])
}

struct FeedCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports what a feed holds, and each row that was left out or guessed.",
        discussion: """
            A zip file or a folder is read as a timetable (GTFS), anything else as a realtime feed, protobuf or JSON. \
            Findings have the names of gtfs-validator and gtfs-realtime-validator; of each kind and file the \
            first 20 are shown and all are counted. The exit code is 65 if the feed as a whole is refused, with the \
            findings until then, and with --strict also if rows of it were.
            """)

    @Argument(help: "The feed: a zip file, a folder, or a realtime message.")
    var file: String

    @Option(
        name: .long,
        help:
            "The timetable of a realtime feed: trips and stops that it does not have are reported."
    )
    var feed: String?

    @Option(
        name: .long,
        help:
            "Output: table, json, or ndjson: each finding of a timetable, each entity of a realtime feed."
    )
    var format = TransitFormat.table

    @Flag(
        name: .long,
        help:
            "Measure a timetable: reading it, crossings, stations, a board; in JSON nothing else."
    )
    var timings = false

    @Flag(name: .long, help: "Fail if there are errors.")
    var strict = false

    private static let maxMessageBytes = 64 << 20

    func run() async throws {
        try await reportingFailures {
            let notices = try FeedKind(of: file) == .timetable ? checkTimetable() : checkRealtime()
            let errors = notices.count(.error)
            guard !strict || errors == 0 else {
                throw CommandFailure(.data, "\(file): \(errors) errors")
            }
        }
    }

    private func checkTimetable() throws -> FeedNotices {
        guard feed == nil else {
            throw CommandFailure(.usage, "\(file) is a timetable; --feed is for realtime feeds")
        }
        let url = URL(fileURLWithPath: file)
        let read: TransitFeed
        do throws(TransitFeedError) {
            read = try TransitFeed(contentsOf: url)
        } catch {
            throw try refusal(error)
        }
        let report = TimetableReport(read, at: .now)
        let times = timings ? try FeedTimings(measuring: url) : nil
        switch format {
        case .table:
            let lines = TimetableText(report: report).lines + (times?.lines ?? [])
            try Console.print(lines.plain)
        case .json: try Console.print(try times.map { try json($0) } ?? report.jsonText())
        case .ndjson:
            try print(report.notices)
            if let times { try Console.print(try json(times, isLine: true)) }
        }
        return report.notices
    }

    /// Prints the findings about a refused timetable.
    ///
    /// - Returns: The failure of the command.
    private func refusal(_ error: TransitFeedError) throws -> CommandFailure {
        // A missing file has no findings.
        guard error.kind == .data else { return CommandFailure(error) }
        let report = RefusedTimetable(error)
        switch format {
        case .table:
            let lines = RefusedTimetableText(report: report).lines
            if !lines.isEmpty { try Console.print(lines.plain) }
        case .json: try Console.print(report.jsonText())
        case .ndjson: try print(report.notices)
        }
        return CommandFailure(.data, "\(file): \(report.refusal)")
    }

    /// Prints a line of JSON for each finding.
    private func print(_ notices: FeedNotices) throws {
        for notice in notices.kept { try Console.print(NoticeEntry(notice).jsonLine()) }
    }

    private func checkRealtime() throws -> FeedNotices {
        guard !timings else {
            throw CommandFailure(
                .usage, "--timings measures timetables; \(file) is a realtime feed")
        }
        let bytes = try readFile(file, maxBytes: Self.maxMessageBytes)
        let reading: RealtimeReading
        do {
            reading = try RealtimeFeed.read(Array(bytes))
        } catch {
            throw CommandFailure(.data, "\(file): \(error)")
        }
        let timetable = try feed.map { try TransitFeed(contentsOf: URL(fileURLWithPath: $0)) }
        let report = RealtimeReport(
            reading, of: file, bytes: bytes.count, against: timetable, at: .now)
        switch format {
        case .table: try Console.print(RealtimeReportText(report: report).lines.plain)
        case .json: try Console.print(report.jsonText())
        case .ndjson: try printEntities(of: reading.feed)
        }
        return report.notices
    }

    /// Prints a realtime feed, a line per entity.
    private func printEntities(of feed: RealtimeFeed) throws {
        var json = JSONWriter(capacity: 1 << 16)
        RealtimeDump.header(feed, into: &json)
        try Console.print(String(decoding: json.bytes, as: UTF8.self))
        for entity in feed.entities {
            json.removeAll()
            RealtimeDump.entity(entity, into: &json)
            try Console.print(String(decoding: json.bytes, as: UTF8.self))
        }
    }
}

/// The kind of a file.
private enum FeedKind {
    case timetable, realtime

    /// - Throws: ``CommandFailure`` if the file is missing.
    init(of path: String) throws {
        guard let isFolder = URL(fileURLWithPath: path).isFolder else {
            throw CommandFailure(.missingInput, "\(path): there is no such file or folder")
        }
        guard !isFolder else {
            self = .timetable
            return
        }
        // All zip files begin with these letters (APPNOTE.TXT 4.3.7, 4.3.16). A pipe is not a zip file, and is read once.
        var start: [UInt8] = []
        _ = try? LocalFile(URL(fileURLWithPath: path)).append(2, to: &start)
        self = start == Array("PK".utf8) ? .timetable : .realtime
    }
}

// MARK: - Text

/// The report of a timetable as lines.
private struct TimetableText {
    let report: TimetableReport

    var lines: [StyledLine] {
        let agencies = report.agencies.map(\.name).joined(separator: ", ")
        var facts: [(String, String)] = [
            ("agency", "\(printable(agencies, maxLength: 200)) (\(report.timeZone))")
        ]
        if let info = report.info {
            facts.append(("publisher", printable(info.publisher, maxLength: 120)))
            if !info.version.isEmpty {
                facts.append(("version", printable(info.version, maxLength: 60)))
            }
        }
        facts.append(("service", report.serviceText))
        for count in report.counts where count.number > 0 {
            facts.append((count.name.replacing("_", with: " "), ReportText.number(count.number)))
        }
        facts.append(("drawbridges", printable(report.bridgesText, maxLength: 2_000)))
        return [StyledLine(printable(report.name, maxLength: 200), .bold)] + ReportText.facts(facts)
            + ReportText.notices(report.notices)
    }
}

/// The findings about a refused timetable as lines; none if nothing of it was read.
private struct RefusedTimetableText {
    let report: RefusedTimetable

    var lines: [StyledLine] {
        guard !report.notices.counts.isEmpty else { return [] }
        return [StyledLine(printable(report.name, maxLength: 200), .bold)]
            + ReportText.notices(report.notices)
    }
}

/// The report of a realtime feed as lines.
private struct RealtimeReportText {
    let report: RealtimeReport

    var lines: [StyledLine] {
        var facts: [(String, String)] = [
            ("form", "\(report.form), \(ReportText.number(report.bytes)) bytes"),
            ("version", report.version.map { printable($0, maxLength: 60) } ?? "not stated"),
            ("holds", report.isDifferential ? "changes only" : "the whole"),
            ("made", report.timestampText),
        ]
        for count in report.counts where count.number > 0 {
            facts.append((count.name.replacing("_", with: " "), ReportText.number(count.number)))
        }
        return [StyledLine(printable(report.name, maxLength: 200), .bold)] + ReportText.facts(facts)
            + ReportText.notices(report.notices)
    }
}

/// Lines of both reports.
private enum ReportText {
    /// Findings of a kind that are shown in full.
    static let maxExamples = 3

    /// Names and values in two columns.
    static func facts(_ facts: [(String, String)]) -> [StyledLine] {
        let width = facts.reduce(0) { max($0, $1.0.count) } + 2
        return facts.map { name, value in
            var line = StyledLine("  ")
            line.append(name, .dim, width: width)
            line.append(value)
            return line
        }
    }

    /// Counts of findings, the most severe first, each with examples.
    static func notices(_ notices: FeedNotices) -> [StyledLine] {
        guard !notices.counts.isEmpty else {
            return [StyledLine("  Nothing is wrong with it.", .green)]
        }
        let sorted = notices.counts.enumerated().sorted {
            ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
        }
        return [StyledLine()]
            + sorted.flatMap { _, count in
                let style: StyledLine.Style =
                    count.severity == .error ? .red : count.severity == .warning ? .yellow : .dim
                var line = StyledLine()
                line.append(count.severity.rawValue, style, width: 9)
                line.append("\(number(count.count)) x \(count.code)")
                if !count.file.isEmpty {
                    line.append("  \(printable(count.file, maxLength: 60))", .dim)
                }
                let examples = notices.kept.lazy
                    .filter { $0.code == count.code && $0.file == count.file }.prefix(maxExamples)
                return [line]
                    + examples.map {
                        StyledLine("           \(printableEnds($0.description, maxLength: 200))")
                    }
            }
    }

    /// Such as `57,205`.
    static func number(_ number: Int) -> String {
        let digits = String(number)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }
}

// MARK: - Timings

/// `--timings`: how long reading a static feed and frequent queries take on this machine.
private struct FeedTimings: Encodable {
    /// Number of stop times, for comparison.
    var stopTimes = 0
    /// Number of stations and stops that can be found by location.
    var places = 0
    /// Reading the zip file or folder.
    var readSeconds = 0.0
    /// Finding the drawbridges of all shapes.
    var crossingsSeconds = 0.0
    /// Collecting the stations with their locations.
    var finderSeconds = 0.0
    /// Finding the nearest station, microseconds, mean of ``repetitions``.
    var nearestMicroseconds = 0.0
    /// The board of the busiest stop at its busiest hour, 2 hours and 20 departures, microseconds, mean.
    var boardMicroseconds = 0.0

    private static let repetitions = 2000

    /// Measures a feed, which takes a little longer than reading it.
    ///
    /// - Throws: `TransitFeedError`
    init(measuring url: URL) throws(TransitFeedError) {
        let start = ContinuousClock.now
        let feed = try TransitFeed(contentsOf: url)
        readSeconds = (ContinuousClock.now - start) / .seconds(1)
        stopTimes = feed.stopTimes.count
        crossingsSeconds = Self.seconds { _ = BridgeCrossings(of: feed) }
        var finder: StationFinder?
        finderSeconds = Self.seconds { finder = StationFinder(feed) }
        guard let finder, let busiest = feed.busiest else { return }
        places = finder.count
        let locations = (0..<feed.stops.count).lazy.compactMap { feed.stops.point(StopIndex($0)) }
        let points = Array(locations.prefix(Self.repetitions))
        let nearest = Self.seconds {
            for point in points { _ = finder.nearest(to: point) }
        }
        nearestMicroseconds = nearest * 1e6 / Double(max(1, points.count))
        let snapshot = TransitSnapshot(feed, asOf: busiest.time)
        var query = BoardQuery()
        query.limit = 20
        // The first board finds out which services run.
        _ = snapshot.board(of: busiest.stop, query)
        let boards = Self.seconds {
            for _ in 0..<Self.repetitions { _ = snapshot.board(of: busiest.stop, query) }
        }
        boardMicroseconds = boards * 1e6 / Double(Self.repetitions)
    }

    private static func seconds(_ work: () -> Void) -> Double {
        let start = ContinuousClock.now
        work()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    /// A line for each measurement.
    var lines: [StyledLine] {
        [
            StyledLine(),
            Self.line("read", "\(Self.text(readSeconds)) for \(stopTimes) stop times"),
            Self.line("find crossings", Self.text(crossingsSeconds)),
            Self.line("index \(places) stations", Self.text(finderSeconds)),
            Self.line("nearest station", Self.microsecondsText(nearestMicroseconds)),
            Self.line("board of the busiest stop", Self.microsecondsText(boardMicroseconds)),
        ]
    }

    private static func line(_ name: String, _ value: String) -> StyledLine {
        var line = StyledLine("  ")
        line.append(name, .dim, width: 28)
        line.append(value)
        return line
    }

    private static func text(_ seconds: Double) -> String {
        "\((max(0, seconds) * 10_000).rounded() / 10_000) s"
    }

    private static func microsecondsText(_ value: Double) -> String {
        "\((value * 100).rounded() / 100) microseconds"
    }
}

extension TransitFeed {
    /// The stop with the most stop times, and 17:00 on a Wednesday in the middle of the period of service.
    fileprivate var busiest: (stop: StopIndex, time: Timestamp)? {
        let counts = (0..<stops.count).map { calls.starts[$0 + 1] - calls.starts[$0] }
        guard let max = counts.max(), let stop = counts.firstIndex(of: max),
            let period = services.period
        else { return nil }
        let middle = (period.lowerBound.dayNumber + period.upperBound.dayNumber) / 2
        // 1970-01-01 was a Thursday.
        let wednesday = middle - (middle + 1) % 7
        let day = CivilDate(dayNumber: wednesday)
        return (StopIndex(stop), zone.serviceDayStart(day).adding(seconds: 17 * 3600))
    }
}
