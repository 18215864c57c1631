// `POST /routes/rank`: ranks candidates of the client; the hot path of the service.
internal import BridgecastRouting
internal import BridgecastSupport
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastData
internal import BridgecastEngine
internal import BridgecastLive
internal import Foundation
internal import NIOCore
private import Synchronization

enum RankEndpoint {
    static let rank = Endpoint.post(
        "\(EndpointTable.base)/routes/rank", RouteQuestion.parameters + ["detail"],
        takes: ["application/json", "application/geo+json"]
    ) { try await rank($0) }

    private enum Detail: String, CaseIterable { case summary, full }

    /// Up to this many candidates are answered in full by default.
    private static let maxFullByDefault = 20
    /// Up to this many candidates can be answered in full.
    private static let maxFull = 1_000

    @concurrent private static func rank(
        _ request: ServiceRequest
    ) async throws(Problem) -> ServiceAnswer {
        let question = try RouteQuestion(request)
        let candidates = try candidates(request)
        let routes = candidates.routes
        let detail = try request.query.choice(
            "detail", default: routes.count <= maxFullByDefault ? Detail.full : .summary)
        guard detail == .summary || routes.count <= maxFull else {
            throw .parameter(
                "detail", "full takes at most \(maxFull) candidates, these are \(routes.count)",
                takes: "summary for that many", near: [Detail.summary.rawValue])
        }
        let context = try question.context(request)
        let source = RouteSource(.candidates, notes: candidates.notes)
        let bytes = try await Problem.catchingRanking { () async throws(RankingError) in
            guard detail == .summary else {
                let prediction = try await Prediction(
                    .routes(routes), of: source, in: context, weights: question.weights,
                    deadline: question.deadline, explains: false)
                return try PredictionDocument(prediction).jsonBytes(
                    capacity: 4_096 * (1 + routes.count))
            }
            let ranked = try await ranked(routes, by: question, in: context)
            return RankedCandidatesDocument(ranked, of: source, in: context).jsonBytes(
                capacity: RankedCandidatesDocument.estimatedBytes(routes.count))
        }
        return ServiceAnswer(.json, bytes, keeping: .never)
    }

    /// Ranks with the snapshot's forecasts if they reach far enough, else with new ones.
    private static func ranked(
        _ routes: [Route], by question: RouteQuestion, in context: ForecastContext
    ) async throws(RankingError) -> RankedCandidates {
        let set = try RouteSet.packing(routes)
        let table: ForecastTable
        if let ready = question.snapshot.table(for: set, leaving: question.departure) {
            table = ready
        } else {
            table = try await context.inference.table(
                for: set, leaving: question.departure, in: context.situation,
                traffic: context.traffic, model: context.model)
        }
        var scorer = scorers.withLock { $0.popLast() } ?? RouteScorer()
        defer { reuse(scorer) }
        return try RankedCandidates(
            routes, packed: set, with: table, leaving: question.departure,
            arriveBy: question.deadline, weights: question.weights, by: &scorer)
    }

    /// Idle scorers, kept for their buffers.
    private static let scorers = Mutex<[RouteScorer]>([])
    /// More idle scorers are discarded.
    private static let maxScorers = 16

    private static func reuse(_ scorer: RouteScorer) {
        scorers.withLock { scorers in if scorers.count < maxScorers { scorers.append(scorer) } }
    }

    private static let bodyTakes =
        "our own routes, GeoJSON lines, or the reply of a route engine such as OSRM or Valhalla"

    /// The candidates of the body.
    ///
    /// - Throws: ``Problem`` 422 with the location in the body.
    private static func candidates(_ request: ServiceRequest) throws(Problem) -> CandidateRoutes {
        let settings = request.state.settings
        let mode = try request.query.mode()
        let candidates: CandidateRoutes
        do throws(DocumentProblem) {
            let bytes = Array(request.body.readableBytesView)
            try JSONDepth.check(bytes.span, maxDepth: settings.maxJSONDepth)
            candidates = try read(bytes, mode)
        } catch {
            let isAll = error.location.isEmpty || error.location == DocumentProblem.wholeFile
            throw .body(
                DocumentProblem(isAll ? "the body" : error.location, error.problem),
                takes: bodyTakes)
        }
        let count = candidates.routes.count
        guard count <= settings.maxRows else {
            throw .body(
                DocumentProblem(
                    "routes", "\(count) candidates are more than the limit of \(settings.maxRows)"),
                takes: "at most \(settings.maxRows) candidates at once")
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

extension BridgesSnapshot {
    /// The snapshot's forecasts, if they cover packed routes; nil if not.
    ///
    /// They equal those that would be made for the routes: of the same situation, on the same grid of leads.
    fileprivate func table(for set: RouteSet, leaving departure: Timestamp) -> ForecastTable? {
        let lead = departure.minutes(since: issueTime)
        let table = update.table
        guard lead <= FeatureBuilder.longestLeadMinutes,
            lead + set.reachMinutes <= table.reachMinutes, set.modes.isSubset(of: table.modes)
        else { return nil }
        return table
    }
}
