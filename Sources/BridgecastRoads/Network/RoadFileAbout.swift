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

    package struct Reluctance: Codable {
        let localShare, enteringSeconds, bikeLocalShare, bikeArterialShare: Double
        /// Since version 3; before it no arc has room for bikes, and no arterial is busier than others.
        let bikeGreenwayShare, bikeTrackShare, bikeLaneShare, bikeSharrowShare,
            bikeBusyShare: Double?

        init(_ value: BridgecastRoads.Reluctance) {
            (localShare, enteringSeconds) = (value.localShare, value.enteringSeconds)
            (bikeLocalShare, bikeArterialShare) = (value.bike.local, value.bike.arterial)
            (bikeGreenwayShare, bikeTrackShare) = (value.bike.greenway, value.bike.track)
            (bikeLaneShare, bikeSharrowShare) = (value.bike.lane, value.bike.sharrows)
            bikeBusyShare = value.bike.busy
        }

        /// Whether all numbers of version 3 are there, or none.
        var isWhole: Bool {
            let known = [
                bikeGreenwayShare, bikeTrackShare, bikeLaneShare, bikeSharrowShare, bikeBusyShare,
            ].count { $0 != nil }
            return known == 0 || known == 5
        }

        var value: BridgecastRoads.Reluctance {
            BridgecastRoads.Reluctance(
                localShare: localShare, enteringSeconds: enteringSeconds,
                bike: BikeReluctance(
                    local: bikeLocalShare, greenway: bikeGreenwayShare ?? bikeLocalShare,
                    track: bikeTrackShare ?? bikeArterialShare,
                    lane: bikeLaneShare ?? bikeArterialShare,
                    sharrows: bikeSharrowShare ?? bikeArterialShare, arterial: bikeArterialShare,
                    busy: bikeBusyShare ?? bikeArterialShare))
        }
    }

    package init(_ network: RoadNetwork) {
        (name, attribution, source) = (network.name, network.attribution, network.source)
        reluctance = network.reluctance == .none ? nil : Reluctance(network.reluctance)
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
