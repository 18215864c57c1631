// Which lines are candidates: what is far away, broken or in parts is set aside or refused, and nothing else.
import BridgecastCore
@testable import BridgecastData
import Testing

@Suite struct CandidateSetAsideTests: RouteServiceSuite {
    @Test func aRouteMattersWhereItPasses() throws {
        // From Everett to Tacoma over Fremont Bridge; another one to Portland, far from here.
        let long = [(47.9790, -122.2021)] + Self.line + [(47.2529, -122.4443)]
        let candidates = try read(
            """
            {"code": "Ok", "routes": [
              {"geometry": "\(encoded(long))", "duration": 5400},
              {"geometry": "\(encoded([(45.5, -122.6), (45.6, -122.7)]))", "duration": 1200},
              {"geometry": "\(encoded(long, 6))", "duration": 5400}]}
            """)
        #expect(candidates.routes.map(\.crossings) == [[fremont], [fremont]])
        #expect(
            candidates.notes.contains {
                $0.hasPrefix("routes[1]: does not come near Seattle")
            })
        #expect(
            candidates.notes.allSatisfy { !$0.contains("routes[1]") || $0.hasSuffix("set aside") })
    }

    /// A leg or a part may lie far away, as long as the whole passes; in whatever precision.
    @Test(arguments: [6, 5]) func aLegMayBeFarAway(_ precision: Int) throws {
        let far = [(48.4, -122.33), (47.9790, -122.2021)]
        let near = [(47.9790, -122.2021)] + Self.line
        let candidates = try read(
            """
            {"trip": {"legs": [{"shape": "\(encoded(far, precision))", "summary": {"time": 2400}},
              {"shape": "\(encoded(near, precision))", "summary": {"time": 2400}}]},
             "alternates": [7, {"trip": {"legs": [{"shape": "\(encoded(near, precision))", "summary": {"time": 2500}}]}}]}
            """)
        #expect(candidates.routes.map(\.crossings) == [[fremont], [fremont]])
        #expect(candidates.notes.contains { $0.contains("precision 5") } == (precision == 5))
        #expect(candidates.notes.contains { $0.hasPrefix("alternates[0].trip.legs: are missing") })
        let parts = try read(
            "{\"type\": \"MultiLineString\", \"coordinates\": [\(coordinates(far)), \(coordinates(near))]}"
        )
        #expect(parts.routes[0].crossings == [fremont])
    }

    @Test func oneBadFeatureCostsItselfOnly() throws {
        let good = "{\"type\": \"LineString\", \"coordinates\": \(coordinates(Self.line))}"
        let candidates = try read(
            """
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "properties": {}, "geometry": null},
              {"type": "Feature", "properties": {"duration": -1}, "geometry": \(good)},
              {"type": "Feature", "properties": {"duration": 500}, "geometry": \(good)},
              {"type": "Feature", "properties": {}, "geometry": {"type": "GeometryCollection", "geometries": []}},
              7]}
            """)
        #expect(
            candidates.routes.count == 1
                && abs(minutes(candidates.routes[0]).reduce(0, +) - 500.0 / 60) < 1e-9
        )
        #expect(candidates.notes.count == 4)
        #expect(candidates.notes.contains { $0.contains("features[3]: is GeometryCollection") })
    }

    @Test func partsThatDoNotTouchAreNoRoute() throws {
        // North and south of the canal: joined, they would cross Fremont Bridge.
        let (north, south) = (Array(Self.line[0..<2]), Array(Self.line[2...]))
        let apart = try refusal(
            "{\"type\": \"MultiLineString\", \"coordinates\": [\(coordinates(north)), \(coordinates(south))]}"
        )
        #expect(apart.contains("coordinates[1]") && apart.contains("parts must touch"), "\(apart)")
        let touching = try read(
            "{\"type\": \"MultiLineString\", \"coordinates\": [\(coordinates(north)), \(coordinates(Array(Self.line[1...])))]}"
        )
        #expect(touching.routes[0].crossings == [fremont])
        // Steps and legs as well.
        let steps = try refusal(
            """
            {"code": "Ok", "routes": [{"duration": 600, "legs": [{"steps": [{"geometry": "\(encoded(north))"},
              {"geometry": "\(encoded(south))"}]}]}]}
            """)
        #expect(steps.contains("routes[0].legs[0].steps[1]"), "\(steps)")
        let legs = try refusal(
            """
            {"trip": {"legs": [{"shape": "\(encoded(north, 6))", "summary": {"time": 60}},
              {"shape": "\(encoded(south, 6))", "summary": {"time": 300}}]}}
            """)
        #expect(legs.contains("trip.legs[1]") && legs.contains("parts must touch"), "\(legs)")
    }

    @Test func tooManyLinesAreRefused() throws {
        let feature =
            "{\"type\": \"Feature\", \"properties\": {\"duration\": 500}, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[-122.30, 47.62], [-122.30, 47.63]]}}"
        func file(_ count: Int) -> String {
            let list = Array(repeating: feature, count: count).joined(separator: ",")
            return "{\"type\": \"FeatureCollection\", \"features\": [\(list)]}"
        }
        #expect(try read(file(10_000)).routes.count == 10_000)
        #expect(try refusal(file(10_001)).contains("more than 10000 routes"))
    }
}
