// Points next to roads: on which roads, sides and levels a trip begins there.
import BridgecastCore
import Testing

@testable import BridgecastRoads

@Suite struct SnappingTests {
    private let town: RoadNetwork = {
        var town = TownBuilder()
        town.road("Wide Ave", [(0, 0), (0, 1_000)], .primary, lanes: 2)
        town.road("Narrow St", [(0, 0), (1_000, 0)])
        town.road("One Way", [(0, 1_000), (1_000, 1_000)], .secondary, lanes: 3, isOneWay: true)
        town.road("Ground St", [(2_000, 0), (2_000, 1_000)])
        town.road("Viaduct", [(2_010, 0), (2_010, 1_000)], .primary, layer: 1, flags: .bridge)
        town.road(
            "Freeway", [(3_000, 0), (3_000, 1_000)], .motorway, flags: .noStopping, isOneWay: true)
        town.road("Under Ave", [(3_100, 0), (3_100, 1_000)], layer: -1, flags: .tunnel)
        town.road("Side St", [(3_250, 0), (3_250, 1_000)])
        town.road("Trail", [(4_000, 0), (4_000, 1_000)], .trail, modes: [.bike, .walk])
        town.road("Yard", [(4_100, 0), (4_100, 1_000)], modes: [.car])
        town.road("Bent Rd", [(5_000, 0), (5_100, 0)], via: [(5_000, 300), (5_100, 300)])
        town.bridge(
            "Fremont Bridge", street: "Fremont Ave N", drawbridge: "Fremont",
            [(0, -1_000), (0, -1_200)])
        town.bridge("Old Bridge", street: "Old Rd", [(100, -1_000), (100, -1_200)])
        town.road("Shore St", [(0, -1_000), (100, -1_000), (1_000, -1_000)])
        town.places = [
            Place(name: "Big Park", kind: .park, point: TownBuilder.point(60, 600)),
            Place(name: "Far Hill", kind: .park, point: TownBuilder.point(6_500, 0)),
        ]
        return town.network(closed: ["Yard"])
    }()

    private func anchor(
        _ east: Double, _ north: Double, _ mode: Route.Mode = .car
    ) throws -> Anchor {
        try town.anchor(TownBuilder.point(east, north), for: mode)
    }

    @Test func wideRoadsAreEnteredOnTheRightHandSide() throws {
        // East of a road that leads north one drives north, west of it south.
        for (east, isNorthward) in [(20.0, true), (-20, false)] {
            let anchor = try anchor(east, 250)
            #expect(anchor.spots.count == 1)
            let spot = try #require(anchor.spots.first)
            let arc = town.map.arcs[spot.arc]
            let isUp =
                town.map.nodes[Int(arc.tail)].latitudeE7 < town.map.nodes[Int(arc.head)].latitudeE7
            #expect(isUp == isNorthward)
            #expect(abs(spot.share - (isNorthward ? 0.25 : 0.75)) < 0.002)
            #expect(anchor.point.metres(to: TownBuilder.point(0, 250)) < 1)
        }
        // In its middle, on foot and at places the side does not matter.
        #expect(try anchor(3, 250).spots.count == 2)
        #expect(try anchor(20, 250, .walk).spots.count == 2)
        #expect(try town.anchor("Big Park", for: .car).spots.count == 2)
    }

    @Test func `other roads are entered in all directions`() throws {
        let narrow = try anchor(300, 20)
        #expect(narrow.spots.count == 2)
        #expect(abs(narrow.spots.reduce(0) { $0 + $1.share } - 1) < 1e-9)
        for north in [980.0, 1_020] {
            let oneWay = try anchor(300, north)
            #expect(oneWay.spots.count == 1)
            #expect(abs((oneWay.spots.first?.share ?? 0) - 0.3) < 0.002)
        }
    }

    @Test func theGroundComesBeforeViaductsAndTunnelsNeverDo() throws {
        #expect(try town.roads(of: anchor(2_008, 500)) == ["Ground St", "Ground St"])
        #expect(try Set(town.roads(of: anchor(2_035, 500))) == ["Ground St"])
        #expect(try Set(town.roads(of: anchor(3_110, 500))) == ["Side St"])
        #expect(try Set(town.roads(of: anchor(3_001, 500))) == ["Side St"])
        // Nothing else is near.
        var lonely = TownBuilder()
        lonely.road("Viaduct", [(0, 0), (0, 500)], layer: 2, flags: .bridge)
        let point = TownBuilder.point(10, 100)
        #expect(try lonely.network().anchor(point, for: .car).spots.count == 2)
    }

    @Test func `coordinates do not snap to roads closed to the mode`() throws {
        #expect(try Set(town.roads(of: anchor(4_010, 500, .bike))) == ["Trail"])
        #expect(try Set(town.roads(of: anchor(4_090, 500, .walk))) == ["Trail"])
        // The yard has no way out by car.
        #expect(throws: PlaceError.self) { try anchor(4_090, 500, .car) }
    }

    @Test func bendsCount() throws {
        let anchor = try anchor(5_105, 200)
        let shares = anchor.spots.map(\.share).sorted()
        #expect(abs(shares[0] - 200.0 / 700) < 0.003 && abs(shares[1] - 500.0 / 700) < 0.003)
    }

    @Test func `trips do not begin on a drawbridge or far from roads`() throws {
        #expect {
            try anchor(5, -1_100)
        } throws: { error in
            guard case .onBridge(_, "Fremont Bridge")? = error as? PlaceError else { return false }
            return true
        }
        // A bridge that never opens is no place either, and is left to the side of the nearer road.
        #expect(try Set(town.roads(of: anchor(100, -1_050))) == ["Shore St"])
        #expect {
            try anchor(-500, 500)
        } throws: { error in
            guard case .outOfArea(_, let metres)? = error as? PlaceError else { return false }
            return abs(metres - 707) < 3
        }
        // Places are larger than points.
        #expect(try Set(town.roads(of: town.anchor("Far Hill", for: .car))) == ["Bent Rd"])
    }

    @Test func `a place is on all roads about as near`() throws {
        var town = TownBuilder()
        town.road("Split Ave", [(0, 0), (0, 1_000)], .primary, isOneWay: true)
        town.road("Split Ave", [(-20, 1_000), (-20, 0)], .primary, isOneWay: true)
        town.road("Cross St", [(-500, 1_000), (-20, 1_000), (0, 1_000), (500, 1_000)])
        town.road("Far St", [(85, 0), (85, 990)])
        town.road("Path", [(10, 0), (10, 990)], .trail, modes: [.bike, .walk])
        town.places = [
            Place(name: "Library", kind: .landmark, point: TownBuilder.point(20, 970)),
            Place(name: "Meadow", kind: .park, point: TownBuilder.point(-92, 500)),
        ]
        let network = town.network()
        let library = try network.anchor("Library", for: .car)
        // Both carriageways and the cross street, but not what is 65 m away.
        #expect(Set(network.roads(of: library)) == ["Split Ave", "Cross St"])
        #expect(network.roads(of: library).count { $0 == "Split Ave" } == 2)
        #expect(library.point.metres(to: TownBuilder.point(0, 970)) < 1)
        #expect(try network.roads(of: network.anchor("Library", for: .bike)).contains("Path"))
        // Nothing beyond 100 m, and coordinates keep to the nearest.
        #expect(try network.anchor("Meadow", for: .car).spots.count == 2)
        #expect(try network.anchor(TownBuilder.point(20, 970), for: .car).spots.count == 1)
    }

    @Test func aPlaceAmongManyRoadsKeepsTheNearest() throws {
        var town = TownBuilder()
        for east in 0..<12 {
            let east = Double(east) * 3
            town.road("Row \(Int(east))", [(east, 0), (east, 500)])
        }
        town.places = [Place(name: "Maze", kind: .landmark, point: TownBuilder.point(-5, 250))]
        let network = town.network()
        let maze = try network.anchor("Maze", for: .walk)
        #expect(maze.spots.count == 12)
        #expect(Set(network.roads(of: maze)) == Set([0, 3, 6, 9, 12, 15].map { "Row \($0)" }))
    }

    @Test func `roads without stopping are named`() {
        var town = TownBuilder()
        town.road("West St", [(0, -500), (0, 0)], modes: [.car])
        town.bridge("Long Bridge", street: "I-90", [(0, 0), (0, 3_000)])
        town.road("I-90", [(0, 3_000), (0, 6_000)], .motorway, flags: .noStopping)
        let network = town.network()
        func said(_ east: Double, _ north: Double, _ mode: Route.Mode = .car) -> String {
            do throws(PlaceError) {
                return "\(try network.anchor(TownBuilder.point(east, north), for: mode).name)"
            } catch { return "\(error)" }
        }
        #expect(said(60, 1_500).contains("is on the Long Bridge"))
        #expect(said(10, 100).contains("is on the Long Bridge"))
        #expect(said(-30, 5_000).contains("is on I-90, where trips cannot start"))
        #expect(said(-30, 6_000).contains("I-90"))
        #expect(said(500, 3_000).contains("3041 m from the nearest road"))
        #expect(said(2, -400, .walk).contains("no road of the network"))
    }

    @Test(arguments: [
        ("-122.3,47.6", "longitude first"), ("45.52,-122.68", "km from the nearest road"),
        ("0,0", "km from the nearest road"), ("91,-122", "latitude 91 is not"),
        ("1e300,5", "is not from -90 to 90"),
    ])
    func coordinatesOfElsewhereAreNamed(_ example: (String, String)) {
        #expect {
            try town.anchor(example.0, for: .car)
        } throws: { "\($0)".contains(example.1) }
    }

    @Test func theGridFindsWhatLookingAtEveryRoadFinds() {
        var random = SystemRandomNumberGenerator()
        let grid = RoadGrid(town.map)
        for _ in 0..<500 {
            let point = TownBuilder.point(
                .random(in: -900...6_900, using: &random),
                .random(in: -1_900...1_900, using: &random))
            let found = grid.nearest(to: point, on: town.map, within: 400) { _ in 0 }
            var all = Double.infinity
            for arc in town.map.arcs.indices { all = min(all, metres(from: point, to: arc)) }
            guard let found else {
                #expect(all > 399)
                continue
            }
            #expect(abs(found.metres - all) < max(3, all * 0.01))
            #expect(abs(found.point.metres(to: point) - found.metres) < 1 + found.metres * 0.005)
        }
    }

    /// How far an arc is, by points along it.
    private func metres(from point: GeoPoint, to arc: Int) -> Double {
        var least = Double.infinity
        let line = town.map.line(arc)
        for (start, end) in zip(line, line.dropFirst()) {
            for step in 0...200 {
                let share = Double(step) / 200
                let north = start.latitude + share * (end.latitude - start.latitude)
                let east = start.longitude + share * (end.longitude - start.longitude)
                least = min(least, point.metres(to: GeoPoint(latitude: north, longitude: east)))
            }
        }
        return least
    }
}
