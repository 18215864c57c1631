// `bridgecast board`: the departures of a stop, as they hang in a station.
import ArgumentParser
import BridgecastCLI
import BridgecastCore
import BridgecastTransit
import BridgecastTransitAnswers
import Foundation

struct BoardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: NetworkCommand.board.rawValue, abstract: NetworkCommand.board.abstract,
        discussion: """
            `time` is the timetable's, `now` is predicted. Trust is high where the vehicle was seen in the last 90 \
            seconds and the prediction is fresh, medium where there is a prediction alone, low where it is old or the \
            timetable was moved by what is usual. \
            Beneath a bus that has a drawbridge before it stands what the bridge may do to it.
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
            "Boards for many stops and moments: a file with lines stop_id,unix_seconds; a document a line comes out."
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
                let place = try place(in: session)
                try await watching.show(session, format) { moment in
                    let board = moment.snapshot.board(
                        of: place.stop, at: moment.now, query, holding: moment.bridges?.holds)
                    let document = StopBoardDocument(
                        board, moment.snapshot, moment.envelope, bridges: moment.bridges,
                        metres: place.metres)
                    return Showing(document) { width in
                        StopBoardText(document).lines(
                            isSplit: query.limitPerDirection != nil, width: width)
                    }
                }
            }
        }
    }

    /// The stop that is meant, and how far away it is where a place was named.
    private func place(in session: TransitSession) throws -> (stop: StopIndex, metres: Double?) {
        guard let near else {
            return (try FeedNames(feed: session.feed).stop(stop ?? ""), nil)
        }
        guard let point = Self.point(near) else {
            throw CommandFailure(
                .usage,
                "--near: '\(printable(near))' is no place: write latitude,longitude such as 37.4429,-122.1650"
            )
        }
        guard let found = session.desk.stations.nearest(to: point).first else {
            throw CommandFailure(
                .usage,
                "--near: the feed has no station within 50 km of \(printable(near)): name a stop instead"
            )
        }
        return (found.stop, found.metres)
    }

    private static func point(_ text: String) -> GeoPoint? {
        let parts = text.split(separator: ",").map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }
}
