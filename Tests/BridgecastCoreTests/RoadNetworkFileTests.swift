// Files of road networks: a small one is read, and what is wrong with another is named with its place.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RoadNetworkFileTests {
    private let noon = Fixtures.moment("2026-02-18T12:00")

    private static let small = """
        {"name": "small", "classes": {"street": {"kmh": 30, "modes": ["car"]}},
         "nodes": {"a": [47.60, -122.33], "b": [47.61, -122.33]},
         "roads": [{"name": "Road", "class": "street", "nodes": ["a", "b"]}],
         "places": [{"name": "A", "node": "a"}, {"name": "B", "node": "b"}]}
        """

    @Test func aSmallNetworkIsRead() throws {
        let network = try RoadNetwork(json: Data(Self.small.utf8))
        let path = try #require(
            RouteSearch(network, mode: .car).paths(
                from: try network.anchor("A", for: .car), to: try network.anchor("B", for: .car),
                leaving: noon
            ) { _ in nil }.first)
        #expect(abs(path.metres - 1_112) < 2 && abs(path.minutes - path.metres / 500) < 1e-9)
        #expect(path.name(on: network) == "Road")
    }

    @Test(arguments: [
        ("\"kmh\": 30", "\"kmh\": 300", "km/h"), ("\"kmh\": 30, ", "", "km/h"),
        ("[\"car\"]", "[\"boat\"]", "car, bike and walk"),
        ("\"street\", \"nodes\"", "\"lane\", \"nodes\"", "not defined"),
        ("[\"a\", \"b\"]}", "[\"a\", \"c\"]}", "unknown node"),
        ("[\"a\", \"b\"]}", "[\"a\"]}", "at least two"),
        ("[47.61, -122.33]", "[47.61]", "latitude, longitude"),
        ("[47.61, -122.33]", "[147.61, -122.33]", "no place on earth"),
        ("[47.61, -122.33]", "[48.61, -122.33]", "m long"),
        ("\"b\"]}", "\"b\"], \"detour\": 0.5}", "detour"),
        ("\"b\"]}", "\"b\"], \"bridge\": \"Tower\"}", "no drawbridge"),
        ("\"b\"]}", "\"b\"], \"bridge\": \"Fremont\", \"crossing\": \"x\"}", "not both"),
        ("\"b\"]}", "\"b\"], \"oneWay\": true}", "no way by car"),
        ("\"node\": \"b\"", "\"node\": \"z\"", "unknown node"),
        ("\"modes\": [\"car\"]", "\"modes\": [\"car\"], \"weekday\": [1, 2]", "24 factors"),
        ("{\"name\"", "{\"nam\"", "not a road network"),
    ])
    func aBrokenNetworkIsRefusedWithThePlace(_ change: (String, String, String)) throws {
        let broken = Self.small.replacingOccurrences(of: change.0, with: change.1)
        #expect(broken != Self.small)
        #expect {
            try RoadNetwork(json: Data(broken.utf8))
        } throws: { "\($0)".contains(change.2) }
    }

    @Test func aRoadOnWhichWaitingPaysIsRefused() {
        // 20 km that take two hours at six and ten minutes at seven.
        let factors = (0..<24).map { $0 == 6 ? "0.05" : "1" }.joined(separator: ", ")
        let jam = Self.small.replacingOccurrences(
            of: "\"modes\"", with: "\"weekday\": [\(factors)], \"modes\""
        ).replacingOccurrences(of: "47.61,", with: "47.78,")
        #expect {
            try RoadNetwork(json: Data(jam.utf8))
        } throws: { "\($0)".contains("would arrive earlier") }
    }
}
