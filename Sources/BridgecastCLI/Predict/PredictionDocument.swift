// A prediction as JSON: names and units as route services expect them; written in snake_case.
import BridgecastCore
import BridgecastEngine
import BridgecastRoads

/// The JSON of `predict`.
struct PredictionDocument: Encodable {
    struct Delay: Encodable {
        let mean: Double
        let p50: Double
        let p80: Double
        let p95: Double
    }

    /// What moved the chance away from climatology; log-odds add up.
    ///
    /// Where a span that is up settles it, words say so and there are no parts.
    struct Explanation: Encodable {
        struct Part: Encodable {
            let cause: String
            let knowledge: String
            let logOdds: Double
        }

        let climatologyProbabilityDelayed: Double
        let probabilityDelayed: Double
        let certainty: String?
        let parts: [Part]
    }

    struct Crossing: Encodable {
        let bridge: String
        let bridgeID: BridgeID
        let eta: String
        let leadTimeS: Double
        let probabilityStopped: Double
        let delayS: Delay
        let delayBins: [Double]
        let confidence: Confidence
        let reasons: [String]
        let explanation: Explanation?
    }

    struct RouteEntry: Encodable {
        let rank: Int
        let id: String
        let name: String
        let score: Double
        let travelS: [String: Double]
        let expectedArrival: String
        let probabilityStopped: Double
        let expectedDelayS: Double
        let probabilityOnTime: Double?
        let idlingCo2G: Double
        let criteria: [String: Double]
        /// Weighted minutes by which the criteria put it behind the best route.
        let behindBestMin: [String: Double]
        let crossings: [Crossing]
        // Of a route that was found on the roads.
        let metres: Double?
        /// Google's encoding with six decimals.
        let geometry: String?
        let directions: [RouteRoads.Step]?
    }

    struct Group: Encodable {
        let origin: String
        let destination: String
        let mode: Route.Mode
        let routes: [RouteEntry]
    }

    let issueTime: String
    let departure: String
    let model: String
    let weightFormat: WeightFormat
    let delayBinEdgesMin: [Double]
    let warnings: [String]
    let routeSource: RouteSource
    /// Whose data the roads are made from, if routes were found on roads.
    let attribution: String?
    let groups: [Group]

    init(_ prediction: Prediction) throws {
        issueTime = TimeText.rfc3339(prediction.context.issueTime)
        departure = TimeText.rfc3339(prediction.context.departure)
        model = prediction.context.model.header.name
        weightFormat = prediction.context.model.header.weightFormat
        delayBinEdgesMin = DelayBins.edgesMinutes
        warnings = prediction.context.notes
        routeSource = prediction.source
        attribution = prediction.groups.lazy.compactMap { $0.ways?.network.attribution }.first
        groups = try prediction.groups.map { group in
            Group(
                origin: group.origin, destination: group.destination, mode: group.mode,
                routes: try group.ranking.enumerated().map { rank, score in
                    try RouteEntry(
                        score, rank: rank + 1, best: group.ranking[0],
                        RouteRoads(score, in: group.ways), prediction)
                })
        }
    }
}

extension PredictionDocument.RouteEntry {
    init(
        _ score: RouteScore, rank: Int, best: RouteScore, _ roads: RouteRoads?,
        _ prediction: Prediction
    ) throws {
        try self.init(
            rank: rank, id: score.route.id, name: score.route.name, score: score.score,
            travelS: [
                "mean": score.expectedMinutes * 60, "p50": score.p50Minutes * 60,
                "p80": score.p80Minutes * 60, "p90": score.p90Minutes * 60,
                "p95": score.p95Minutes * 60,
            ],
            expectedArrival: TimeText.rfc3339(
                score.expectedArrival(leaving: prediction.context.departure)),
            probabilityStopped: score.probabilityStopped,
            expectedDelayS: score.expectedDelayMinutes * 60,
            probabilityOnTime: score.probabilityOnTime, idlingCo2G: score.idlingCO2Grams,
            criteria: Dictionary(
                uniqueKeysWithValues: RouteCriterion.allCases.map {
                    ($0.rawValue, score.figures[$0])
                }),
            behindBestMin: Dictionary(
                uniqueKeysWithValues: score.differences(from: best, weights: prediction.weights)
                    .map { ($0.criterion.rawValue, $0.minutes) }),
            crossings: score.crossings.map {
                try PredictionDocument.Crossing($0, score.route.mode, prediction)
            }, metres: roads?.metres, geometry: roads?.geometry, directions: roads?.directions)
    }
}

extension PredictionDocument.Crossing {
    init(_ crossing: CrossingScore, _ mode: Route.Mode, _ prediction: Prediction) throws {
        let facts = BridgeCatalogue[crossing.bridge]
        let delay = crossing.delay
        self.init(
            bridge: facts.name, bridgeID: facts.id, eta: TimeText.rfc3339(crossing.arrival),
            leadTimeS: (crossing.arrival.minutes(since: prediction.context.issueTime) * 60)
                .rounded(),
            probabilityStopped: crossing.probabilityDelayed,
            delayS: PredictionDocument.Delay(
                mean: crossing.expectedDelayMinutes * 60, p50: delay.quantileSeconds(0.5),
                p80: delay.quantileSeconds(0.8), p95: delay.quantileSeconds(0.95)),
            delayBins: delay.probabilities, confidence: prediction.confidence(crossing),
            reasons: prediction.reasons(crossing),
            explanation: prediction.explains
                ? try PredictionDocument.Explanation(crossing, mode, prediction) : nil)
    }
}

extension PredictionDocument.Explanation {
    init(_ crossing: CrossingScore, _ mode: Route.Mode, _ prediction: Prediction) throws {
        let explanation = try prediction.explanation(crossing, mode)
        self.init(
            climatologyProbabilityDelayed: explanation.climatology,
            probabilityDelayed: explanation.probability, certainty: explanation.certainty,
            parts: explanation.parts.map {
                Part(cause: $0.name, knowledge: $0.words, logOdds: $0.logOdds)
            })
    }
}
