// `--feed`, `--updates`, `--vehicles`, `--alerts`, `--at` and what bridges are forecast from; options of the commands of transit.
// Belongs here: `board`, `vehicles`, `trip` and `feed`: what is asked and how it is shown; not: what is answered.
import ArgumentParser
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import Foundation

/// Which timetable, which realtime feeds, and which moment.
struct TransitOptions: ParsableArguments {
    @Option(
        name: .long,
        help:
            "The timetable: a zip file or a folder of GTFS. Default: what the environment variable BRIDGECAST_FEED names."
    )
    var feed: [String] = []

    @Option(
        name: .long,
        help:
            "Trip updates (GTFS-realtime, protobuf or JSON): a file, an address, or a folder of recorded messages; may be repeated."
    )
    var updates: [String] = []

    @Option(name: .long, help: "Vehicle positions, as --updates.")
    var vehicles: [String] = []

    @Option(name: .long, help: "Service alerts, as --updates.")
    var alerts: [String] = []

    @Flag(name: .long, help: "Read the timetable itself, not the copy that was kept of it.")
    var noCache = false

    @Flag(name: .long, help: "Say nothing of drawbridges.")
    var noBridges = false

    @OptionGroup var forecast: ForecastOptions

    /// In the environment, the timetable that is meant where none is named.
    static let feedVariable = "BRIDGECAST_FEED"

    /// The timetable's file or folder.
    ///
    /// - Throws: ``CommandFailure`` if none is named.
    var feedURL: URL {
        get throws {
            guard feed.count < 2 else {
                throw CommandFailure(
                    .usage, "--feed is given twice: one timetable is read at a time")
            }
            let named = feed.first ?? Console.current.environment[Self.feedVariable] ?? ""
            guard !named.isEmpty else {
                throw CommandFailure(
                    .usage,
                    "name a timetable: --feed FILE, a zip file or folder of GTFS, or \(Self.feedVariable) in the environment"
                )
            }
            return URL(fileURLWithPath: named)
        }
    }

    /// The realtime feeds that are named.
    var realtime: [RealtimePlace] {
        RealtimePlace.all(.tripUpdates, updates, option: "--updates")
            + RealtimePlace.all(.vehicles, vehicles, option: "--vehicles")
            + RealtimePlace.all(.alerts, alerts, option: "--alerts")
    }

    /// Reads the timetable, from the cache if that has it.
    ///
    /// - Throws: ``CommandFailure``, `TransitFeedError`.
    func readFeed() throws -> TransitFeed {
        let url = try feedURL
        guard !noCache, let folder = FeedCache.usualFolder(Console.current.environment)
        else { return try TransitFeed(contentsOf: url) }
        return try FeedCache(folder: folder).feed(url)
    }

    /// The moment asked for; nil for now.
    ///
    /// - Parameter zone: The clock that a time without an offset is by.
    /// - Throws: ``CommandFailure``
    func moment(in zone: TransitZone) throws -> Timestamp? {
        try forecast.at.map { try FeedTime.moment($0, in: zone) }
    }
}
