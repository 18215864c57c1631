// `bridgecast feed check`: what a static or realtime feed holds and what is wrong with it.
import ArgumentParser
import BridgecastAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import BridgecastTransitAnswers
import Foundation

struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.feed.rawValue, abstract: NetworkCommand.feed.abstract,
        subcommands: [FeedCheckCommand.self])
}

struct FeedCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Reports what a feed holds, row for row that was left out or guessed.",
        discussion: """
            A zip file or a folder is taken for a timetable (GTFS), anything else for a realtime feed, protobuf or JSON. \
            Findings have the names that gtfs-validator and gtfs-realtime-validator give them; of each kind and file the \
            first 20 are shown and all are counted. The exit code is 65 if the feed as a whole is refused, with what \
            was found until then, and with --strict also if rows of it were.
            """)

    @Argument(help: "The feed: a zip file, a folder, or a realtime message.")
    var file: String

    @Option(
        name: .long,
        help:
            "The timetable that a realtime feed belongs to: tells of trips and stops that it does not have."
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
            "Measure a timetable: reading it, the copy that is kept of it, crossings, stations, a board; in JSON nothing else."
    )
    var timings = false

    @Flag(name: .long, help: "Fail if there are errors.")
    var strict = false

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
        let times = timings ? try FeedTimings.measure(url) : nil
        switch format {
        case .table:
            let lines = TimetableText(report).lines + (times.map(FeedTimingsText.lines) ?? [])
            try Console.print(lines.plain)
        case .json: try Console.print(try times.map { try json($0) } ?? report.jsonText())
        case .ndjson:
            try print(report.notices)
            if let times { try Console.print(try json(times, isLine: true)) }
        }
        return report.notices
    }

    /// Prints what was found in a timetable that was refused.
    ///
    /// - Returns: How the command fails.
    private func refusal(_ error: TransitFeedError) throws -> CommandFailure {
        // A file that is not there has nothing in it to tell.
        guard error.kind == .data else { return CommandFailure(error) }
        let report = RefusedTimetable(error)
        switch format {
        case .table:
            let lines = RefusedTimetableText(report).lines
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
        let bytes = try RealtimeFile.bytes(of: file)
        let reading: RealtimeReading
        do {
            reading = try RealtimeFeed.read(bytes)
        } catch {
            throw CommandFailure(.data, "\(file): \(error)")
        }
        let timetable = try feed.map { try TransitFeed(contentsOf: URL(fileURLWithPath: $0)) }
        let report = RealtimeReport(
            reading, of: file, bytes: bytes.count, against: timetable, at: .now)
        switch format {
        case .table: try Console.print(RealtimeReportText(report).lines.plain)
        case .json: try Console.print(report.jsonText())
        case .ndjson: try dump(reading.feed)
        }
        return report.notices
    }

    /// Prints all that a realtime feed says, a line an entity.
    private func dump(_ feed: RealtimeFeed) throws {
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

/// What a file is taken for.
private enum FeedKind {
    case timetable, realtime

    /// Looks at the file.
    ///
    /// - Throws: ``CommandFailure`` if there is none.
    init(of path: String) throws {
        guard let isFolder = URL(fileURLWithPath: path).isFolder else {
            throw CommandFailure(.missingInput, "\(path): there is no such file or folder")
        }
        guard !isFolder else {
            self = .timetable
            return
        }
        // Zip files begin so, empty ones too (APPNOTE.TXT 4.3.7, 4.3.16).
        let start = try RealtimeFile.beginning(of: path, bytes: 2)
        self = start == Array("PK".utf8) ? .timetable : .realtime
    }
}
