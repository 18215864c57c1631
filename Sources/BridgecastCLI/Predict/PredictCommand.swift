// `bridgecast predict`: ranks routes for a departure time.
// Belongs here: `predict`: what is asked, what comes of it, and its table, CSV and JSON; not: the ranking.
package import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastData
import BridgecastEngine
import Foundation

/// `predict`; with `--router` the program for the network does it.
package struct PredictCommand: AsyncParsableCommand {
    /// Names and words in help.
    package static let configuration = CommandConfiguration(
        commandName: "predict",
        abstract: "Ranks routes by travel time, drawbridges included.",
        discussion: """
            With --from and --to: the ways there are. With --routes: candidates of your own. Without \
            either: a set of Seattle commutes. The forecast is issued at the departure or now, \
            whichever is earlier, and uses nothing later.
            """)

    @OptionGroup var trip: TripOptions

    @Option(
        name: .long,
        help:
            "Candidates: our JSON, GeoJSON lines, or the reply of a route service such as OSRM, Valhalla, GraphHopper or OpenTripPlanner."
    )
    var routes: String?

    @OptionGroup var forecast: ForecastOptions

    @Option(
        name: .long,
        help: "When you want to be there, as depart takes it: adds the chance of being on time.")
    var arriveBy: String?

    @Option(name: .long, help: "Only routes whose id, origin or destination contains this text.")
    var only: String?

    @Option(
        name: .long,
        help:
            "Prices in minutes for the ranking, such as expected=1,p90=0,stopped=2; also p50, p80, p95, late, openings, idle."
    )
    var weights: String?

    @Flag(
        name: .long,
        help:
            "Show what moved each bridge's chance away from the usual, as factors of its odds, and what sets the routes apart."
    )
    var explain = false

    @Flag(name: .long, help: "Show the roads of each route. Needs --from and --to.")
    var directions = false

    @Option(
        name: .long,
        help: "Output: table, json, csv, or geojson for routes found with --from and --to.")
    var format = PredictionFormat.table

    /// Creates the command.
    package init() {}

    /// Checks what goes together.
    package func validate() throws {
        guard trip.from == nil || routes == nil && only == nil else {
            throw ValidationError(
                "--from and --to find routes; --routes and --only choose given ones")
        }
        guard trip.from != nil || !directions && format != .geojson else {
            throw ValidationError(
                "\(directions ? "--directions" : "--format geojson") needs --from and --to")
        }
        guard trip.router.router == nil || !directions && format != .geojson else {
            throw ValidationError(
                "\(directions ? "--directions" : "--format geojson") shows ways on our roads; leave out --router"
            )
        }
        guard trip.statedMode == nil || trip.from != nil || routes != nil else {
            throw ValidationError("--mode needs --from and --to, or --routes")
        }
    }

    /// Ranks without a network, or has the other program do it.
    package func run() async throws { try await run(asking: nil) }

    /// Ranks routes.
    ///
    /// - Parameter ask: Asks the route server of `--router`.
    package func run(asking ask: RouterOptions.Asking?) async throws {
        try await reportingFailures {
            if trip.isForServer(ask) { return try ServerProgram.start(Console.current.arguments) }
            let departure = try forecast.departure()
            let deadline = try arriveBy.map { try DeadlineText.deadline($0, after: departure) }
            let weights = try ranking(hasDeadline: deadline != nil)
            let (request, source) = try await request(leaving: departure, asking: ask)
            let context = try forecast.context()
            let prediction = try await Prediction(
                request, of: source, in: context, weights: weights, deadline: deadline,
                explains: explain)
            switch format {
            case .table:
                try Console.print(
                    try PredictionText.table(prediction, showsDirections: directions))
            case .csv: try Console.print(PredictionText.csv(prediction), terminator: "")
            case .json: try Console.print(try PredictionDocument(prediction).jsonText())
            case .geojson: try Console.print(PredictionMap(prediction).jsonLine())
            }
        }
    }

    private func ranking(hasDeadline: Bool) throws -> RouteWeights {
        do {
            return try WeightsText.weights(weights, hasDeadline: hasDeadline)
        } catch {
            throw CommandFailure(.usage, "--weights: \(error)")
        }
    }

    private func request(
        leaving departure: Timestamp, asking ask: RouterOptions.Asking?
    ) async throws -> (RouteRequest, RouteSource) {
        if let found = try await trip.request(leaving: departure, asking: ask) { return found }
        var source = RouteSource(.commutes)
        let all: [Route]
        if let routes {
            let candidates = try CandidateFile.read(
                URL(fileURLWithPath: routes), mode: trip.mode)
            remark(candidates.notes, on: routes)
            source = RouteSource(.file, notes: candidates.notes)
            all = candidates.routes
        } else {
            all = try ShippedFiles.commutes()
        }
        guard let only else { return (.routes(all), source) }
        let wanted = only.lowercased()
        let chosen = all.filter { route in
            [route.id, route.origin, route.destination].contains {
                $0.lowercased().contains(wanted)
            }
        }
        guard !chosen.isEmpty else {
            throw CommandFailure(
                .usage, "--only: no route's id, origin or destination has '\(only)'")
        }
        return (.routes(chosen), source)
    }
}
