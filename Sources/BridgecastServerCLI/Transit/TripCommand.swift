// `bridgecast trip`: a trip stop by stop, with its vehicle and the drawbridges before it.
import ArgumentParser
import BridgecastAnswers
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import BridgecastTransitAnswers

struct TripCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.trip.rawValue, abstract: NetworkCommand.trip.abstract)

    @Argument(
        help:
            "The trip: its identifier, or the name that riders have for it, such as a train's number."
    )
    var trip: String

    @OptionGroup var transit: TransitOptions

    @Option(name: .long, help: "Output: table, json, ndjson, or geojson for maps.")
    var format = TripFormat.table

    @OptionGroup var watching: WatchingOptions

    func validate() throws {
        guard format != .geojson || !watching.watch else {
            throw ValidationError("--format geojson and --watch contradict each other")
        }
    }

    func run() async throws {
        try await reportingFailures {
            try await TransitSession.with(transit, isMoving: watching.watch) { session in
                if format == .geojson {
                    let moment = try await session.moment()
                    return try Console.print(TripMap(try document(moment)).jsonLine())
                }
                try await watching.show(session, TransitFormat(format)) { moment in
                    let document = try document(moment)
                    return Showing(document) { _ in TripText(document, at: moment.now).lines }
                }
            }
        }
    }

    private func document(_ moment: TransitMoment) throws -> TripDocument {
        let (snapshot, now) = (moment.snapshot, moment.now)
        let place = try FeedNames(feed: snapshot.feed).trip(trip, in: snapshot, at: now)
        guard let run = snapshot.run(ofTrip: place, at: now) else {
            throw CommandFailure(
                .usage,
                "trip '\(printable(trip))' runs on no day by this timetable, or stops nowhere"
            )
        }
        return TripDocument(
            run, snapshot, at: now, moment.envelope, bridges: moment.bridges)
    }
}

/// `--format` of `trip`.
enum TripFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, ndjson, geojson
}

extension TransitFormat {
    /// The same format where there is no map.
    init(_ format: TripFormat) {
        self = TransitFormat(rawValue: format.rawValue) ?? .json
    }
}
