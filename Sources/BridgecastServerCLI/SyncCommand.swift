// `bridgecast sync`: brings the city's published openings into the store, page by page, from
// where the last run stopped.
import ArgumentParser
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastFeeds
import BridgecastStore
import BridgecastSupport
import Foundation
import Logging

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.sync.rawValue, abstract: NetworkCommand.sync.abstract,
        discussion: """
            Each page is stored together with the cursor after it, so that a run that is interrupted or killed \
            loses nothing: the next one continues there. The city publishes about a day late; once a day is \
            enough. --all reads everything that is published once more, with a second between pages; if it is \
            interrupted, the next run continues it.
            """)

    @Option(name: .long, help: "The SODA host.")
    var host = "https://data.seattle.gov"

    @Option(name: .long, help: "The data set.")
    var dataset = "gm8h-9449"

    @Flag(
        name: .long,
        help: "Read everything again, not only what has changed; reports each bridge's records.")
    var all = false

    @Option(name: .long, help: "App token; prefer the environment: BRIDGECAST_APP_TOKEN.")
    var appToken: String?

    @Option(name: .long, help: "Rows per request, 1 to 49999.")
    var pageRows = 5_000

    @Option(name: .long, help: "Maximum attempts of a failing request.")
    var attempts = 6

    @OptionGroup var store: StoreOptions
    @OptionGroup var logging: LogOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func run() async throws {
        try await reportingFailures {
            let token = appToken ?? Console.current.environment["BRIDGECAST_APP_TOKEN"]
            guard (1...20).contains(attempts) else {
                throw CommandFailure(.usage, "--attempts must be 1 to 20")
            }
            let source: SODASource
            do {
                source = try SODASource(
                    host: host, dataset: dataset, appToken: token, pageRows: pageRows)
            } catch {
                throw CommandFailure(.usage, "\(error)")
            }
            let (log, metrics) = try logging.begin("sync", isBoard: false)
            let history = try HistoryStore(try store.url(), .writing)
            defer { history.close() }
            if all { try HistorySync.beginAgain(source, in: history) }
            let result = await Self.attempt {
                try await FeedClient.with(log: log) { client in
                    try await HistorySync(
                        source, into: history, client: client,
                        retries: RetryPolicy(attempts: attempts),
                        pauseSeconds: all ? HistorySync.politePauseSeconds : 0, log: log
                    ).run { note("\($0.rows) rows read") }
                }
            }
            let written = Result { try logging.writeMetrics(metrics) }
            var report = try result.get()
            try written.get()
            if all {
                report.published = try history.syncedRecords(of: source.name).map(
                    PublishedRecords.init)
            }
            switch format {
            case .json: try Console.print(try json(report))
            case .table: try Console.print(SyncText.text(report) + "\nstore: \(history.path)")
            }
            if all || report.added + report.changed > 0 {
                remark(IngestReview.lines { try history.history() })
            }
            guard report.rows == 0 || report.added + report.changed + report.unchanged > 0 else {
                throw CommandFailure(
                    .data, "\(source.name): none of its \(report.rows) rows is usable")
            }
        }
    }
}

extension SyncCommand {
    /// The result or error, so that counters are written either way.
    private static func attempt<Success>(
        _ body: () async throws -> Success
    ) async -> Result<Success, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}

// MARK: - Text

/// The report of a sync as text.
private enum SyncText {
    static func text(_ report: SyncReport) -> String {
        if report.isNotModified && report.rows == 0 && report.published == nil {
            return "\(report.source): nothing has changed since the last time"
        }
        var table = TextTable(["rows", "result"], [.right, .left])
        table.add(["\(report.added)", "new openings"])
        table.add(["\(report.changed)", "corrected by the city, replaced"])
        table.add(["\(report.unchanged)", "unchanged"])
        for (reason, count) in report.rejections.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            table.add(["\(count)", "rejected: \(reason.rawValue)"])
        }
        table.add(["\(report.rows)", "rows read in all, on \(report.pages) pages"])
        let flags = report.flags.sorted { $0.key.rawValue < $1.key.rawValue }.map { flag, count in
            "  kept, but flagged: \(count) \(flag.rawValue)"
        }
        let published = report.published.map { [self.published($0)] } ?? []
        return ([report.source, table.text(indent: "  ")] + flags + published).joined(
            separator: "\n")
    }

    private static func published(_ bridges: [PublishedRecords]) -> String {
        var table = TextTable(
            ["published by bridge", "records", "from", "to"], [.left, .right, .left, .left])
        for bridge in bridges {
            table.add([bridge.bridge, "\(bridge.records)", bridge.from, bridge.to])
        }
        if let from = bridges.map(\.from).min(), let to = bridges.map(\.to).max() {
            table.add(["all", "\(bridges.reduce(0) { $0 + $1.records })", from, to])
        }
        return table.text(indent: "  ")
    }
}

// MARK: - Reading

/// Reads the changes of a data set since the last time.
///
/// Rows are requested in the order of their last change. Each page is committed together with the cursor after it in one
/// transaction, so that an interrupted run, killed or disconnected, continues where it stopped and neither loses a row
/// nor stores one twice.
struct HistorySync: Sendable {
    private let source: SODASource
    private let store: HistoryStore
    private let client: FeedClient
    private let clock: any WallClock
    private let log: Logger
    private let retries: RetryPolicy
    private let pauseSeconds: Double

    /// Between two pages of all that is published, so that a city's portal serves others meanwhile.
    static let politePauseSeconds = 1.0
    /// The maximum number of times in a run that rows are read again because they moved meanwhile, so that a host that
    /// always sends the same page does not keep it running for ever.
    private static let maxRereads = 20

    init(
        _ source: SODASource, into store: HistoryStore, client: FeedClient, retries: RetryPolicy,
        pauseSeconds: Double = 0, clock: any WallClock = SystemWallClock(), log: Logger
    ) {
        self.source = source
        self.store = store
        self.client = client
        self.retries = retries
        self.pauseSeconds = pauseSeconds
        self.clock = clock
        self.log = log
    }

    /// Lets the next run read a data set from its first row, unless its end has not been reached since the last time:
    /// then that run continues.
    static func beginAgain(_ source: SODASource, in store: HistoryStore) throws {
        try store.restartIfComplete(source.name)
    }

    /// Reads to the end of the data set.
    ///
    /// - Parameter progress: Called after every committed page.
    /// - Throws: ``FeedError``, ``HistoryStoreError``, `CancellationError`; what was committed stays.
    func run(progress: (SyncReport) -> Void = { _ in }) async throws -> SyncReport {
        var report = SyncReport(source: source.name)
        var cursor = try store.cursor(of: source.name)
        while true {
            let request = source.request(after: cursor)
            let (page, reply) = try await client.get(request, retrying: retries) {
                [clock] body throws(DocumentProblem) in
                try body.map { body throws(DocumentProblem) in try SODAPage(body, now: clock.now) }
            }
            guard let page else {
                report.isNotModified = true
                try store.markComplete(source.name, at: clock.now)
                break
            }
            guard isContinuous(page, cursor) else {
                guard report.rereads < Self.maxRereads else {
                    throw FeedError.refused(
                        url: request.publicURL,
                        reason: "its rows move faster than they can be read; try again later")
                }
                // Rows moved away: everything changed at this time is read again.
                report.rereads += 1
                cursor = SyncCursor(updatedAt: cursor.updatedAt)
                continue
            }
            let isLast = page.marks.count < source.rows(after: cursor)
            let next = try advanced(cursor, by: page, request)
            var committed = next
            committed.etag = isLast && next == cursor.withoutETag ? reply.etag : nil
            let counts = try store.commit(
                page, cursor: committed, of: source.name, completedAt: isLast ? clock.now : nil)
            report.add(page, counts, isContinued: cursor.seen > 0)
            log.info(
                "page stored",
                metadata: [
                    "source": "\(source.name)", "rows": "\(page.marks.count)",
                    "cursor": "\(committed.updatedAt ?? "-")",
                ])
            progress(report)
            cursor = committed
            if isLast { break }
            if pauseSeconds > 0 { try await clock.sleep(seconds: pauseSeconds) }
        }
        return report
    }

    /// Whether the page starts with the cursor's last row.
    private func isContinuous(_ page: SODAPage, _ cursor: SyncCursor) -> Bool {
        guard cursor.seen > 0 else { return true }
        return page.marks.first?.id == cursor.lastRow
            && page.marks.first?.updatedAt == cursor.updatedAt
    }

    /// The cursor after a page.
    private func advanced(
        _ cursor: SyncCursor, by page: SODAPage, _ request: FeedRequest
    ) throws -> SyncCursor {
        var next = cursor.withoutETag
        // The first row of a page that continues is counted by the cursor already.
        for mark in page.marks.dropFirst(cursor.seen > 0 ? 1 : 0) {
            if let last = next.updatedAt, mark.updatedAt < last {
                throw FeedError.refused(
                    url: request.publicURL, reason: "its rows are not in the requested order")
            }
            next.seen = mark.updatedAt == next.updatedAt ? next.seen + 1 : 1
            next.updatedAt = mark.updatedAt
            next.lastRow = mark.id
        }
        return next
    }
}

// MARK: - Report

/// The result of a sync; every row is in exactly one count.
struct SyncReport: Codable {
    /// The data set.
    let source: String
    /// Replies with rows.
    var pages = 0
    /// Rows read.
    var rows = 0
    /// Rows that are new in the store.
    var added = 0
    /// Rows that replaced the stored row with their id.
    var changed = 0
    /// Rows equal to the stored ones.
    var unchanged = 0
    /// Rows without a usable opening, by reason.
    var rejections: [RecordRejection: Int] = [:]
    /// Kept rows by flag.
    var flags: [RecordFlag: Int] = [:]
    /// How often rows were read again because they had moved meanwhile.
    var rereads = 0
    /// Whether the source replied that nothing has changed.
    var isNotModified = false
    /// The records of each bridge that the store has from the data set; nil unless it was read as a whole.
    var published: [PublishedRecords]?

    init(source: String) { self.source = source }

    /// Counts a page; the first row of one that continues has been counted before.
    fileprivate mutating func add(
        _ page: SODAPage, _ counts: HistoryStore.PageCounts, isContinued: Bool
    ) {
        pages += 1
        rows += page.marks.count
        added += counts.added
        changed += counts.changed
        unchanged += counts.unchanged
        for (reason, count) in page.rejections { rejections[reason, default: 0] += count }
        for (flag, count) in page.flags { flags[flag, default: 0] += count }
        guard isContinued else { return }
        rows -= 1
        if let known = page.firstRejection {
            rejections[known, default: 1] -= 1
        } else {
            unchanged -= 1
        }
        for flag in page.firstFlags { flags[flag, default: 1] -= 1 }
        rejections = rejections.filter { $0.value > 0 }
        flags = flags.filter { $0.value > 0 }
    }
}

/// A bridge's records in a data set.
struct PublishedRecords: Codable, Equatable {
    let bridge: String
    let records: Int
    /// Start of the first one, RFC 3339.
    let from: String
    /// Start of the last one.
    let to: String

    init(_ stored: HistoryStore.SyncedRecords) {
        bridge = stored.bridge.description
        records = stored.count
        from = TimeText.rfc3339(stored.first)
        to = TimeText.rfc3339(stored.last)
    }
}

// MARK: - Source

/// A data set on a Socrata host, by default the city's bridge openings.
struct SODASource: Sendable {
    /// Scheme and host, such as `https://data.seattle.gov`.
    private let host: String
    /// The data set's id: four letters or digits, a dash, four more.
    private let dataset: String
    /// Sent as `X-App-Token`, which raises the limit on requests.
    private let appToken: String?
    /// Rows per request, 1...49,999.
    private let pageRows: Int

    /// Checks host, id and page size.
    ///
    /// - Throws: ``FeedError/address(url:)`` or ``FeedError/refused(url:reason:)``.
    init(
        host: String = "https://data.seattle.gov", dataset: String = "gm8h-9449",
        appToken: String? = nil, pageRows: Int = 5_000
    ) throws(FeedError) {
        let full = host.contains("://") ? host : "https://" + host
        guard (try? FeedRequest.check(full)) != nil, !full.contains("?"), !full.contains("#") else {
            throw .address(url: host)
        }
        let halves = dataset.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2,
            halves.allSatisfy({ $0.count == 4 && $0.allSatisfy(\.isLetterOrDigit) })
        else {
            throw .refused(
                url: full, reason: "'\(dataset)' is not a data set id such as gm8h-9449")
        }
        guard (1...49_999).contains(pageRows) else {
            throw .refused(url: full, reason: "a page has 1 to 49999 rows (--page-rows)")
        }
        self.host = full.hasSuffix("/") ? String(full.dropLast()) : full
        self.dataset = dataset
        self.appToken = appToken
        self.pageRows = pageRows
    }

    /// The name under which the store keeps the data set's rows and cursor.
    var name: String { "\(host)/resource/\(dataset)" }

    /// The request for the page after a cursor.
    ///
    /// Rows are in the order of their last change, then of their ids. After the cursor are the rows changed at its time,
    /// of which the first `seen` are known, and all changed later. The last known row is requested again: if it is not
    /// the first of the page, rows have moved.
    func request(after cursor: SyncCursor) -> FeedRequest {
        var parameters = [
            ("$select", ":id,:updated_at,*"), ("$order", ":updated_at,:id"),
            ("$limit", "\(rows(after: cursor))"), ("$offset", "\(max(0, cursor.seen - 1))"),
        ]
        if let updatedAt = cursor.updatedAt {
            parameters.append(("$where", ":updated_at >= '\(updatedAt)'"))
        }
        let query = parameters.map { "\($0.0)=\(Self.escaped($0.1))" }.joined(separator: "&")
        var request = FeedRequest(feed: "soda", url: "\(name).json?\(query)")
        // A page is read again where its rows have moved.
        request.takesRecentReply = false
        request.timeoutSeconds = 60
        request.maxBytes = 1_000 * pageRows + 65_536
        request.etag = cursor.etag
        request.refusal = SODAMessage.text
        if let appToken { request.headers["X-App-Token"] = appToken }
        return request
    }

    /// Rows of a full page after a cursor, including the cursor's last row, which is repeated.
    func rows(after cursor: SyncCursor) -> Int { pageRows + (cursor.seen > 0 ? 1 : 0) }

    private static func escaped(_ text: String) -> String {
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~:*,")
        return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? text
    }
}

extension Character {
    fileprivate var isLetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
