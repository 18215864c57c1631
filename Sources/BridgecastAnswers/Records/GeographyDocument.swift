// The background map as GeoJSON, simplified to a scale, and places by name: `/geography` and `/places`.
package import BridgecastCore
package import BridgecastRoads
package import BridgecastSupport
package import Foundation

package struct GeographyDocument: Sendable, JSONObjectAnswer {
    /// The scales that there are, metres a pixel: few, so that all can be kept.
    package static let scales = [5.0, 20, 80]

    package let envelope: Envelope
    private let attribution: String
    private let metresPerPixel: Double
    private let water: [WaterMap.Area]
    private let roads: [RoadStroke]
    private let spans: [(bridge: BridgeIndex, line: [GeoPoint])]

    /// The coarsest scale at which a picture of `metresPerPixel` loses nothing; the finest there is below that.
    package static func scale(for metresPerPixel: Double) -> Double {
        scales.last { $0 <= metresPerPixel } ?? scales[0]
    }

    /// Draws the map: no line is moved by more than half a pixel, what is smaller than a pixel is left out.
    package init(
        metresPerPixel: Double, water: WaterMap?, network: RoadNetwork?, _ envelope: Envelope
    ) {
        self.envelope = envelope
        self.metresPerPixel = metresPerPixel
        let tolerance = metresPerPixel / 2
        // A fifth decimal is a metre: finer ones would be a fifth of the document and are not visible.
        let steps = metresPerPixel < 20 ? 1e6 : 1e5
        func simplified(_ line: [GeoPoint]) -> [GeoPoint] {
            LineSimplification.simplified(line, metres: tolerance).map {
                GeoPoint(
                    latitude: ($0.latitude * steps).rounded() / steps,
                    longitude: ($0.longitude * steps).rounded() / steps)
            }
        }
        self.water = (water?.areas ?? []).compactMap { area in
            let rings = area.rings.map(simplified)
            guard let shore = rings.first, Self.isShown(shore, metresPerPixel) else { return nil }
            return WaterMap.Area(
                name: area.name,
                rings: [shore] + rings.dropFirst().filter { Self.isShown($0, metresPerPixel) })
        }
        roads = (network?.strokes(of: Self.classes(metresPerPixel)) ?? []).filter {
            LineSimplification.extent($0.line) > metresPerPixel
        }.map { road in
            var road = road
            road.line = simplified(road.line)
            return road
        }
        spans = (network?.spanLines() ?? []).map { ($0.bridge, simplified($0.line)) }
        attribution = network?.attribution ?? water?.attribution ?? ""
    }

    private static func isShown(_ ring: [GeoPoint], _ metresPerPixel: Double) -> Bool {
        ring.count >= 4 && LineSimplification.extent(ring) > metresPerPixel
    }

    private static func classes(_ metresPerPixel: Double) -> Set<RoadClass> {
        switch metresPerPixel {
        case ..<20: [.motorway, .trunk, .primary, .secondary]
        case ..<80: [.motorway, .trunk, .primary]
        default: [.motorway, .trunk]
        }
    }

    /// Writes it as a FeatureCollection (RFC 7946); the envelope's fields are further members.
    package func writeFields(into json: inout JSONWriter) {
        json.field("type", "FeatureCollection")
        envelope.write(into: &json)
        json.field("attribution", attribution)
        json.field("metres_per_pixel", metresPerPixel, decimals: 1)
        json.list("features", features)
    }

    private var features: [MapFeature] {
        water.map(MapFeature.water) + roads.map(MapFeature.road)
            + spans.map { MapFeature.span($0.bridge, $0.line) }
    }
}

private enum MapFeature: JSONObjectAnswer {
    case water(WaterMap.Area)
    case road(RoadStroke)
    case span(BridgeIndex, [GeoPoint])

    func writeFields(into json: inout JSONWriter) {
        json.field("type", "Feature")
        json.object("properties", properties)
        json.object("geometry", geometry)
    }

    private func properties(_ json: inout JSONWriter) {
        switch self {
        case .water(let area):
            json.field("layer", "water")
            json.field("name", area.name)
        case .road(let road):
            json.field("layer", "road")
            json.field("name", road.name)
            json.field("class", "\(road.roadClass)")
        case .span(let bridge, _):
            json.field("layer", "span")
            json.fields(of: bridge)
        }
    }

    private func geometry(_ json: inout JSONWriter) {
        switch self {
        case .water(let area):
            json.field("type", "Polygon")
            json.list("coordinates", area.rings) { json, ring in
                json.value(listing: ring, Self.position)
            }
        case .road(let road):
            json.field("type", "LineString")
            json.list("coordinates", road.line, Self.position)
        case .span(_, let line):
            json.field("type", "LineString")
            json.list("coordinates", line, Self.position)
        }
    }

    private static func position(_ json: inout JSONWriter, _ point: GeoPoint) {
        json.value([point.longitude, point.latitude], decimals: 6)
    }
}

/// Lakes, rivers and the Sound.
package struct WaterMap: Sendable {
    package struct Area: Sendable {
        /// What it is called; empty if it has no name.
        package let name: String
        /// Its shore, then those of its islands; closed.
        package let rings: [[GeoPoint]]
    }

    package let areas: [Area]
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

/// Places and street corners, the likeliest first.
package struct PlacesDocument: Sendable, JSONObjectAnswer {
    package let envelope: Envelope
    package let places: [Completion]

    /// Completes a text, or lists named places without one.
    ///
    /// - Parameter limit: The maximum number.
    package init(_ text: String?, limit: Int, on network: RoadNetwork, _ envelope: Envelope) {
        self.envelope = envelope
        places =
            text.map { network.completions(of: $0, limit: limit) }
            ?? network.namedPlaces(limit: limit)
    }

    /// The street corners near a point, the nearest first.
    package init(near point: GeoPoint, limit: Int, on network: RoadNetwork, _ envelope: Envelope) {
        self.envelope = envelope
        places = network.corners(near: point, limit: limit)
    }

    package func writeFields(into json: inout JSONWriter) {
        envelope.write(into: &json)
        json.list("places", objects: places) { json, place in
            json.field("name", place.name)
            json.field("kind", Self.name(place.kind))
            json.field("latitude", place.point.latitude, decimals: 6)
            json.field("longitude", place.point.longitude, decimals: 6)
        }
    }

    private static func name(_ kind: Completion.Kind) -> String {
        switch kind {
        case .corner: "corner"
        case .place(let kind): "\(kind)"
        }
    }
}
