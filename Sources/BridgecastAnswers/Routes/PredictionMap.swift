// A prediction as GeoJSON (RFC 7946): a line for each ranked route. Of the command and of the service.
private import BridgecastCore
private import BridgecastEngine
private import BridgecastRoads

/// The GeoJSON of ranked routes.
package struct PredictionMap: JSONAnswer {
    private let prediction: Prediction

    /// The map of a prediction; routes that were not found on roads have no line and are left out.
    package init(_ prediction: Prediction) { self.prediction = prediction }

    /// Writes it as a collection of features.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("type", "FeatureCollection")
            prediction.context.envelope.write(into: &json)
            json.field("departure", prediction.context.departure)
            json.field("route_source", prediction.source)
            json.field("attribution", prediction.attribution)
            json.list("features", lines) { json, line in
                json.object { json in
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
        }
    }

    private struct Line {
        let rank: Int
        let score: RouteScore
        let feature: PathFeature
    }

    private var lines: [Line] {
        prediction.groups.flatMap { group in
            group.ranking.enumerated().compactMap { rank, score in
                guard let ways = group.ways, let path = ways.path(of: score) else { return nil }
                return Line(
                    rank: rank + 1, score: score, feature: path.geoJSON(on: ways.network))
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
