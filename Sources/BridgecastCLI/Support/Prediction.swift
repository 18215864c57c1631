// One prediction: everything the three output formats show.
import BridgecastCore
import BridgecastEngine

/// Ranked routes of one origin and destination.
struct RankedGroup {
    let origin: String
    let destination: String
    let mode: Route.Mode
    let scores: [RouteScore]
}

/// A prediction for a departure.
struct Prediction {
    let departure: Timestamp
    let issueTime: Timestamp
    let model: LoadedModel
    let situation: Situation
    let notes: [String]
    let groups: [RankedGroup]
    private let source: SituationSource
    private let reasons: ForecastReason
    private let traffic: TrafficDensity
    /// Whether explanations are wanted with the forecasts.
    let explains: Bool

    /// Forecasts all bridges in one batch and ranks the routes.
    init(
        routes: [Route], departure: Timestamp, issueTime: Timestamp, model: LoadedModel,
        source: SituationSource, traffic: TrafficDensity, weights: RouteWeights,
        explains: Bool
    ) async throws {
        (self.traffic, self.explains) = (traffic, explains)
        (self.departure, self.issueTime, self.model) = (departure, issueTime, model)
        self.source = source
        (situation, notes) = source.situation(at: issueTime)
        reasons = ForecastReason(situation: situation, climatology: model.climatology)
        let longest = routes.map(\.meanTravelMinutes).max() ?? 0
        let ahead = departure.minutes(since: issueTime)
        let farthest = ahead + 2 * longest + DelayBins.longestMinutes
        guard ahead <= Self.farthestDepartureMinutes else {
            throw CommandFailure(.usage, "--at lies more than 7 days ahead")
        }
        let table = try await TrafficInference(model).table(
            in: situation, reaching: farthest, traffic: traffic)
        let scoring = RouteScoring(
            forecasts: table, climatology: model.climatology, issueTime: issueTime,
            weights: weights)
        groups = Self.grouped(routes).map { members in
            RankedGroup(
                origin: members[0].origin, destination: members[0].destination,
                mode: members[0].mode, scores: scoring.rank(members, leaving: departure))
        }
    }

    private static let farthestDepartureMinutes = 7.0 * 1440

    /// Confidence of the forecast at a crossing.
    func confidence(_ crossing: CrossingScore) -> Confidence {
        Confidence(
            crossing.bridge, leadMinutes: crossing.leadMinutes, in: situation,
            climatology: model.climatology,
            newestRecord: source.newestRecord(of: crossing.bridge, before: issueTime))
    }

    /// Why the forecast at a crossing is what it is.
    func reasons(_ crossing: CrossingScore) -> [String] {
        reasons.phrases(for: crossing.bridge, arrival: crossing.arrival)
    }

    /// What moved the forecast at a crossing's mean arrival away from climatology.
    func explanation(_ crossing: CrossingScore, _ mode: Route.Mode) -> ForecastExplanation {
        var workspace = Workspace()
        let density = mode.queues ? traffic.density(of: crossing.bridge, at: crossing.arrival) : 0
        return model.explanation(
            of: crossing.bridge, leadMinutes: max(0, crossing.leadMinutes),
            density: Float(density), in: situation, workspace: &workspace)
    }

    /// The parts of an explanation: name, what is known, log-odds.
    func parts(
        _ explanation: ForecastExplanation
    ) -> [(name: String, words: String, logOdds: Double)] {
        explanation.parts.map { part in
            switch part.cause {
            case .time: ("time and rules", "beyond the usual for the hour", part.logOdds)
            case .bridge(let bridge):
                (BridgeCatalogue[bridge].name, reasons.knowledge(of: bridge), part.logOdds)
            }
        }
    }

    /// Routes by origin, destination and mode, in order of first appearance.
    private static func grouped(_ routes: [Route]) -> [[Route]] {
        struct Key: Hashable {
            let origin: String
            let destination: String
            let mode: Route.Mode
        }
        var order: [Key] = []
        var members: [Key: [Route]] = [:]
        for route in routes {
            let key = Key(origin: route.origin, destination: route.destination, mode: route.mode)
            if members[key] == nil { order.append(key) }
            members[key, default: []].append(route)
        }
        return order.compactMap { members[$0] }
    }
}
