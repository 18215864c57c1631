// Which turns cars may make, and what turns and signals cost.
@testable import BridgecastRoadImport
import BridgecastRoads
import Testing

@Suite struct TurnTests {
    private func cost(
        _ from: (String, String), _ to: (String, String), _ town: StreetTown, made: RoadImport
    ) throws -> UInt16? {
        let (start, end) = (
            try #require(town.arc(from.0, from.1, made)), try #require(town.arc(to.0, to.1, made))
        )
        return made.turnLinks.first { $0.from == start && $0.to == end }?.deciseconds
    }

    @Test func `U-turns happen only at dead ends`() throws {
        var town = StreetTown()
        town.grid()
        town.node("end", 300, 200)
        town.way("c2 end", ["name": "2"])
        let made = try town.imported()
        #expect(try cost(("a2", "b2"), ("b2", "a2"), town, made: made) == nil)
        #expect(try cost(("c2", "end"), ("end", "c2"), town, made: made) == 120)
        for link in made.turnLinks {
            #expect(made.map.arcs[link.from].head == made.map.arcs[link.to].tail)
        }
    }

    @Test func leftTurnsCostMoreThanRightOnesAndStraightOnCostsLeast() throws {
        var town = StreetTown()
        town.grid(["highway": "tertiary"])
        let made = try town.imported()
        let right = try #require(try cost(("a2", "b2"), ("b2", "b1"), town, made: made))
        let left = try #require(try cost(("a2", "b2"), ("b2", "b3"), town, made: made))
        let straight = try #require(try cost(("a2", "b2"), ("b2", "c2"), town, made: made))
        #expect(straight == 0 && straight < right && right < left)
    }

    @Test func `cars wait for a gap at an arterial`() throws {
        var town = StreetTown()
        town.grid()
        town.node("w", -100, 200)
        town.node("e", 300, 200)
        town.way("w a2", ["name": "2", "highway": "primary"])
        var major = StreetTown()
        major.node("n", 0, 100)
        major.node("s", 0, -100)
        major.node("x", 0, 0)
        major.node("w", -100, 0)
        major.node("e", 100, 0)
        major.way("n x s", ["name": "side"])
        major.way("w x e", ["name": "main", "highway": "primary"])
        major.way("n e", ["name": "ne"])
        major.way("s w", ["name": "sw"])
        let made = try major.imported()
        let across = try #require(try cost(("n", "x"), ("x", "s"), major, made: made))
        let along = try #require(try cost(("w", "x"), ("x", "e"), major, made: made))
        #expect(along == 0)
        #expect(across > 100)
    }

    @Test func forbiddenTurnsAreNotMade() throws {
        var town = StreetTown()
        town.grid()
        town.node("n", 100, 400)
        let north = town.way("b3 n", ["name": "n"])
        town.node("nw", 0, 400)
        town.way("n nw a3", ["name": "back"])
        let west = town.way("a3 nw", ["name": "w"])
        _ = west
        let free = try town.imported()
        #expect(try cost(("b2", "b3"), ("b3", "n"), town, made: free) != nil)
        // Ways of the grid are numbered after its nine nodes: c is the third.
        let b = 1_000 + 9 + 1
        town.restriction("no_straight_on", from: b, via: "b3", to: north)
        let barred = try town.imported()
        #expect(try cost(("b2", "b3"), ("b3", "n"), town, made: barred) == nil)
        #expect(try cost(("b2", "b3"), ("b3", "c3"), town, made: barred) != nil)
        #expect(try cost(("c3", "b3"), ("b3", "n"), town, made: barred) != nil)
    }

    @Test func signalsAndSignsTakeTime() throws {
        func seconds(_ tags: [String: String]) throws -> UInt16 {
            var town = StreetTown()
            for (name, east, north) in [
                ("w", -200.0, 0.0), ("e", 200.0, 0.0), ("n", 0.0, 200.0), ("s", 0.0, -200.0),
            ] { town.node(name, east, north) }
            town.node("x", 0, 0, tags: tags)
            town.way("w x e", ["name": "main", "highway": "secondary"])
            town.way("n x s", ["name": "side", "highway": "secondary"])
            town.way("n e s w n", ["name": "ring road"])
            let made = try town.imported()
            let arc = try #require(town.arc("w", "x", made))
            return made.map.arcs[arc].carDeciseconds
        }
        let free = try seconds([:])
        #expect(try seconds(["highway": "traffic_signals"]) - free == 156)
        #expect(try seconds(["highway": "stop", "stop": "all"]) - free == 80)
        #expect(try seconds(["traffic_calming": "hump"]) - free == 25)
        // 200 m at 25 mph less 2 %.
        #expect(free == 183)
    }

    @Test func `express lanes lead inbound in the morning and outbound later`() throws {
        var town = StreetTown()
        town.grid()
        town.node("n", 100, 1_500)
        let hours = "-1 @ (Mo-Fr 05:00-11:00); yes @ (Mo-Fr 11:15-23:00)"
        town.way(
            "b3 n",
            ["highway": "motorway", "oneway": "reversible", "oneway:conditional": hours])
        town.way("n a3", ["name": "back"])
        let made = try town.imported()
        let out = made.map.arcs[try #require(town.arc("b3", "n", made))]
        let back = made.map.arcs[try #require(town.arc("n", "b3", made))]
        #expect(out.paceGroup == .expressOutbound && back.paceGroup == .expressInbound)
        #expect(out.flags.isSuperset(of: [.reversible, .noStopping]))
        let (inbound, outbound) = (
            Int(PaceGroup.expressInbound.rawValue), Int(PaceGroup.expressOutbound.rawValue)
        )
        #expect(made.paces.rows[8 * 4][inbound] < 2)
        #expect(made.paces.rows[8 * 4][outbound] == PaceTable.closed)
        #expect(made.paces.rows[17 * 4][inbound] == PaceTable.closed)
        #expect(made.paces.rows[17 * 4][outbound] < 2)
        #expect(made.paces.rows[96 + 7 * 4][inbound] == PaceTable.closed)
        #expect(
            made.paces.rows.allSatisfy { row in
                (0..<8).allSatisfy { PaceTable.range.contains(row[$0]) }
            })
    }
}
