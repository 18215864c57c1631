// Ranked routes as JSON: in full, with the main figures of many candidates, or as GeoJSON.
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastRoads
package import BridgecastRouting
package import BridgecastSupport

/// The JSON of ranked routes, everything included.
package struct PredictionDocument: JSONObjectAnswer {
    private let prediction: Prediction
    private let groups: [Group]

    /// - Parameter showsDirections: Whether routes that were found on roads have their directions.
    /// - Throws: ``RankingError`` if travel times, comparisons or explanations cannot be computed.
    package init(_ prediction: Prediction, showsDirections: Bool = true) throws(RankingError) {
        self.prediction = prediction
        groups = try prediction.groups.map { group throws(RankingError) in
            try Group(group, prediction, showsDirections: showsDirections)
        }
    }

    package func writeFields(into json: inout JSONWriter) {
        prediction.context.envelope.write(into: &json)
        json.field("departure", prediction.context.departure)
        json.list("delay_bin_edges_min", DelayBins.edgesMinutes, decimals: 1)
        json.field("route_source", prediction.source)
        json.field("attribution", prediction.attribution)
        json.list("groups", groups)
    }

    private struct Group: JSONObjectAnswer {
        let ranked: RankedRoutes
        let routes: [RankedRouteDocument]
        /// Nil for more routes than are compared.
        let comparisons: [RouteComparison]?

        init(
            _ ranked: RankedRoutes, _ prediction: Prediction, showsDirections: Bool
        ) throws(RankingError) {
            self.ranked = ranked
            comparisons = ranked.count <= RouteComparison.maxRoutes ? try ranked.comparisons() : nil
            let travelTimes = try ranked.travelTimes()
            routes = try ranked.ranking.indices.map { index throws(RankingError) in
                RankedRouteDocument(
                    index: index, ranked: ranked, prediction: prediction,
                    travelTimes: travelTimes[index], showsDirections: showsDirections,
                    crossings: try ranked.ranking[index].crossings.map {
                        crossing throws(RankingError) in
                        try prediction.forecast(at: crossing, by: ranked.mode)
                    })
            }
        }

        func writeFields(into json: inout JSONWriter) {
            json.field("origin", ranked.origin)
            json.field("destination", ranked.destination)
            json.field("mode", ranked.mode.rawValue)
            json.list("routes", routes)
            guard let comparisons else { return }
            json.list("comparisons", objects: comparisons) { json, comparison in
                json.field("route", comparison.route)
                json.field("other", comparison.other)
                json.field("probability_faster", comparison.probabilityFaster, decimals: 5)
                json.field("probability_tie", comparison.probabilityTie, decimals: 5)
            }
        }
    }
}

private struct RankedRouteDocument: JSONObjectAnswer {
    /// In the ranking, from 0.
    let index: Int
    let ranked: RankedRoutes
    let prediction: Prediction
    let travelTimes: TravelTimeDistribution
    let showsDirections: Bool
    let crossings: [CrossingForecast]

    func writeFields(into json: inout JSONWriter) {
        let score = ranked.ranking[index]
        RouteEntry(
            rank: index + 1, route: score.route, figures: score.figures,
            departure: prediction.context.departure
        ).writeFields(into: &json)
        json.list(
            "travel_quantiles_s", travelTimes.quantilesMinutes.lazy.map { $0 * 60 }, decimals: 1)
        json.field("idling_co2_g", score.idlingCO2Grams, decimals: 1)
        json.object("criteria") { json in
            for criterion in RouteCriterion.ordered {
                json.field(
                    named: criterion.rawValue, score.figures[criterion],
                    decimals: criterion.unit == .minutes ? 3 : 5)
            }
        }
        // Weighted minutes by which each criterion makes it worse than the best route.
        json.object("excess_over_best_min") { json in
            for part in score.differences(from: ranked.ranking[0], weights: prediction.weights) {
                json.field(named: part.criterion.rawValue, part.minutes, decimals: 4)
            }
        }
        json.list("crossings", crossings)
        guard let network = ranked.network, let path = ranked[index].path else { return }
        write(path, on: network, into: &json)
    }

    /// Writes the way of a route that was found on roads.
    private func write(_ path: Path, on network: RoadNetwork, into json: inout JSONWriter) {
        json.field("metres", path.metres, decimals: 1)
        // Google's encoding with six decimals.
        json.field("geometry", RoadPolyline.encode(path.line(on: network), precision: .six))
        guard showsDirections else { return }
        json.list("directions", objects: path.directions(on: network)) { json, step in
            json.field("manoeuvre", step.manoeuvre.rawValue)
            json.field("name", step.name)
            json.field("metres", step.metres, decimals: 1)
            json.field("minutes", step.minutes, decimals: 3)
            if let crossing = step.crossing {
                json.field("crossing", network.crossings[crossing].name)
            }
        }
    }
}

/// The fields of a ranked route that all documents have.
private struct RouteEntry: JSONObjectAnswer {
    /// 1 is the best.
    let rank: Int
    let route: Route
    let figures: RouteFigures
    let departure: Timestamp

    func writeFields(into json: inout JSONWriter) {
        json.field("rank", rank)
        json.field("id", route.id)
        json.field("name", route.name)
        json.field("score", figures.score, decimals: 4)
        json.object("travel_s") { json in
            json.field("mean", figures.expectedMinutes * 60, decimals: 1)
            json.field("p50", figures.p50Minutes * 60, decimals: 1)
            json.field("p80", figures.p80Minutes * 60, decimals: 1)
            json.field("p90", figures.p90Minutes * 60, decimals: 1)
            json.field("p95", figures.p95Minutes * 60, decimals: 1)
        }
        json.field("expected_arrival", departure.adding(minutes: figures.expectedMinutes))
        json.field("probability_stopped", figures.probabilityStopped, decimals: 5)
        json.field("expected_delay_s", figures.expectedDelayMinutes * 60, decimals: 1)
        if let onTime = figures.probabilityOnTime {
            json.field("probability_on_time", onTime, decimals: 5)
        }
    }
}

/// The JSON of many ranked candidates: a ``PredictionDocument`` with the main figures alone.
package struct RankedCandidatesDocument: JSONObjectAnswer {
    private let ranked: RankedCandidates
    private let context: ForecastContext
    private let source: RouteSource

    package init(_ ranked: RankedCandidates, of source: RouteSource, in context: ForecastContext) {
        self.ranked = ranked
        self.source = source
        self.context = context
    }

    /// A generous estimate of the size of a document with a number of routes.
    package static func estimatedBytes(_ routes: Int) -> Int { 4_096 + routes * 420 }

    package func writeFields(into json: inout JSONWriter) {
        context.envelope.write(into: &json)
        json.field("departure", context.departure)
        json.field("route_source", source)
        json.null("attribution")
        json.list("groups", objects: ranked.groups) { json, group in
            let first = ranked.routes[group.order[0]]
            json.field("origin", first.origin)
            json.field("destination", first.destination)
            json.field("mode", first.mode.rawValue)
            json.list("routes", objects: group.order.enumerated()) { json, ranking in
                RouteEntry(
                    rank: ranking.offset + 1, route: ranked.routes[ranking.element],
                    figures: ranked.figures[ranking.element], departure: context.departure
                ).writeFields(into: &json)
            }
        }
    }
}

package struct PredictionMap: JSONObjectAnswer {
    private let prediction: Prediction

    /// The map of a prediction; routes that were not found on roads have no line and are left out.
    package init(_ prediction: Prediction) { self.prediction = prediction }

    package func writeFields(into json: inout JSONWriter) {
        json.field("type", "FeatureCollection")
        prediction.context.envelope.write(into: &json)
        json.field("departure", prediction.context.departure)
        json.field("route_source", prediction.source)
        json.field("attribution", prediction.attribution)
        json.list("features", objects: lines) { json, line in
            json.field("type", "Feature")
            json.object("geometry") { json in
                json.field("type", line.feature.geometry.type)
                json.list("coordinates", line.feature.geometry.coordinates) {
                    $0.value($1, decimals: 6)
                }
            }
            json.object("properties") { write(line, into: &$0) }
        }
    }

    private struct Line {
        let rank: Int
        let score: RouteScore
        let feature: PathFeature
    }

    private var lines: [Line] {
        prediction.groups.flatMap { group in
            group.enumerated().compactMap { rank, route in
                guard let network = group.network, let path = route.path else { return nil }
                return Line(
                    rank: rank + 1, score: route.routeScore, feature: path.geoJSON(on: network))
            }
        }
    }

    private func write(_ line: Line, into json: inout JSONWriter) {
        let properties = line.feature.properties
        json.field("rank", line.rank)
        json.field("id", line.score.route.id)
        json.field("name", line.score.route.name)
        json.field("expected_min", line.score.expectedMinutes, decimals: 3)
        json.field("p90_min", line.score.p90Minutes, decimals: 3)
        json.field("probability_stopped", line.score.probabilityStopped, decimals: 5)
        json.field("metres", properties.metres, decimals: 1)
        // Of water, drawbridges among them, in order.
        json.list("crossings", properties.crossings)
        json.field("attribution", properties.attribution)
    }
}
