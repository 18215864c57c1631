// `/skill`, `/verification` and `/geography`.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastLive
import BridgecastRoads
import BridgecastStore
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing
@testable import BridgecastService

struct SkillEndpointTests {
    private func skill(_ data: Data?) async throws -> [String: Any] {
        var parts = try ServiceFixture.parts()
        parts.skill = data
        let answer = try await ServiceFixture.answer(
            "/api/v1/skill", from: ServiceState(parts, ServiceSettings()))
        let json = try JSONSerialization.jsonObject(with: Data(ServiceFixture.bytes(answer)))
        return try #require(json as? [String: Any])
    }

    private var shipped: Data {
        get throws { try Data(contentsOf: Fixtures.model("bridgecast.skill.json")) }
    }

    @Test func `every figure is in its interval`() async throws {
        let answer = try await skill(try shipped)
        let evaluation = try #require(answer["evaluation"] as? [String: Any])
        let leads = try #require(evaluation["by_lead"] as? [[String: Any]])
        let bridges = try #require(evaluation["by_bridge"] as? [[String: Any]])
        #expect(leads.compactMap { $0["lead_min"] as? Int }.last == 60)
        #expect(bridges.count >= 6)
        let groups = leads + bridges + [try #require(evaluation["total"] as? [String: Any])]
        let events = try groups.flatMap { group in
            try ["raised", "stopped"].map { try #require(group[$0] as? [String: Any], "\($0)") }
        }
        for group in events {
            for name in ["log_loss_skill", "brier_skill", "calibration_error", "auc"] {
                let estimate = try #require(group[name] as? [String: Double], "\(name)")
                let low = try #require(estimate["low"])
                let high = try #require(estimate["high"])
                #expect(low <= high)
                // Errors of calibration can only grow when days are drawn again.
                if name != "calibration_error" {
                    #expect((low...high).contains(try #require(estimate["value"])))
                }
            }
        }
        let bands = try #require(evaluation["reliability"] as? [[String: Any]])
        #expect(bands.map { $0["from"] as? Double } == [0, 0.01, 0.05, 0.2, 0.5])
        let cases = bands.compactMap { $0["cases"] as? Int }.reduce(0, +)
        #expect(cases == (evaluation["total"] as? [String: Any])?["cases"] as? Int)
    }

    @Test func `the shipped evaluation is of the shipped model's recipe on days it had not seen`()
        async throws
    {
        let answer = try await skill(try shipped)
        let evaluation = try #require(answer["evaluation"] as? [String: Any])
        #expect(evaluation["in_sample"] as? Bool == false)
        #expect(!SkillDocument.isReadable(Data("# Bridgecast".utf8)))
        let warnings = try #require(answer["warnings"] as? [String])
        #expect(warnings.allSatisfy { !$0.contains("another model") })
        #expect(warnings.contains { $0.contains("as fitted to records before 2026-02-15") })
    }

    @Test func `the evaluation of another model is shown with a warning`() async throws {
        let text = String(decoding: try shipped, as: UTF8.self).replacingOccurrences(
            of: #""seed": "1""#, with: #""seed": "2""#)
        let warnings = try #require(try await skill(Data(text.utf8))["warnings"] as? [String])
        #expect(warnings.contains { $0.contains("another model") })
    }

    @Test func `evaluations with and without reliability by bridge are served as described`()
        async throws
    {
        let description = try ServiceDescription()
        for hasReliability in [false, true] {
            var file = try #require(
                try JSONSerialization.jsonObject(with: try shipped) as? [String: Any])
            var bands = try #require(file["reliability"] as? [[String: Any]])
            // A quiet bridge is never said to be up more often than not.
            bands[4].merge([
                "cases": 0, "forecast_probability": NSNull(), "observed_frequency": NSNull(),
            ]) { $1 }
            let bridges = try #require(file["by_bridge"] as? [[String: Any]])
            file["by_bridge"] = bridges.map { bridge in
                var bridge = bridge
                bridge["reliability"] = hasReliability ? bands : nil
                return bridge
            }
            let answer = try await skill(try JSONSerialization.data(withJSONObject: file))
            let evaluation = try #require(answer["evaluation"] as? [String: Any])
            let served = try #require(evaluation["by_bridge"] as? [[String: Any]])
            #expect(served.allSatisfy { ($0["reliability"] != nil) == hasReliability })
            let problems = description.validator.problems(
                try JSONValue.read(JSONSerialization.data(withJSONObject: answer)),
                try #require(description.schema("Skill")))
            #expect(problems.isEmpty, "\(problems)")
        }
    }

    @Test func `without an evaluation it is not found, and so is a broken one`() async throws {
        for data in [nil, Data("{\"evaluated_model\":".utf8)] {
            let problem = await #expect(throws: Problem.self) { try await skill(data) }
            #expect(problem?.status == .notFound)
        }
    }
}

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

    @Test func `bridges are over water and downtown on land`() async throws {
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
        let north = 111_195.0
        let east = 111_195.0 * 0.6742
        let x = (b.longitude - a.longitude) * east
        let y = (b.latitude - a.latitude) * north
        let u = (point.longitude - a.longitude) * east
        let v = (point.latitude - a.latitude) * north
        let square = x * x + y * y
        let share = square > 0 ? min(1, max(0, (u * x + v * y) / square)) : 0
        return ((u - share * x) * (u - share * x) + (v - share * y) * (v - share * y)).squareRoot()
    }
}

@Suite struct VerificationEndpointTests {
    private let path = "/api/v1/verification"

    @Test func whatWasArchivedIsScoredByWhatHappened() async throws {
        var parts = try ServiceFixture.parts()
        parts.live.archiver = try await ServiceFixture.archiver()
        let state = ServiceState(parts, ServiceSettings())
        let answer = try await ServiceFixture.answer(path, from: state).object()
        let windows = try #require(answer["windows"] as? [[String: Any]])
        #expect(windows.compactMap { $0["days"] as? Int } == [7, 30, 365])
        let total = try #require(windows.first?["total"] as? [String: Any])
        // Seven bridges at eight leads; one has no records.
        #expect(total["cases"] as? Int == 48 && total["uncovered"] as? Int == 8)
        let models = try #require(windows.first?["by_model"] as? [[String: Any]])
        #expect(models.compactMap { $0["sha256"] as? String } == ["ab12"])
        let drift = try #require(answer["drift"] as? [String: Any])
        #expect(drift["outcome"] as? String == "untested")
    }

    @Test func anArchiveThatCannotBeOpenedIsNamedAsTheReason() async throws {
        var parts = try ServiceFixture.parts()
        let archiver = ForecastArchiver(
            ForecastArchiver.Parts(
                clock: parts.live.clock, log: parts.live.log, outcomes: { .none }
            ) { () throws(ForecastArchiveError) in
                try ForecastArchive(URL(fileURLWithPath: "/dev/null"), writing: .live)
            })
        archiver.finish()
        await archiver.run()
        parts.live.archiver = archiver
        let state = ServiceState(parts, ServiceSettings())
        let problem = await #expect(throws: Problem.self) {
            try await ServiceFixture.answer(path, from: state)
        }
        #expect(problem?.code == .notReady)
        #expect(problem?.detail == "forecasts cannot be archived")
    }

    @Test func aServiceWithoutAnArchiveHasNoVerification() async throws {
        let state = ServiceState(try ServiceFixture.parts(), ServiceSettings())
        let problem = await #expect(throws: Problem.self) {
            try await ServiceFixture.answer(path, from: state)
        }
        #expect(problem?.code == .notFound)
    }
}
