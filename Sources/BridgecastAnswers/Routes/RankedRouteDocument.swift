// Everything that is said of a ranked route, as JSON; part of PredictionDocument.
internal import BridgecastCore
internal import BridgecastEngine

/// A ranked route with its crossings.
struct RankedRouteDocument: JSONAnswer {
    private let rank: Int
    private let score: RouteScore
    private let best: RouteScore
    private let prediction: Prediction
    private let travelTimes: TravelTimeDistribution
    private let roads: RouteRoads?
    private let showsDirections: Bool
    private let explanations: [CrossingExplanation]

    /// - Parameters:
    ///   - place: The route's place in the ranking, from 0.
    ///   - travelTimes: Of that route.
    /// - Throws: ``RankingError`` if an explanation cannot be computed.
    init(
        _ group: RankedGroup, _ place: Int, _ travelTimes: TravelTimeDistribution,
        _ prediction: Prediction, showsDirections: Bool
    ) throws(RankingError) {
        (rank, score, best) = (place + 1, group.ranking[place], group.ranking[0])
        (self.prediction, self.travelTimes) = (prediction, travelTimes)
        roads = RouteRoads(score, in: group.ways)
        self.showsDirections = showsDirections
        var explanations: [CrossingExplanation] = []
        for crossing in score.crossings where prediction.explains {
            explanations.append(try prediction.explanation(crossing, group.mode))
        }
        self.explanations = explanations
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            RouteEntry(
                rank: rank, route: score.route, figures: score.figures,
                departure: prediction.context.departure
            ).write(into: &json)
            json.list(
                "travel_quantiles_s", travelTimes.quantilesMinutes.lazy.map { $0 * 60 },
                decimals: 1)
            json.field("idling_co2_g", score.idlingCO2Grams, decimals: 1)
            json.object("criteria") { json in
                for criterion in RouteCriterion.ordered {
                    json.field(
                        named: criterion.rawValue, score.figures[criterion],
                        decimals: criterion.unit == .minutes ? 3 : 5)
                }
            }
            // Weighted minutes by which the criteria put it behind the best route.
            json.object("behind_best_min") { json in
                for part in score.differences(from: best, weights: prediction.weights) {
                    json.field(named: part.criterion.rawValue, part.minutes, decimals: 4)
                }
            }
            json.list("crossings", score.crossings.indices) { json, place in
                CrossingDocument(
                    score.crossings[place], score.route.mode, prediction,
                    prediction.explains ? explanations[place] : nil
                ).write(to: &json)
            }
            roads?.write(into: &json, showsDirections: showsDirections)
        }
    }
}
