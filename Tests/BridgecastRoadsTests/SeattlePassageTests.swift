// What our roads tell those who ask a route server: which crossings, where, and which way.
import BridgecastCore
@testable import BridgecastRoads
import BridgecastTestSupport
import Testing

@Suite struct SeattlePassageTests {
    private let evening = Fixtures.moment("2026-02-20T18:02")

    private func passages(
        _ from: String, _ to: String, _ mode: Route.Mode = .car
    ) throws -> [[DeckPassage]] {
        let roads = Fixtures.seattle
        return roads.passages(
            from: try roads.end(from, for: mode).anchor, to: try roads.end(to, for: mode).anchor,
            mode: mode, leaving: evening)
    }

    @Test func aTripOverTheCanalIsAskedByEveryBridgeThatCompetes() throws {
        let ways = try passages("Ballard", "Downtown")
        #expect(ways.allSatisfy { $0.count == 1 })
        let names = Set(ways.flatMap { $0 }.map(\.name))
        #expect(names.isSuperset(of: ["Ballard Bridge", "Fremont Bridge", "Aurora Bridge"]))
        #expect(names.isDisjoint(with: ["South Park Bridge", "West Seattle Bridge"]))
    }

    @Test func aDeckIsPassedAtItsMiddleTheWayOneGoes() throws {
        func fremont(_ from: String, _ to: String) throws -> DeckPassage? {
            try passages(from, to).flatMap { $0 }.first { $0.name == "Fremont Bridge" }
        }
        let bridge = BridgeCatalogue[Fixtures.bridge("Fremont")]
        let south = try #require(try fremont("Ballard", "Downtown"))
        let north = try #require(try fremont("Downtown", "Ballard"))
        #expect(south.point.metres(to: bridge.point) < 30)
        #expect(north.point.metres(to: bridge.point) < 30)
        #expect(abs(try #require(south.bearing) - 180) < 20)
        #expect(
            abs((try #require(north.bearing) + 180).truncatingRemainder(dividingBy: 360) - 180) < 20
        )
    }

    @Test func twoWatersAreCrossedByPairs() throws {
        let ways = try passages("West Seattle", "Ballard")
        #expect(
            !ways.isEmpty && ways.allSatisfy { $0.count == 2 }, "\(ways.map { $0.map(\.name) })")
        #expect(ways.contains { $0.map(\.name) == ["West Seattle Bridge", "Ballard Bridge"] })
    }

    @Test func whereNoWaterLiesBetweenNoCrossingIsAskedFor() throws {
        #expect(try passages("Ballard", "Fremont").isEmpty)
    }

    @Test func anEndBeyondOurRoadsIsTakenAsItIs() throws {
        let end = try Fixtures.seattle.end("47.98,-122.2", for: .car)
        #expect(
            end.point == GeoPoint(latitude: 47.98, longitude: -122.2) && end.name == "47.98,-122.2")
        #expect(
            try passages("47.98,-122.2", "Downtown").contains {
                $0.map(\.name) == ["I-5 Ship Canal Bridge"]
            })
        #expect(throws: PlaceError.self) { try Fixtures.seattle.end("37.8,-122.4", for: .car) }
        #expect(throws: PlaceError.self) { try Fixtures.seattle.end("91,-122.4", for: .car) }
    }
}
