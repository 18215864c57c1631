// The roads of a ranked route, for JSON: its length, its line, and its directions.
package import BridgecastCore
package import BridgecastEngine
private import BridgecastRoads

/// The roads of a route.
package struct RouteRoads: Sendable {
    private let path: Path
    private let network: RoadNetwork

    /// Nil for a route that was not found on roads.
    package init?(_ score: RouteScore, in ways: TripRanking?) {
        guard let ways, let path = ways.path(of: score) else { return nil }
        (self.path, network) = (path, ways.network)
    }

    /// Writes fields into an object that is open.
    ///
    /// - Parameter showsDirections: Whether the roads follow, one by one.
    package func write(into json: inout JSONWriter, showsDirections: Bool) {
        json.field("metres", path.metres, decimals: 1)
        // Google's encoding with six decimals.
        json.field("geometry", RoadPolyline.encode(path.line(on: network), precision: .six))
        guard showsDirections else { return }
        json.list("directions", path.directions(on: network)) { json, step in
            json.object { json in
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
}
