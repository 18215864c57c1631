// `bridgecast favourite forecast`: a favourite trip as its own journeys have taught: the ranking, and when to leave.
import ArgumentParser
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
package import BridgecastJourneys
package import BridgecastRoads
package import BridgecastRouting
import BridgecastStore
import BridgecastSupport
import Foundation

/// `bridgecast favourite forecast`.
struct FavouriteForecast: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Ranks the routes of a favourite trip with what your journeys have taught.",
        discussion: """
            Times on the road are adjusted by how your journeys on the favourite went, those that had ended by the \
            issue time; delays at bridges are the forecast's. With --by: when to leave.
            """)

    @Argument(help: "Its name, or the beginning of its id.")
    var name: String

    @Option(name: .long, help: "When you want to be there, as --arrive-by of depart.")
    var by: String?

    @Option(name: .long, help: "Wanted probability of being in time, with --by: 0.9 or 90%.")
    var sure = WantedConfidence(Reminder.defaultConfidence)

    @OptionGroup var forecast: ForecastOptions
    @OptionGroup var journal: JournalOptions

    @Option(name: .long, help: "Output: table or json.")
    var format = ReportFormat.table

    func validate() throws {
        guard sure.probability > 0, sure.probability < 1 else {
            throw ValidationError("--sure \(sure) must be above 0 and below 1, such as 0.9 or 90%")
        }
    }

    func run() async throws {
        try await reportingFailures {
            let (favourite, learnable) = try await journal.with(.reading) { store in
                (try store.favourite(name), try store.learnableJourneys())
            }
            let earliest = try forecast.departure()
            let deadline = try by.map {
                try ForecastOptions.deadline(
                    $0, after: earliest, maxHours: DeadlineText.maxPlanHours)
            }
            let trip = try FavouriteTrip(favourite)
            remark(RouteRequest.trip(trip.trip, trip.planner).notes)
            let context = try forecast.context()
            if let obstacle = learnable.obstacle {
                remark(["nothing is learned from your journeys: \(obstacle.description)"])
            }
            let pace = learnable.pace(on: favourite.target.route, endedBy: context.issueTime)
            let answer: any FavouriteAnswer
            if let deadline {
                answer = try await FavouriteDeparture(
                    trip, pace, from: earliest, by: deadline, sure: sure.probability, in: context)
            } else {
                answer = try await FavouriteRanking(trip, pace, in: context)
            }
            remark(context.notes)
            switch format {
            case .table: try Console.print(answer.text())
            case .json: try Console.print(answer.jsonText())
            }
        }
    }
}

/// A favourite trip on the shipped roads.
package struct FavouriteTrip {
    let favourite: Favourite
    package let planner: RoutePlanner
    package let trip: Trip

    /// - Parameter roads: Read if nil.
    /// - Throws: ``CommandFailure`` for a stop or a trip by transit, and what the search of places throws.
    package init(_ favourite: Favourite, on roads: RoadNetwork? = nil) throws {
        guard case .trip(let from, let to, let mode) = favourite.target, let mode = mode.roadMode
        else {
            throw CommandFailure(
                .usage,
                "'\(printable(favourite.name))' is no trip on roads: its times are not forecast here; "
                    + "ask board for the departures of a stop")
        }
        self.favourite = favourite
        (planner, trip) = try TripOptions.trip(
            from: from, to: to, by: mode, on: try roads ?? ShippedFiles.roads())
    }

    /// Checks that the roads have both places of a favourite and a way between them; a stop and a trip by transit pass.
    ///
    /// Without roads nothing is checked, and a note says so.
    ///
    /// - Throws: What `predict` throws.
    static func check(_ favourite: Favourite) throws {
        guard case .trip(_, _, let mode) = favourite.target, mode.roadMode != nil else { return }
        let roads: RoadNetwork
        do {
            roads = try ShippedFiles.roads()
        } catch {
            return remark(["the places are not checked: \(CommandFailure(error).message)"])
        }
        let found = try FavouriteTrip(favourite, on: roads)
        _ = try found.planner.quickestMinutes(found.trip, leaving: .now)
    }
}

/// What `favourite forecast` shows.
private protocol FavouriteAnswer: JSONObjectAnswer {
    func text() throws -> String
}

/// The best route of each forecast, with and without what was learned.
private struct FavouriteRanking: FavouriteAnswer {
    let trip: FavouriteTrip
    let pace: LearnedPace
    let context: ForecastContext
    let learned: RouteRanking
    /// By route id.
    let plain: [String: RouteScore]

    init(_ trip: FavouriteTrip, _ pace: LearnedPace, in context: ForecastContext) async throws {
        self.trip = trip
        self.pace = pace
        self.context = context
        let found = try await context.inference.rank(
            trip.trip, by: trip.planner, leaving: context.departure, in: context.situation,
            traffic: context.traffic, model: context.model
        ).ranking
        plain = Dictionary(
            found.map { ($0.route.id, $0) }, uniquingKeysWith: { first, _ in first })
        learned = try await context.inference.rank(
            found.map { pace.adjusting($0.route) }, leaving: context.departure,
            in: context.situation, traffic: context.traffic, model: context.model)
    }

    private var roadMinutes: Double {
        learned.first.flatMap { plain[$0.route.id]?.route.meanTravelMinutes } ?? 0
    }

    func text() throws -> String {
        var table = TextTable(
            ["#", "route", "expected", "P90", "stopped", "forecast", "P90"],
            [.right, .left, .right, .right, .right, .right, .right])
        for (rank, score) in learned.enumerated() {
            let before = plain[score.route.id]
            table.add([
                "\(rank + 1)", printable(score.route.name, maxLength: TextTable.maxNameLength),
                minutesAndSeconds(score.expectedMinutes * 60),
                minutesAndSeconds(score.p90Minutes * 60),
                score.crossings.isEmpty ? "-" : percent(score.probabilityStopped),
                before.map { minutesAndSeconds($0.expectedMinutes * 60) } ?? "-",
                before.map { minutesAndSeconds($0.p90Minutes * 60) } ?? "-",
            ])
        }
        return """
            \(FavouriteText.heading(trip.favourite)), leaving \(PredictionText.day(context.departure))
            \(LearnedText.sentence(pace, minutes: roadMinutes))

            \(table.text(indent: "  "))
            """
    }

    func writeFields(into json: inout JSONWriter) {
        context.envelope.write(into: &json)
        FavouriteText.write(trip.favourite, pace, roadMinutes: roadMinutes, to: &json)
        json.field("departure", context.departure)
        json.list("routes", objects: learned) { json, score in
            FavouriteText.write(score, plain[score.route.id], to: &json)
        }
    }
}

/// When to leave to be there by a time, with and without what was learned.
private struct FavouriteDeparture: FavouriteAnswer {
    let trip: FavouriteTrip
    let pace: LearnedPace
    let context: ForecastContext
    let deadline: Timestamp
    let confidence: Double
    let learned: DepartureCurve
    let plain: DepartureCurve
    private let roadMinutes: Double

    init(
        _ trip: FavouriteTrip, _ pace: LearnedPace, from earliest: Timestamp,
        by deadline: Timestamp, sure confidence: Double, in context: ForecastContext
    ) async throws {
        self.trip = trip
        self.pace = pace
        self.context = context
        self.deadline = deadline
        self.confidence = confidence
        let quickest = try trip.planner.quickestMinutes(trip.trip, leaving: deadline)
        let window: DepartureWindow
        do {
            window = try DepartureWindow(
                from: earliest, arriveBy: (deadline, quickest), confidence: confidence)
        } catch {
            throw CommandFailure(.usage, "--by \(error)")
        }
        plain = try await context.inference.departures(
            of: trip.trip, by: trip.planner, window, in: context.situation,
            traffic: context.traffic, model: context.model)
        // The roads are as fast as at the departure by the forecast alone.
        let departure = plain.latest.first?.departure ?? window.from
        let routes = (plain.points.last { $0.departure <= departure } ?? plain.points[0])
            .map(\.route)
        roadMinutes = routes.first?.meanTravelMinutes ?? 0
        learned = try await context.inference.departures(
            of: routes.map(pace.adjusting), window, in: context.situation,
            traffic: context.traffic, model: context.model)
    }

    func text() throws -> String {
        let goal =
            "\(FavouriteText.heading(trip.favourite)), there by \(PredictionText.day(deadline)), "
            + "\(DepartureText.wantedPercent(confidence)) sure\n"
            + LearnedText.sentence(pace, minutes: roadMinutes)
        guard !learned.latest.isEmpty else {
            return goal + "\n\nNo route is that likely to be in time."
        }
        let before = latestByRoute(plain)
        var table = TextTable(
            ["leave by", "route", "expected", "P90", "on time", "by the forecast alone"],
            [.left, .left, .right, .right, .right, .left])
        for latest in learned.latest.prefix(RoutePlanner.defaultMaxRoutes) {
            let score = latest.score
            table.add([
                TimeText.clock(latest.departure),
                printable(score.route.name, maxLength: TextTable.maxNameLength),
                minutesAndSeconds(score.expectedMinutes * 60),
                minutesAndSeconds(score.p90Minutes * 60), percent(score.probabilityOnTime ?? 0),
                before[score.route.id].map { TimeText.clock($0.departure) } ?? "-",
            ])
        }
        return goal + "\n\n" + table.text(indent: "  ")
    }

    private func latestByRoute(_ curve: DepartureCurve) -> [String: DepartureCurve.Latest] {
        Dictionary(
            curve.latest.map { ($0.score.route.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func writeFields(into json: inout JSONWriter) {
        context.envelope.write(into: &json)
        FavouriteText.write(trip.favourite, pace, roadMinutes: roadMinutes, to: &json)
        json.field("arrive_by", deadline)
        json.field("confidence", confidence, decimals: 5)
        let before = latestByRoute(plain)
        json.list("latest", objects: learned.latest) { json, latest in
            json.field("departure", latest.departure)
            json.field("forecast_departure", before[latest.score.route.id]?.departure)
            FavouriteText.write(latest.score, before[latest.score.route.id]?.score, to: &json)
        }
    }
}

private enum FavouriteText {
    static func heading(_ favourite: Favourite) -> String {
        "\(printable(favourite.name)): \(printable(favourite.target.text, maxLength: 200))"
    }

    static func write(
        _ favourite: Favourite, _ pace: LearnedPace, roadMinutes: Double, to json: inout JSONWriter
    ) {
        json.field("favourite", favourite.name)
        json.field("learned_from", pace.journeys)
        json.field("outliers", pace.outliers)
        json.field("change", pace.change(ofMinutes: roadMinutes), decimals: 4)
    }

    /// - Parameter plain: By the forecast alone; nil if there is none.
    static func write(_ score: RouteScore, _ plain: RouteScore?, to json: inout JSONWriter) {
        json.field("route_id", score.route.id)
        json.field("route", score.route.name)
        json.field("expected_s", score.expectedMinutes * 60, decimals: 1)
        json.field("p50_s", score.p50Minutes * 60, decimals: 1)
        json.field("p90_s", score.p90Minutes * 60, decimals: 1)
        json.field("probability_on_time", score.probabilityOnTime, decimals: 5)
        json.field("probability_stopped", score.probabilityStopped, decimals: 5)
        json.field("forecast_expected_s", plain.map { $0.expectedMinutes * 60 }, decimals: 1)
        json.field("forecast_p90_s", plain.map { $0.p90Minutes * 60 }, decimals: 1)
    }
}
