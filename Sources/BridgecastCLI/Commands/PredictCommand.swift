// `bridgecast predict`: ranks routes for a departure time.
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
            Without arguments: a set of Seattle commutes, leaving now. Routes of the same origin and \
            destination compete. The forecast is issued at the departure or now, whichever is \
            earlier, and uses nothing later.
            """)

    @Option(name: .long, help: "Routes to rank (JSON, see README). Default: shipped commutes.")
    var routes: String?

    @Option(
        name: .long,
        help: "Departure: RFC 3339, or Seattle time such as 2026-02-20T17:50. Default: now.")
    var at: String?

    @OptionGroup var store: StoreOptions

    @Option(name: .long, help: "Bridge states now: GetBridgeData's reply or our form (JSON).")
    var live: String?

    @Option(
        name: .long,
        help:
            "Degree of saturation, 0 to 1: RHO for all bridges or BRIDGE=RHO; also from a feed: BRIDGE=95s/60s (travel time over free flow) or BRIDGE=2400vph (vehicles an hour, the busier direction); may be repeated. Default: by hour."
    )
    var traffic: [String] = []

    @Option(
        name: .long,
        help:
            "Measured traffic (CSV or JSON, see README); values older than 15 minutes are not used."
    )
    var trafficFile: String?

    @Option(name: .long, help: "Model file. Default: the shipped one.")
    var model: String?

    @Option(name: .long, help: "Only routes whose id, origin or destination contains this text.")
    var only: String?

    @Option(
        name: .long, help: "Weights of the ranking, such as expected=1,p90=0,stopped=2,openings=0.")
    var weights: String?

    @Flag(
        name: .long,
        help: "Show what moved each bridge's chance away from the usual, as factors of its odds.")
    var explain = false

    @Option(name: .long, help: "Output: table, json or csv.")
    var format = PredictionFormat.table

    func run() async throws {
        try await reportingFailures {
            let now = Timestamp.now
            let departure = try at.map { try TimeText.parse($0) } ?? now
            let routes = try selectedRoutes()
            let prediction = try await Prediction(
                routes: routes, departure: departure, issueTime: min(now, departure),
                model: try ModelLoading.load(model),
                source: try SituationSource(store, live, at: now),
                traffic: try TrafficText.density(
                    traffic, file: trafficFile, at: min(now, departure)),
                weights: try weights.map { try WeightsText.weights($0) } ?? .standard,
                explains: explain)
            for line in prediction.notes { note("bridgecast: note: \(line)") }
            switch format {
            case .table: print(PredictionText.table(prediction))
            case .csv: print(PredictionText.csv(prediction), terminator: "")
            case .json: print(try json(PredictionDocument(prediction)))
            }
        }
    }

    private func selectedRoutes() throws -> [Route] {
        let all: [Route]
        if let routes {
            all = try RoutesFile.read(URL(fileURLWithPath: routes))
        } else {
            all = try ShippedFiles.commutes()
        }
        guard let only else { return all }
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
        return chosen
    }
}

/// `--format` of predictions.
enum PredictionFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv
}
