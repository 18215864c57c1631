// Water, main roads and spans as GeoJSON, simplified to a scale; the answer of `/geography`.
private import BridgecastCore
package import BridgecastRoads

/// The map behind pictures of the bridges.
package struct GeographyDocument: Sendable, JSONAnswer {
    /// The scales that there are, metres a pixel: few, so that all can be kept.
    package static let scales = [5.0, 20, 80]

    /// What the answer begins with.
    package let envelope: Envelope
    private let attribution: String
    private let metresPerPixel: Double
    private let water: [WaterMap.Area]
    private let roads: [RoadStroke]
    private let spans: [(bridge: BridgeIndex, line: [GeoPoint])]

    /// The coarsest scale at which a picture of so many metres a pixel loses nothing; the finest there is below that.
    package static func scale(for metresPerPixel: Double) -> Double {
        scales.last { $0 <= metresPerPixel } ?? scales[0]
    }

    /// Draws the map: no line is moved by more than half a pixel, what is smaller than a pixel is left out.
    package init(
        metresPerPixel: Double, water: WaterMap?, network: RoadNetwork?, _ envelope: Envelope
    ) {
        (self.envelope, self.metresPerPixel) = (envelope, metresPerPixel)
        let tolerance = metresPerPixel / 2
        // A fifth decimal is a metre: finer ones would be a fifth of the document, and nobody sees them.
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
        roads = (network?.strokes(of: Self.classes(metresPerPixel)) ?? [])
            .filter { LineSimplification.extent($0.line) > metresPerPixel }
            .map { road in
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

    /// Writes it as a FeatureCollection (RFC 7946); what every answer begins with stands in it as further members.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("type", "FeatureCollection")
            envelope.write(into: &json)
            json.field("attribution", attribution)
            json.field("metres_per_pixel", metresPerPixel, decimals: 1)
            json.list("features", features)
        }
    }

    private var features: [MapFeature] {
        water.map(MapFeature.water) + roads.map(MapFeature.road)
            + spans.map { MapFeature.span($0.bridge, $0.line) }
    }
}

/// A feature of the map.
private enum MapFeature: JSONAnswer {
    case water(WaterMap.Area)
    case road(RoadStroke)
    case span(BridgeIndex, [GeoPoint])

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("type", "Feature")
            json.object("properties", properties)
            json.object("geometry", geometry)
        }
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
            json.field("bridge", BridgeCatalogue[bridge].name)
            json.field("bridge_id", BridgeCatalogue[bridge].id.rawValue)
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
