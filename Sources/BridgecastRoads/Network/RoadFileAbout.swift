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

        init(_ place: BridgecastRoads.Place) {
            (name, aliases, kind) = (place.name, place.aliases, place.kind.rawValue)
            (latitude, longitude) = (place.point.latitude, place.point.longitude)
        }

        var place: BridgecastRoads.Place {
            BridgecastRoads.Place(
                name: name, aliases: aliases,
                kind: BridgecastRoads.Place.Kind(rawValue: kind) ?? .landmark,
                point: GeoPoint(latitude: latitude, longitude: longitude))
        }
    }

    let name, attribution, source: String
    let crossings: [Crossing]
    let places: [Place]
    /// Places outside; none if nil.
    let outerPlaces: [Place]?
    /// What the hierarchies have on top of time; none if nil.
    let reluctance: Reluctance?

    package init(_ network: RoadNetwork) {
        (name, attribution, source) = (network.name, network.attribution, network.source)
        reluctance = network.reluctance == .none ? nil : network.reluctance
        crossings = network.crossings.map { crossing in
            Crossing(
                name: crossing.name,
                bridge: crossing.bridge.map { Int(BridgeCatalogue[$0].id.rawValue) },
                latitude: crossing.point.latitude, longitude: crossing.point.longitude)
        }
        places = network.places.map(Place.init)
        outerPlaces = network.outerPlaces.isEmpty ? nil : network.outerPlaces.map(Place.init)
    }
}
