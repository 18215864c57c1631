// `bridgecast predict`: ranks routes for a departure time.
package import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastRoads
internal import BridgecastRouting
internal import BridgecastSupport
import Foundation

/// `predict`; with `--router` the other program does it.
package struct PredictCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "predict",
        abstract: "Ranks routes by travel time, drawbridges included.",
        discussion: """
            With --from and --to: routes on the roads. With --routes: your own candidates. Without \
            either: the bridges, and a dozen commutes on the roads. The forecast is issued at the departure or now, \
            whichever is earlier, and uses no later data.
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
        help: "When you want to be there, as for depart: adds the chance of being on time.")
    var arriveBy: String?

    @Option(
        name: .long,
        help:
            "Only the trips of which a route's (or commute's) id, origin or destination contains this text, with all their routes."
    )
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
            "Show what moved each bridge's chance away from climatology, as factors of its odds, and how the routes differ."
    )
    var explain = false

    @Flag(name: .long, help: "Show the roads of each route. Needs --from and --to.")
    var directions = false

    @Option(
        name: .long,
        help: "Output: table, json, csv, or geojson for routes found with --from and --to.")
    var format = PredictionFormat.table

    package init() {}

    package func validate() throws {
        guard trip.from == nil || routes == nil && only == nil else {
            throw ValidationError(
                "--from and --to find routes; --routes and --only select given ones")
        }
        guard trip.from != nil || !directions && format != .geojson else {
            throw ValidationError(
                "\(directions ? "--directions" : "--format geojson") needs --from and --to")
        }
        guard trip.router.router == nil || !directions && format != .geojson else {
            throw ValidationError(
                "\(directions ? "--directions" : "--format geojson") shows our own roads; leave out --router"
            )
        }
        guard trip.statedMode == nil || trip.from != nil || routes != nil else {
            throw ValidationError("--mode needs --from and --to, or --routes")
        }
    }

    package func run() async throws { try await run(asking: nil) }

    /// - Parameter ask: Requests routes of the route server of `--router`; nil to leave it to the other program.
    package func run(asking ask: RouterOptions.Asking?) async throws {
        try await reportingFailures {
            if trip.isForServer(ask) { return try ServerProgram.start(Console.current.arguments) }
            let departure = try forecast.departure()
            let deadline = try arriveBy.map {
                try ForecastOptions.deadline(
                    $0, after: departure, maxHours: DeadlineText.maxTripHours)
            }
            let weights = try ranking(hasDeadline: deadline != nil)
            let prediction = try await prediction(
                leaving: departure, arriveBy: deadline, weights: weights, asking: ask)
            remark(prediction.context.notes)
            switch format {
            case .table where isOverview:
                let forecasts = try await prediction.context.forecasts(reaching: 0)
                try Console.print(OverviewText.text(prediction, forecasts))
            case .table:
                try Console.print(
                    try PredictionText.table(prediction, showsDirections: directions))
            case .csv: try Console.print(PredictionText.csv(prediction), terminator: "")
            case .json: try Console.print(try PredictionDocument(prediction).jsonText())
            case .geojson: try Console.print(PredictionMap(prediction).jsonLine())
            }
        }
    }

    /// Whether nothing is asked for that an overview leaves out, such as the chance of being on time.
    private var isOverview: Bool {
        trip.from == nil && routes == nil && only == nil && arriveBy == nil && !explain
    }

    private func ranking(hasDeadline: Bool) throws -> RouteWeights {
        do {
            return try WeightsText.weights(weights, hasDeadline: hasDeadline)
        } catch {
            throw CommandFailure(.usage, "--weights: \(error)")
        }
    }

    private func prediction(
        leaving departure: Timestamp, arriveBy deadline: Timestamp?, weights: RouteWeights,
        asking ask: RouterOptions.Asking?
    ) async throws -> Prediction {
        if let asked = try await request(leaving: departure, asking: ask) {
            return try await Prediction(
                asked.request, of: asked.source, in: try forecast.context(), weights: weights,
                deadline: deadline, explains: explain)
        }
        let roads = try ShippedFiles.roads()
        let trips = try selected(Commute.all, named: "commute") {
            [$0.id, $0.origin, $0.destination]
        }.map { try $0.trip(on: roads) }
        return try await Prediction(
            trips, by: RoutePlanner(roads), in: try forecast.context(), weights: weights,
            deadline: deadline, explains: explain)
    }

    /// The routes of the options; nil if they name neither a trip nor candidates.
    private func request(
        leaving departure: Timestamp, asking ask: RouterOptions.Asking?
    ) async throws -> (request: RouteRequest, source: RouteSource)? {
        if let found = try await trip.request(leaving: departure, asking: ask) { return found }
        guard let routes else { return nil }
        let candidates = try CandidateFile.read(URL(fileURLWithPath: routes), mode: trip.mode)
        remark(candidates.notes, on: routes)
        // Whole trips: the best of a part of a trip's routes is no answer.
        let chosen = try selected(RouteGroups.divided(candidates.routes), named: "route") {
            $0.flatMap { [$0.id, $0.origin, $0.destination] }
        }
        return (.routes(Array(chosen.joined())), RouteSource(.file, notes: candidates.notes))
    }

    /// What `--only` selects: those of which one of the texts contains its text.
    private func selected<Choice>(
        _ choices: [Choice], named kind: String, texts: (Choice) -> [String]
    ) throws -> [Choice] {
        guard let only else { return choices }
        let wanted = only.lowercased()
        let chosen = choices.filter { choice in
            texts(choice).contains { $0.lowercased().contains(wanted) }
        }
        guard !chosen.isEmpty else {
            throw CommandFailure(
                .usage, "--only: no \(kind)'s id, origin or destination has '\(printable(only))'")
        }
        return chosen
    }
}

/// `--format` of predictions.
enum PredictionFormat: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv, geojson
}

// MARK: - Text

enum PredictionText {
    /// Tables by origin and destination, each with the reasons below.
    ///
    /// - Parameter showsDirections: Whether the roads of each route follow, if it was found on roads.
    static func table(_ prediction: Prediction, showsDirections: Bool = false) throws -> String {
        let groups = try prediction.groups.flatMap { group in
            let roads = showsDirections ? directions(group) : []
            return [try self.group(group, prediction)] + roads
                + (group.network.map { [RoadsText.attribution($0.attribution)] } ?? [])
        }
        return ([heading(prediction)] + groups).joined(separator: "\n\n")
    }

    /// The roads of each route, a line each.
    private static func directions(_ group: RankedRoutes) -> [String] {
        guard let network = group.network else { return [] }
        let lines = group.enumerated().compactMap { rank, route in
            route.path.map { "  \(rank + 1): \(RoadsText.directions($0, on: network))" }
        }
        return [lines.joined(separator: "\n")]
    }

    /// One line per route.
    static func csv(_ prediction: Prediction) -> String {
        var lines = [
            "origin,destination,mode,rank,route_id,route,issue_time,departure,expected_min,p90_min,"
                + "probability_stopped,expected_delay_s,crossings,confidence,model"
        ]
        for group in prediction.groups {
            for (rank, score) in group.ranking.enumerated() {
                let crossings = score.crossings.map {
                    "\(BridgeCatalogue[$0.bridge].name) \(TimeText.rfc3339($0.arrival))"
                }
                lines.append(
                    [
                        group.origin, group.destination, group.mode.rawValue, "\(rank + 1)",
                        score.route.id, score.route.name,
                        TimeText.rfc3339(prediction.context.issueTime),
                        TimeText.rfc3339(prediction.context.departure),
                        fixed(score.expectedMinutes, 2),
                        fixed(score.p90Minutes, 2),
                        fixed(score.probabilityStopped, 4),
                        fixed(score.expectedDelayMinutes * 60, 1),
                        crossings.joined(separator: "; "),
                        score.crossings.map { prediction.confidence($0).rawValue }.joined(
                            separator: "; "),
                        prediction.context.model.header.name,
                    ].map(csvField).joined(separator: ","))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    static func heading(_ prediction: Prediction) -> String {
        let header = prediction.context.model.header
        let known = KnownStates(prediction.context.situation)
        let source = prediction.source.text.map { "\n\($0)" } ?? ""
        let deadline = prediction.deadline.map { ", to be there by \(day($0))" } ?? ""
        return """
            Leaving \(day(prediction.context.departure))\(deadline); forecast issued \(day(prediction.context.issueTime))
            Model \(header.name); \(known.text)\(source)
            """
    }

    private static func group(_ group: RankedRoutes, _ prediction: Prediction) throws -> String {
        let hasDeadline = prediction.deadline != nil
        var table = TextTable(
            ["#", "route", "expected", "P90"] + (hasDeadline ? ["on time"] : [])
                + ["stopped", "delay", "bridges (ETA, chance, confidence)"],
            [.right, .left, .right, .right] + (hasDeadline ? [.right] : [])
                + [.right, .right, .left])
        for (rank, score) in group.ranking.enumerated() {
            table.add(
                [
                    "\(rank + 1)", printable(score.route.name, maxLength: TextTable.maxNameLength),
                    minutesAndSeconds(score.expectedMinutes * 60),
                    minutesAndSeconds(score.p90Minutes * 60),
                ] + (score.probabilityOnTime.map { [percent($0)] } ?? []) + [
                    score.crossings.isEmpty ? "-" : percent(score.probabilityStopped),
                    score.crossings.isEmpty
                        ? "-" : minutesAndSeconds(score.expectedDelayMinutes * 60),
                    crossings(score, prediction),
                ])
        }
        let why = (try reasons(group, prediction) + comparison(group, prediction)).map {
            "     \($0)"
        }
        let by = group.mode == .car ? "" : group.mode == .bike ? " (by bike)" : " (on foot)"
        let heading = printable("\(group.origin) -> \(group.destination)", maxLength: 200) + by
        return ([heading, table.text(indent: "  ")] + why)
            .joined(separator: "\n")
    }

    /// Why each route ranks after the one before it, in minutes of the ranking.
    private static func comparison(_ group: RankedRoutes, _ prediction: Prediction) -> [String] {
        guard prediction.comparesRoutes else { return [] }
        return zip(group.ranking, group.ranking.dropFirst()).enumerated().map { index, pair in
            let parts = pair.1.differences(from: pair.0, weights: prediction.weights)
                .filter { abs($0.minutes) >= 0.005 }
                .map { "\($0.criterion.label) \(signed($0.minutes))" }
            let behind = fixed(pair.1.score - pair.0.score, 2)
            return "\(index + 2) is \(behind) weighted minutes behind \(index + 1)"
                + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")
        }
    }

    private static func signed(_ minutes: Double) -> String {
        (minutes < 0 ? "-" : "+") + fixed(abs(minutes), 2)
    }

    private static func crossings(_ score: RouteScore, _ prediction: Prediction) -> String {
        guard !score.crossings.isEmpty else { return "none" }
        return score.crossings.map { crossing in
            "\(BridgeCatalogue[crossing.bridge].name) \(TimeText.clock(crossing.arrival)), "
                + "\(percent(crossing.probabilityDelayed)), "
                + prediction.confidence(crossing).rawValue
        }.joined(separator: "; ")
    }

    /// One line per bridge of the group, in the order of the ranking.
    private static func reasons(
        _ group: RankedRoutes, _ prediction: Prediction
    ) throws -> [String] {
        var seen: Set<BridgeIndex> = []
        return try group.ranking.flatMap(\.crossings).flatMap { crossing -> [String] in
            guard seen.insert(crossing.bridge).inserted else { return [] }
            let ifStopped = minutesAndSeconds(secondsIfStopped(crossing, prediction))
            let forecast = try prediction.forecast(at: crossing, by: group.mode)
            let text = forecast.reasons.map(\.text).joined(separator: "; ")
            let reason =
                "\(BridgeCatalogue[crossing.bridge].name): \(text); if stopped, about \(ifStopped)"
            return [reason] + (forecast.explanation.map { explanation($0, crossing) } ?? [])
        }
    }

    /// Where next to none are stopped, such as in closed hours, the forecast of the length rests on few cases: then it is
    /// that of the bridge's openings at all hours.
    private static func secondsIfStopped(
        _ crossing: CrossingScore, _ prediction: Prediction
    ) -> Double {
        guard crossing.probabilityDelayed < 0.01 else {
            return crossing.delay.expectedSecondsIfDelayed
        }
        let climatology = prediction.context.model.climatology
        return climatology.delay(crossing.bridge, openProbability: 0.05, density: 0)
            .expectedSecondsIfDelayed
    }

    /// From climatology to the forecast, one line per factor of the odds.
    private static func explanation(
        _ explanation: CrossingExplanation, _ crossing: CrossingScore
    ) -> [String] {
        let parts = explanation.parts
        let width = parts.map(\.name.count).max() ?? 0
        let chances =
            "  delayed at \(TimeText.clock(crossing.arrival)): usually "
            + "\(percent(explanation.climatology)), now \(percent(explanation.probability)); "
        if let certainty = explanation.certainty { return [chances + certainty] }
        return [chances + "factors of the odds:"]
            + parts.map { part in
                let name = part.name.padding(toLength: width, withPad: " ", startingAt: 0)
                let factor = "x \(fixed(exp(part.logOdds), 2))"
                let blanks = String(repeating: " ", count: max(0, 10 - factor.count))
                return "\(blanks)\(factor)  \(name)  \(part.text)"
            }
    }

    static func day(_ time: Timestamp) -> String {
        let civil = SeattleTime.civil(at: time)
        let weekday = "\(civil.date.weekday)".prefix(3).capitalized
        return "\(weekday) \(civil.date) \(TimeText.clockAndZone(time))"
    }
}

extension RouteSource {
    /// For people; nil without a route server.
    var text: String? {
        url.map { "Routes of \(kind == .osrm ? "OSRM" : "Valhalla") at \(printable($0))" }
    }
}
