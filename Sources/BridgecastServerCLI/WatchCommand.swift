// `bridgecast watch`: the bridges live, on a board with the age of every value.
import ArgumentParser
import Bridgecast
import BridgecastCLI
import BridgecastCore
import BridgecastData
import BridgecastFeeds
import BridgecastLive
import BridgecastStore

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.watch.rawValue, abstract: NetworkCommand.watch.abstract,
        discussion: """
            Requests the city's feed every 20 seconds and keeps the states in the history store, where \
            `predict` finds them. Two bridges have no sensor and are unknown. On a terminal `r` refreshes and \
            `q` quits; if output is piped, each event is a line.
            """)

    @OptionGroup var store: StoreOptions

    @Flag(name: .long, help: "Do not store observations.")
    var noStore = false

    @OptionGroup var archive: ArchiveOptions

    @Option(name: .long, help: "Where the city publishes the bridges' states.")
    var bridgesURL = CityBridgeFeed.cityURL

    @Option(
        name: .long,
        help: "WSDOT's travel times, access code included: .../GetTravelTimesAsJson?AccessCode=...")
    var travelTimesURL: String?

    @Option(
        name: .long,
        help: "A WSDOT segment that leads to a bridge: ID=BRIDGE; may be repeated.")
    var travelTime: [String] = []

    @Option(name: .long, help: "Speed of free flow on those segments, miles per hour.")
    var freeFlowMph = 40.0

    @Option(name: .long, help: "Measured traffic, a file that another program keeps up to date.")
    var trafficFile: String?

    @Option(name: .long, help: "live, manual, or every 1, 2, 5, 10 or 15 minutes.")
    var refresh = "live"

    @Option(name: .long, help: "End after this many seconds.")
    var seconds: Int?

    @OptionGroup var options: LiveOptions

    func run() async throws {
        try await reportingFailures {
            guard let interval = RefreshInterval(refresh) else {
                throw CommandFailure(
                    .usage, "--refresh: '\(refresh)' must be one of live, manual, 1, 2, 5, 10, 15")
            }
            guard freeFlowMph > 0, freeFlowMph.isFinite,
                seconds.map({ (1...315_360_000).contains($0) }) ?? true
            else {
                throw CommandFailure(
                    .usage,
                    "--free-flow-mph must be above zero, --seconds 1 to 315360000 (ten years)")
            }
            for (name, address) in [
                ("--bridges-url", bridgesURL), ("--travel-times-url", travelTimesURL),
            ] {
                if let address { try checkAddress(address, of: name) }
            }
            guard !noStore || !store.isNamed else {
                throw CommandFailure(.usage, "--store and --no-store contradict each other")
            }
            guard travelTimesURL != nil || travelTime.isEmpty else {
                throw CommandFailure(.usage, "--travel-time needs --travel-times-url")
            }
            let map = try TravelTimeMap(of: travelTime, freeFlowMilesPerHour: freeFlowMph)
            let url = noStore ? nil : try store.neighbour()
            let archiveURL = try archive.url(nextTo: url)
            let history = noStore ? nil : try HistoryStore.open(try store.location(), .writing)
            let end = LiveEnd(seconds: seconds.map(Double.init))
            let setting = try options.prepare("watch")
            try await FeedClient.with(log: setting.log) { client in
                var parts = LiveParts(
                    bridges: CityBridgeFeed(url: bridgesURL, client: client),
                    records: { _ in
                        try LoadedRecords.known(to: history)
                    }, log: setting.log)
                parts.store = history
                parts.archiver = archiveURL.map { url in
                    .archiving(
                        to: url, .live, reference: nil, clock: parts.clock, log: setting.log
                    ) {
                        try history?.history() ?? OpeningHistory.none
                    }
                }
                parts.interval = interval
                let diagnostics = url.map { DiagnosticLog(DiagnosticLog.url(nextTo: $0)) }
                defer { diagnostics?.flush() }
                parts.diagnostics = diagnostics
                if let travelTimesURL {
                    parts.traffic.append(
                        TravelTimesFeed(url: travelTimesURL, map: map, client: client))
                }
                if let trafficFile { parts.traffic.append(TrafficFileFeed(path: trafficFile)) }
                try await setting.show(parts, title: "live", until: end)
            }
        }
    }
}
