// Bridges of a small town on the Ship Canal: what is a crossing, what it is called, and what is refused.
import BridgecastCore
@testable import BridgecastRoadImport
import BridgecastRoads
import Testing

@Suite struct CrossingTests {
    /// Fremont with its drawbridge: two streets on each shore, and a bridge of two leaves between ramps.
    private func fremont(
        _ deck: [String: String] = ["bridge": "yes", "bridge:movable": "bascule"]
    ) -> StreetTown {
        let bridge = BridgeCatalogue[.fremont]
        var town = StreetTown(middle: bridge.point)
        for (name, north) in [
            ("s", -400.0), ("sr", -100), ("sl", -40), ("m", 3), ("nl", 40), ("nr", 100), ("n", 400),
        ] { town.node(name, 2, north) }
        for (name, east, north) in [
            ("sw", -200.0, -400.0), ("se", 200, -400), ("nw", -200, 400), ("ne", 200, 400),
        ] { town.node(name, east, north) }
        town.way("s sw se s", ["name": "south"])
        town.way("n nw ne n", ["name": "north"])
        town.way("s sr", ["name": "4th Avenue North"])
        town.way("sr sl", ["name": "4th Avenue North", "bridge": "yes"])
        town.way("sl m", deck.merging(["name": "4th Avenue North"]) { $1 })
        town.way("m nl", deck.merging(["name": "Fremont Avenue North"]) { $1 })
        town.way("nl nr", ["name": "Fremont Avenue North", "bridge": "yes"])
        town.way("nr n", ["name": "Fremont Avenue North"])
        return town
    }

    @Test func theLeavesOfADrawbridgeAreOneArcInEachDirection() throws {
        let town = fremont()
        let made = try town.imported(withoutBridges: false)
        #expect(made.crossings.map(\.name) == ["Fremont Bridge"])
        #expect(made.crossings.first?.bridge == .fremont)
        let crossing = made.map.arcs.indices.filter {
            made.map.arcs[$0].crossing != RoadArc.noCrossing
        }
        #expect(crossing.count == 2)
        for arc in crossing {
            #expect(abs(made.map.arcs[arc].metres - 80) < 0.5)
            #expect(made.map.arcs[arc].flags.isSuperset(of: [.bridge, .noStopping]))
            #expect(made.map.arcs[Int(made.map.arcs[arc].twin)].crossing == 0)
        }
        #expect(town.arc("sl", "nl", made) != nil)
        let ramp = try #require(town.arc("sr", "sl", made))
        #expect(made.map.arcs[ramp].flags.contains(.noStopping))
    }

    @Test func aDeckWithoutLeavesIsCutAroundTheMiddleOfTheWater() throws {
        let town = fremont(["bridge": "yes"])
        let made = try town.imported(withoutBridges: false)
        let crossing = made.map.arcs.filter { $0.crossing != RoadArc.noCrossing }
        #expect(made.crossings.first?.bridge == .fremont)
        #expect(crossing.count == 2)
        #expect(crossing.allSatisfy { (20...121).contains($0.metres) })
    }

    @Test func `other bridges have their local names`() throws {
        var town = fremont()
        town.node("aurora", 500, 400)
        town.node("aurora s", 500, -500)
        let east = StreetTown()
        _ = east
        town.node("as", 190, -400)
        town.node("an", 190, 400)
        town.way("se as", ["name": "south"])
        town.way("ne an", ["name": "north"])
        town.way(
            "as an",
            ["name": "Aurora Avenue North", "bridge": "yes", "bridge:name": "Aurora Bridge"])
        let made = try town.imported(withoutBridges: false)
        #expect(made.crossings.map(\.name) == ["Fremont Bridge", "Aurora Bridge"])
        #expect(made.crossings.map(\.bridge) == [.fremont, nil])
        #expect(made.map.arcs.count { $0.crossing == 1 } == 2)
    }

    @Test func aRoadThroughTheWaterIsRefusedByItsWay() throws {
        var town = fremont()
        town.node("x", 100, 400)
        town.node("y", 100, -400)
        let way = town.way("x y", ["name": "wet street"])
        let error = #expect(throws: RoadImportError.self) { try town.imported() }
        #expect(
            error == .bridgeless(way: Int64(way), name: "wet street", water: "the Ship Canal"))
    }

    @Test func aWayAroundTheWaterIsRefused() throws {
        var town = fremont()
        // Out to the sound, west of where the canal's line begins.
        town.node("w1", GeoPoint(latitude: 47.655, longitude: -122.43))
        town.node("w2", GeoPoint(latitude: 47.680, longitude: -122.43))
        town.node("w3", GeoPoint(latitude: 47.680, longitude: -122.352))
        town.way("sw w1 w2 w3 nw", ["name": "beach"])
        let error = #expect(throws: RoadImportError.self) { try town.imported() }
        guard case .leak(let crossing, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(crossing == "Fremont Bridge")
    }

    @Test func `missing drawbridges are reported`() throws {
        var elsewhere = StreetTown()
        elsewhere.grid()
        #expect(throws: RoadImportError.elsewhere(file: "town.json")) {
            try elsewhere.imported(withoutBridges: false)
        }
        // An extract that reaches from Fremont to Ballard, and has no road there.
        var town = fremont()
        town.node("ballard", GeoPoint(latitude: 47.67, longitude: -122.38))
        let point = BridgeCatalogue[.ballard].point
        #expect(
            throws: RoadImportError.drawbridgeMissing(
                file: "town.json", bridge: .ballard, point: point)
        ) { try town.imported(withoutBridges: false) }
        #expect(try town.imported().crossings.count == 1)
        // Where it is given, to a metre.
        let text = RoadImportError.drawbridgeMissing(file: "x", bridge: .ballard, point: point)
            .description
        #expect(text.contains("near 47.65") && text.wholeMatch(of: /.*\.\d{6}.*/) == nil)
    }

    @Test func `a drawbridge must have both directions`() throws {
        let town = fremont(["bridge": "yes", "bridge:movable": "bascule", "oneway": "yes"])
        // One-way leaves alone would cut the town in two; a fixed bridge next to them leads back.
        var both = town
        both.node("bs", 190, -400)
        both.node("bn", 190, 400)
        both.way("se bs", ["name": "south"])
        both.way("ne bn", ["name": "north"])
        both.way("bs bn", ["name": "Back", "bridge": "yes"])
        let error = #expect(throws: RoadImportError.self) {
            try both.imported(withoutBridges: false)
        }
        guard case .oneWayDrawbridge(.fremont, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a waterway is crossed once`() {
        let water = CentreLine("it", nil, [(47, -122.2), (47, -122.1), (47.1, -122)])
        func share(_ a: (Double, Double), _ b: (Double, Double)) -> Double? {
            water.share(
                from: GeoPoint(latitude: a.0, longitude: a.1),
                to: GeoPoint(latitude: b.0, longitude: b.1))
        }
        #expect(share((46.9, -122.15), (47.1, -122.15)).map { abs($0 - 0.5) < 1e-9 } == true)
        #expect(share((46.9, -122.3), (47.1, -122.3)) == nil)
        // A point of the road exactly on the line.
        let halves = [share((46.9, -122.15), (47, -122.15)), share((47, -122.15), (47.1, -122.15))]
        #expect(halves.compactMap { $0 }.count == 1)
        // There and back.
        #expect(share((47.05, -122.12), (46.99, -122.199)) != nil)
        #expect(share((46.9, -122.15), (46.95, -122.12)) == nil)
    }
}
