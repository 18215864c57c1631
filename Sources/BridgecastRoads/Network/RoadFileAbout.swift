// The part of a network file that is text: whose data it is, crossings and places.
import BridgecastCore

/// What a network file says about itself, as JSON.
package struct RoadFileAbout: Codable {
    package struct Crossing: Codable {
        let name: String
        /// The city's id of the drawbridge.
        let bridge: Int?
        let latitude, longitude: Double
    }

    package struct Place: Codable {
        let name: String
        let aliases: [String]
        let kind: UInt8
        let latitude, longitude: Double
    }

    let name, attribution, source: String
    let crossings: [Crossing]
    let places: [Place]

    package init(_ network: RoadNetwork) {
        (name, attribution, source) = (network.name, network.attribution, network.source)
        crossings = network.crossings.map { crossing in
            Crossing(
                name: crossing.name,
                bridge: crossing.bridge.map { Int(BridgeCatalogue[$0].id.rawValue) },
                latitude: crossing.point.latitude, longitude: crossing.point.longitude)
        }
        places = network.places.map { place in
            Place(
                name: place.name, aliases: place.aliases, kind: place.kind.rawValue,
                latitude: place.point.latitude, longitude: place.point.longitude)
        }
    }
}
