// `bridgecast predict`: ranks routes for a departure time.
// Belongs here: `predict`: what is asked, what comes of it, and its table, CSV and JSON; not: the ranking.
import ArgumentParser
import BridgecastCore
import BridgecastData
import BridgecastEngine
import Foundation

struct PredictCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
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

    @Option(name: .long, help: "Output: table, json or csv.")
    var format = PredictionFormat.table

    func validate() throws {
        guard trip.from == nil || routes == nil && only == nil else {
            throw ValidationError(
                "--from and --to find routes; --routes and --only choose given ones")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let departure = try forecast.departure()
            let deadline = try arriveBy.map { try DepartCommand.deadline($0, after: departure) }
            let weights = try WeightsText.weights(weights, hasDeadline: deadline != nil)
            let request = try request()
            let context = try forecast.context()
            let prediction = try await Prediction(
                request, in: context, weights: weights, deadline: deadline, explains: explain)
            switch format {
            case .table: try Console.print(try PredictionText.table(prediction))
            case .csv: try Console.print(PredictionText.csv(prediction), terminator: "")
            case .json: try Console.print(try json(try PredictionDocument(prediction)))
            }
        }
    }

    private func request() throws -> RouteRequest {
        if let (planner, trip) = try trip.trip() { return .trip(trip, planner) }
        let all: [Route]
        if let routes {
            let candidates = try CandidateFile.read(
                URL(fileURLWithPath: routes), mode: trip.mode)
            remark(candidates.notes, on: routes)
            all = candidates.routes
        } else {
            all = try ShippedFiles.commutes()
        }
        guard let only else { return .routes(all) }
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
        return .routes(chosen)
    }
}
