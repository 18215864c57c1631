// The roads of a ranked route, for JSON: its length, its line, and its directions.
import BridgecastCore
import BridgecastEngine
import BridgecastRoads

/// The roads of a route.
struct RouteRoads {
    /// A road as far as one follows it.
    struct Step: Encodable {
        let manoeuvre: Manoeuvre
        let name: String
        let metres, minutes: Double
        /// The crossing of water that it is.
        let crossing: String?
    }

    let metres: Double
    /// Google's encoding with six decimals.
    let geometry: String
    let directions: [Step]

    /// Nil for a route that was not found on roads.
    init?(_ score: RouteScore, in ways: TripRanking?) {
        guard let ways, let path = ways.path(of: score) else { return nil }
        let network = ways.network
        metres = Self.rounded(path.metres, to: 10)
        geometry = RoadPolyline.encode(path.line(on: network), precision: .six)
        directions = path.directions(on: network).map { step in
            Step(
                manoeuvre: step.manoeuvre, name: step.name,
                metres: Self.rounded(step.metres, to: 10),
                minutes: Self.rounded(step.minutes, to: 1_000),
                crossing: step.crossing.map { network.crossings[$0].name })
        }
    }

    private static func rounded(_ value: Double, to parts: Double) -> Double {
        (value * parts).rounded() / parts
    }
}
