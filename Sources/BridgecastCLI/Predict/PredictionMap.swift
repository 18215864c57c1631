// A prediction as GeoJSON (RFC 7946): a line for each ranked route.
import BridgecastCore
import BridgecastEngine
import BridgecastRoads

/// The GeoJSON of `predict`.
struct PredictionMap: Encodable {
    struct Properties: Encodable {
        let rank: Int
        let id: String
        let name: String
        let expectedMin: Double
        let p90Min: Double
        let probabilityStopped: Double
        let metres: Double
        /// Of water, drawbridges among them, in order.
        let crossings: [String]
        let attribution: String
    }

    struct Feature: Encodable {
        let type = "Feature"
        let geometry: PathFeature.Geometry
        let properties: Properties
    }

    let type = "FeatureCollection"
    let features: [Feature]

    init(_ prediction: Prediction) {
        features = prediction.groups.flatMap { group in
            group.ranking.enumerated().compactMap { rank, score in
                guard let ways = group.ways, let path = ways.path(of: score) else { return nil }
                let line = path.geoJSON(on: ways.network)
                return Feature(
                    geometry: line.geometry,
                    properties: Properties(
                        rank: rank + 1, id: score.route.id, name: score.route.name,
                        expectedMin: score.expectedMinutes, p90Min: score.p90Minutes,
                        probabilityStopped: score.probabilityStopped,
                        metres: line.properties.metres, crossings: line.properties.crossings,
                        attribution: line.properties.attribution))
            }
        }
    }
}
