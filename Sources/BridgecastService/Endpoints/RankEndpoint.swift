// `POST /routes/rank`: candidates of the client's own, ranked; the hot path of the service.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastData
internal import BridgecastEngine
internal import BridgecastLive
internal import Foundation
internal import HTTPTypes
internal import NIOCore
private import Synchronization

enum RankEndpoint {
    static let rank = Endpoint.post(
        "/api/v1/routes/rank", RouteQuestion.parameters + ["detail"],
        takes: ["application/json", "application/geo+json"]
    ) { try await rank($0) }

    /// How much is said of each route.
    private enum Detail: String, CaseIterable {
        case summary, full
    }

    /// So many candidates are answered in full unless something else is asked for.
    private static let mostUsuallyFull = 20
    /// So many are at most answered in full.
    private static let mostFull = 1_000

    /// Ranks the candidates of the body.
    @concurrent
    private static func rank(_ request: ServiceRequest) async throws(Problem) -> ServiceAnswer {
        let question = try RouteQuestion(request)
        let candidates = try candidates(request)
        let routes = candidates.routes
        let detail = try request.query.choice(
            "detail", usual: routes.count <= mostUsuallyFull ? Detail.full : .summary)
        guard detail == .summary || routes.count <= mostFull else {
            throw .parameter(
                "detail", "full takes at most \(mostFull) candidates, these are \(routes.count)",
                takes: "summary for so many", near: [Detail.summary.rawValue])
        }
        let context = try question.context(request)
        let source = RouteSource(.candidates, notes: candidates.notes)
        let bytes = try await Problem.tellingRanking { () async throws(RankingError) in
            guard detail == .summary else {
                let prediction = try await Prediction(
                    .routes(routes), of: source, in: context, weights: question.weights,
                    deadline: question.deadline, explains: false)
                return try PredictionDocument(prediction).jsonBytes(
                    capacity: 4_096 * (1 + routes.count))
            }
            let ranked = try await ranked(routes, question, context)
            return RankedCandidatesDocument(ranked, of: source, in: context).jsonBytes(
                capacity: RankedCandidatesDocument.roomBytes(routes.count))
        }
        return ServiceAnswer(.json, bytes, keeping: .never)
    }

    /// Ranks with the board's forecasts where they reach far enough, else with some of their own.
    private static func ranked(
        _ routes: [Route], _ question: RouteQuestion, _ context: ForecastContext
    ) async throws(RankingError) -> RankedCandidates {
        let set = try RouteSet.packing(routes)
        let table: ForecastTable
        if let ready = question.board.table(for: set, leaving: question.departure) {
            table = ready
        } else {
            table = try await context.inference.table(
                for: set, leaving: question.departure, in: context.situation,
                traffic: context.traffic, model: context.model)
        }
        var scorer = scorers.withLock { $0.popLast() } ?? RouteScorer()
        defer { give(back: scorer) }
        return try RankedCandidates(
            routes, packed: set, with: table, leaving: question.departure,
            arriveBy: question.deadline, weights: question.weights, by: &scorer)
    }

    /// Scorers that nobody uses at the moment, with their memory.
    private static let scorers = Mutex<[RouteScorer]>([])
    /// More of them are let go.
    private static let mostScorers = 16

    private static func give(back scorer: RouteScorer) {
        scorers.withLock { scorers in
            if scorers.count < mostScorers { scorers.append(scorer) }
        }
    }

    private static let bodyTakes =
        "our own routes, GeoJSON lines, or the reply of a route engine such as OSRM or Valhalla"

    /// The candidates of the body.
    ///
    /// - Throws: ``Problem`` 422 with the place in the body.
    private static func candidates(_ request: ServiceRequest) throws(Problem) -> CandidateRoutes {
        let settings = request.state.settings
        let mode = try request.query.mode()
        let candidates: CandidateRoutes
        do throws(DocumentProblem) {
            let bytes = Array(request.body.readableBytesView)
            try JSONDepth.check(bytes, most: settings.mostJSONDepth)
            candidates = try read(bytes, mode)
        } catch {
            let isAll = error.place.isEmpty || error.place == DocumentProblem.wholeFile
            throw .body(
                DocumentProblem(isAll ? "the body" : error.place, error.problem),
                takes: bodyTakes)
        }
        let count = candidates.routes.count
        guard count <= settings.mostRows else {
            throw .body(
                DocumentProblem(
                    "routes", "\(count) candidates are more than the limit of \(settings.mostRows)"),
                takes: "at most \(settings.mostRows) candidates at once")
        }
        return candidates
    }

    private static func read(
        _ bytes: [UInt8], _ mode: Route.Mode
    ) throws(DocumentProblem) -> CandidateRoutes {
        do {
            return try CandidateFile.read(Data(bytes), mode: mode, name: "the body")
        } catch {
            throw error.problem
        }
    }
}

extension Board {
    /// The board's own forecasts, if they answer for packed routes; nil if not.
    ///
    /// They are those that would be made for the routes: of the same situation, on the same grid of leads.
    fileprivate func table(for set: RouteSet, leaving departure: Timestamp) -> ForecastTable? {
        let lead = departure.minutes(since: issueTime)
        let table = update.table
        guard lead <= FeatureBuilder.longestLeadMinutes,
            lead + set.reachMinutes <= table.reachMinutes, set.modes.isSubset(of: table.modes)
        else { return nil }
        return table
    }
}
