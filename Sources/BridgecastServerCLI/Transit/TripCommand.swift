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

    @Option(
        name: .long,
        help:
            "The service day, such as 2026-02-20. Default: the run of the moment, else the next one."
    )
    var date: String?

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
        if snapshot.feed.trip(trip) == nil, let added = snapshot.addedRun(ofTrip: trip) {
            return TripDocument(added, snapshot, at: now, moment.envelope)
        }
        return TripDocument(
            try run(in: snapshot, at: now), snapshot, at: now, moment.envelope,
            bridges: moment.bridges)
    }

    /// The run of the day that is named, or the one of the moment, else the next.
    private func run(in snapshot: TransitSnapshot, at now: Timestamp) throws -> RunKey {
        let names = FeedNames(feed: snapshot.feed)
        guard let date else {
            let place = try names.trip(trip, in: snapshot, at: now)
            if let run = snapshot.run(ofTrip: place, at: now) { return run }
            throw CommandFailure(
                .usage,
                "trip '\(printable(trip))' runs on no day by this timetable, or stops nowhere")
        }
        guard let day = TimeText.parseDate(date) else {
            throw CommandFailure(
                .usage,
                "--date: '\(printable(date, most: 40))' is not one: write a service day such as 2026-02-20"
            )
        }
        // A train's number may be another trip on another day.
        let noon = snapshot.feed.zone.serviceDayStart(day).adding(seconds: 43_200)
        let place = try names.trip(trip, in: snapshot, at: noon)
        if let run = snapshot.run(ofTrip: place, on: day) { return run }
        throw CommandFailure(
            .usage, "trip '\(printable(trip))' does not run on \(day): name another day")
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
