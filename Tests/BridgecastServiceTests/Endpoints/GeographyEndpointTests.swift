// The map behind pictures: valid GeoJSON, all of it in Seattle, less of it at coarser scales.
import BridgecastAnswers
import BridgecastCore
import BridgecastRoads
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastService

struct GeographyEndpointTests {
    private struct Feature {
        let layer: String
        let properties: [String: Any]
        let type: String
        let rings: [[GeoPoint]]
    }

    private func state() throws -> ServiceState {
        var parts = try ServiceFixture.parts()
        parts.geography = try Data(contentsOf: Fixtures.model("geography/seattle-water.geojson"))
        return ServiceState(parts, ServiceSettings())
    }

    private func features(_ query: String) async throws -> [Feature] {
        let answer = try await ServiceFixture.answer("/api/v1/geography", query, from: try state())
        #expect(answer.mediaType == .geoJSON)
        let json = try JSONSerialization.jsonObject(with: Data(ServiceFixture.bytes(answer)))
        let object = try #require(json as? [String: Any])
        #expect(object["type"] as? String == "FeatureCollection")
        #expect((object["attribution"] as? String)?.contains("OpenStreetMap") == true)
        return try #require(object["features"] as? [[String: Any]]).map { feature in
            let properties = try #require(feature["properties"] as? [String: Any])
            let geometry = try #require(feature["geometry"] as? [String: Any])
            let coordinates = try #require(geometry["coordinates"])
            var lines = coordinates as? [[[Double]]] ?? []
            if lines.isEmpty { lines = [try #require(coordinates as? [[Double]])] }
            return Feature(
                layer: try #require(properties["layer"] as? String), properties: properties,
                type: try #require(geometry["type"] as? String),
                rings: lines.map { $0.map { GeoPoint(latitude: $0[1], longitude: $0[0]) } })
        }
    }

    @Test(arguments: ["", "metres_per_pixel=2", "metres_per_pixel=26", "metres_per_pixel=900"])
    func `every ring is closed and every point in Seattle`(query: String) async throws {
        let features = try await features(query)
        for feature in features {
            #expect(feature.rings.allSatisfy { $0.allSatisfy(SeattleArea.contains) })
            switch feature.layer {
            case "water":
                #expect(feature.type == "Polygon")
                #expect(feature.rings.allSatisfy { $0.count >= 4 && $0.first == $0.last })
            default:
                #expect(feature.type == "LineString")
                #expect(feature.rings.allSatisfy { $0.count >= 2 })
            }
        }
        #expect(Set(features.map(\.layer)) == ["water", "road", "span"])
    }

    @Test func `every drawbridge has a span, within 300 metres of it`() async throws {
        let spans = try await features("metres_per_pixel=26").filter { $0.layer == "span" }
        for bridge in BridgeCatalogue.seattle {
            let own = spans.filter { $0.properties["bridge_id"] as? Int == bridge.id.rawValue }
            let middle = GeoPoint(latitude: bridge.latitude, longitude: bridge.longitude)
            #expect(!own.isEmpty, "\(bridge.name)")
            #expect(own.allSatisfy { $0.rings[0].allSatisfy { $0.metres(to: middle) < 300 } })
        }
    }

    @Test func `bridges stand over water and downtown on land`() async throws {
        let water = try await features("metres_per_pixel=26").filter { $0.layer == "water" }
        func isWater(_ latitude: Double, _ longitude: Double) -> Bool {
            water.contains { area in
                area.rings.reduce(false) { $0 != Self.holds($1, latitude, longitude) }
            }
        }
        // In the middle of Lake Union, Elliott Bay, the canal at Fremont and the Duwamish at South Park.
        #expect(isWater(47.6390, -122.3335) && isWater(47.6100, -122.3700))
        #expect(isWater(47.6476, -122.3497) && isWater(47.5292, -122.3142))
        // Downtown, Harbor Island, Magnolia.
        #expect(!isWater(47.6080, -122.3350) && !isWater(47.5800, -122.3510))
        #expect(!isWater(47.6500, -122.4000))
    }

    @Test func `coarser scales have fewer points`() async throws {
        func points(_ scale: Int) async throws -> Int {
            try await features("metres_per_pixel=\(scale)").reduce(0) { sum, feature in
                sum + feature.rings.reduce(0) { $0 + $1.count }
            }
        }
        let counts = [try await points(5), try await points(20), try await points(80)]
        #expect(counts[0] > counts[1] * 2 && counts[1] > counts[2] * 2)
    }

    @Test func `roads are drawn whole, one-way streets too`() {
        let network = Fixtures.seattle
        let strokes = network.strokes(of: [.primary])
        let drawn = Set(strokes.flatMap(\.line))
        let arcs = network.map.arcs.filter {
            $0.roadClass == .primary && $0.carDeciseconds > 0 && !$0.flags.contains(.link)
        }
        #expect(arcs.count > 100)
        for arc in arcs {
            #expect(drawn.contains(network.map.nodes[Int(arc.tail)].geoPoint))
            #expect(drawn.contains(network.map.nodes[Int(arc.head)].geoPoint))
        }
        // Far fewer lines than pieces: they are put together.
        #expect(strokes.count * 2 < arcs.count)
    }

    @Test func `lines move by no more than half a pixel`() throws {
        let data = try Data(contentsOf: Fixtures.model("geography/seattle-water.geojson"))
        let water = try #require(WaterMap(data))
        let shore = try #require(
            water.areas.flatMap(\.rings).max { $0.count < $1.count })
        let simple = LineSimplification.simplified(shore, metres: 10)
        #expect(simple.count * 2 < shore.count && simple.first == simple.last)
        for point in shore {
            let near = zip(simple, simple.dropFirst()).contains { a, b in
                Self.metres(point, a, b) < 10.1
            }
            #expect(near)
        }
    }

    /// Whether a ring goes round a point.
    private static func holds(_ ring: [GeoPoint], _ latitude: Double, _ longitude: Double) -> Bool {
        zip(ring, ring.dropFirst()).reduce(false) { isInside, side in
            let (a, b) = side
            guard (a.latitude > latitude) != (b.latitude > latitude) else { return isInside }
            let share = (latitude - a.latitude) / (b.latitude - a.latitude)
            return longitude < a.longitude + share * (b.longitude - a.longitude)
                ? !isInside : isInside
        }
    }

    /// Metres from a point to a line of two, on a plane around Seattle.
    private static func metres(_ point: GeoPoint, _ a: GeoPoint, _ b: GeoPoint) -> Double {
        let (north, east) = (111_195.0, 111_195.0 * 0.6742)
        let (x, y) = ((b.longitude - a.longitude) * east, (b.latitude - a.latitude) * north)
        let (u, v) = ((point.longitude - a.longitude) * east, (point.latitude - a.latitude) * north)
        let square = x * x + y * y
        let share = square > 0 ? min(1, max(0, (u * x + v * y) / square)) : 0
        return ((u - share * x) * (u - share * x) + (v - share * y) * (v - share * y)).squareRoot()
    }
}
