// `bridgecast vehicles`: where the vehicles of a route are and what they do next.
import ArgumentParser
import BridgecastCLI
import BridgecastTransit
import BridgecastTransitAnswers

struct VehiclesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.vehicles.rawValue,
        abstract: NetworkCommand.vehicles.abstract,
        discussion: """
            Between two fixes a vehicle is moved on along its line, no faster than its kind can go and no further than \
            predicted; `seen` is how old its last fix is.
            """)

    @Argument(help: "The route: identifier or name, such as 542; none for all.")
    var route: String?

    @OptionGroup var transit: TransitOptions

    @Option(name: .long, help: "Output: table, json or ndjson.")
    var format = TransitFormat.table

    @OptionGroup var watching: WatchingOptions

    func run() async throws {
        try await reportingFailures {
            guard !transit.realtime.isEmpty else {
                throw CommandFailure(
                    .usage, "timetables have no vehicles: name a realtime feed with --vehicles")
            }
            try await TransitSession.with(transit, isMoving: watching.watch) { session in
                let route = try route.map { try FeedNames(feed: session.feed).route($0) }
                try await watching.show(session, format) { moment in
                    let document = RealtimeDocument(
                        route, moment.snapshot, at: moment.now, moment.envelope,
                        bridges: moment.bridges)
                    return Showing(document) { _ in
                        VehiclesText(document, moment.snapshot.feed, at: moment.now).lines
                    }
                }
            }
        }
    }
}
