// A prediction as JSON, of the command and of the service: names and units as route services expect them.
internal import BridgecastCore
package import BridgecastEngine

/// The JSON of ranked routes, everything included.
package struct PredictionDocument: JSONAnswer {
    private let prediction: Prediction
    private let groups: [Group]

    /// The document of a prediction.
    ///
    /// - Parameter showsDirections: Whether routes that were found on roads have their directions.
    /// - Throws: ``RankingError`` if something beside the ranking cannot be computed.
    package init(
        _ prediction: Prediction, showsDirections: Bool = true
    ) throws(RankingError) {
        self.prediction = prediction
        var groups: [Group] = []
        for group in prediction.groups {
            groups.append(try Group(group, prediction, showsDirections: showsDirections))
        }
        self.groups = groups
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            prediction.context.envelope.write(into: &json)
            json.field("departure", prediction.context.departure)
            json.list("delay_bin_edges_min", DelayBins.edgesMinutes, decimals: 1)
            json.field("route_source", prediction.source)
            json.field("attribution", prediction.attribution)
            json.list("groups", groups)
        }
    }

    /// Routes that compete.
    private struct Group: JSONAnswer {
        let group: RankedGroup
        let routes: [RankedRouteDocument]
        let comparisons: [RouteComparison]?

        init(
            _ group: RankedGroup, _ prediction: Prediction, showsDirections: Bool
        ) throws(RankingError) {
            self.group = group
            comparisons = try group.comparisons()
            var routes: [RankedRouteDocument] = []
            for (place, times) in try group.travelTimes().enumerated() {
                routes.append(
                    try RankedRouteDocument(
                        group, place, times, prediction, showsDirections: showsDirections))
            }
            self.routes = routes
        }

        func write(to json: inout JSONWriter) {
            json.object { json in
                json.field("origin", group.origin)
                json.field("destination", group.destination)
                json.field("mode", group.mode.rawValue)
                json.list("routes", routes)
                guard let comparisons else { return }
                json.list("comparisons", comparisons) { json, comparison in
                    json.object { json in
                        json.field("route", comparison.route)
                        json.field("other", comparison.other)
                        json.field(
                            "probability_faster", comparison.probabilityFaster, decimals: 5)
                        json.field("probability_tie", comparison.probabilityTie, decimals: 5)
                    }
                }
            }
        }
    }
}
