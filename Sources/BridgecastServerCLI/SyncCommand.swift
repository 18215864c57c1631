// `bridgecast sync`: brings the city's published openings into the store, from where it stopped.
import ArgumentParser
import BridgecastCLI
import BridgecastData
import BridgecastFeeds
import BridgecastStore

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.sync.rawValue, abstract: NetworkCommand.sync.abstract,
        discussion: """
            Each page is stored together with the place to go on from, so that a run that is cut off or \
            killed costs nothing: the next one goes on there. The city publishes about a day late; once a \
            day is enough.
            """)

    @Option(name: .long, help: "The SODA host.")
    var host = "https://data.seattle.gov"

    @Option(name: .long, help: "The data set.")
    var dataset = "gm8h-9449"

    @Option(name: .long, help: "App token; better in the environment: BRIDGECAST_APP_TOKEN.")
    var appToken: String?

    @Option(name: .long, help: "Rows asked for at a time, 1 to 49999.")
    var pageRows = 5_000

    @Option(name: .long, help: "Requests before a failing one is given up.")
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
            let result = await Self.attempt {
                try await FeedClient.with(log: log) { client in
                    var sync = HistorySync(source, into: history, client: client, log: log)
                    sync.retries = RetryPolicy(attempts: attempts)
                    return try await sync.run { note("\($0.rows) rows read") }
                }
            }
            let written = Result { try logging.writeMetrics(metrics) }
            let report = try result.get()
            try written.get()
            switch format {
            case .json: try Console.print(try json(report))
            case .table: try Console.print(SyncText.text(report) + "\nstore: \(history.path)")
            }
            guard report.rows == 0 || report.added + report.changed + report.unchanged > 0 else {
                throw CommandFailure(
                    .data, "\(source.name): none of its \(report.rows) rows is usable")
            }
        }
    }
}

extension SyncCommand {
    /// What comes of it, so that counters are written either way.
    private static func attempt<Success>(
        _ body: () async throws -> Success
    ) async -> Result<Success, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
