// The water of the map, read from models/geography/seattle-water.geojson, which tools/import_water makes.
package import BridgecastCore
package import Foundation

/// Lakes, rivers and the Sound.
package struct WaterMap: Sendable {
    /// A piece of water.
    package struct Area: Sendable {
        /// What it is called; empty if it has no name.
        package let name: String
        /// Its shore, then those of its islands; closed.
        package let rings: [[GeoPoint]]
    }

    /// All pieces, the largest first.
    package let areas: [Area]
    /// Whose data it is made from.
    package let attribution: String

    private struct File: Decodable {
        struct Feature: Decodable {
            struct Properties: Decodable { let name: String }
            struct Geometry: Decodable { let coordinates: [[[Double]]] }
            let properties: Properties
            let geometry: Geometry
        }
        let attribution: String
        let features: [Feature]
    }

    /// Reads a file; nil if it is none, or has a ring that is not closed.
    package init?(_ data: Data) {
        guard let file = try? JSONDecoder().decode(File.self, from: data) else { return nil }
        attribution = file.attribution
        areas = file.features.map { feature in
            Area(
                name: feature.properties.name,
                rings: feature.geometry.coordinates.map { ring in
                    ring.compactMap { point in
                        point.count >= 2 ? GeoPoint(latitude: point[1], longitude: point[0]) : nil
                    }
                })
        }
        guard areas.allSatisfy({ $0.rings.allSatisfy { $0.count >= 4 && $0.first == $0.last } })
        else { return nil }
    }
}
