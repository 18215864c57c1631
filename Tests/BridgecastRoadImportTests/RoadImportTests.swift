// Streets become junctions and arcs: where they are cut, who may go where, and what is left out.
import BridgecastCore
@testable import BridgecastRoadImport
import BridgecastRoads
import Testing

@Suite struct RoadImportTests {
    @Test func `streets are cut where they meet and joined elsewhere`() throws {
        var town = StreetTown()
        town.grid()
        town.node("bend", 350, 220)
        town.node("end", 350, 300)
        // Two ways of one street, and a bend.
        town.way("c2 bend", ["name": "long"])
        town.way("bend end", ["name": "long"])
        let made = try town.imported()
        // Four corners of the block are bends of streets of different names; they stay junctions.
        #expect(made.map.nodes.count == 10)
        #expect(made.map.arcs.count == 2 * 13)
        let arc = try #require(town.arc("c2", "end", made))
        #expect(made.map.arcs[arc].shapeCount == 1)
        #expect(made.map.line(arc).count == 3)
        let twin = Int(made.map.arcs[arc].twin)
        #expect(made.map.line(twin) == made.map.line(arc).reversed())
        #expect(made.map.arcs[twin].shape == made.map.arcs[arc].shape)
        let metres = (150.0 * 150 + 20 * 20).squareRoot() + 80
        #expect(abs(Double(made.map.arcs[arc].metres) - metres) < 0.5)
    }

    @Test func aPieceEndsWhereTheStreetChanges() throws {
        var town = StreetTown()
        town.grid()
        town.node("bend", 350, 220)
        town.node("end", 350, 300)
        town.way("c2 bend", ["name": "long", "maxspeed": "20 mph"])
        town.way("bend end", ["name": "long", "maxspeed": "30 mph"])
        let made = try town.imported()
        let slow = try #require(town.arc("c2", "bend", made))
        let fast = try #require(town.arc("bend", "end", made))
        #expect(made.map.arcs[slow].limitKmh == 32)
        #expect(made.map.arcs[fast].limitKmh == 48)
    }

    @Test(arguments: [
        (["oneway": "yes"], true, false, true, false), (["oneway": "-1"], false, true, false, true),
        (["junction": "roundabout"], true, false, true, false), ([:], true, true, true, true),
        (["oneway": "yes", "oneway:bicycle": "no"], true, false, true, true),
        (["oneway": "yes", "cycleway": "opposite_lane"], true, false, true, true),
        (["junction": "roundabout", "oneway": "no"], true, true, true, true),
    ])
    func oneWayStreetsLeadOneWayButForWalkers(
        _ example: ([String: String], Bool, Bool, Bool, Bool)
    ) throws {
        var town = StreetTown()
        town.grid()
        town.node("middle", 150, 150)
        town.way("b1 middle b2", ["name": "x"].merging(example.0) { $1 })
        let made = try town.imported()
        // The new street and the old one join the same corners: it is the longer one.
        let there = try longest("b1", "b2", town, made: made)
        let back = try longest("b2", "b1", town, made: made)
        #expect((there.carDeciseconds > 0) == example.1)
        #expect((back.carDeciseconds > 0) == example.2)
        #expect((there.bikeDeciseconds > 0) == example.3)
        #expect((back.bikeDeciseconds > 0) == example.4)
        #expect(there.walkDeciseconds > 0 && back.walkDeciseconds > 0)
    }

    private func longest(
        _ from: String, _ to: String, _ town: StreetTown, made: RoadImport
    ) throws -> RoadArc {
        let (tail, head) = (
            try #require(town.junction(from, made)), try #require(town.junction(to, made))
        )
        return try #require(
            made.map.departing(tail).map { made.map.arcs[$0] }.filter { Int($0.head) == head }
                .max { $0.metres < $1.metres })
    }

    @Test(arguments: [
        (["access": "private"], false, false, false), (["motor_vehicle": "no"], false, true, true),
        (["access": "no", "bicycle": "yes"], false, true, false),
        (["hov": "designated"], false, true, true), (["bicycle": "no"], true, false, true),
        (["highway": "motorway", "oneway": "no"], true, false, false),
        (["highway": "motorway", "oneway": "no", "bicycle": "yes"], true, true, false),
        (["highway": "trunk"], true, false, false),
        (["highway": "trunk", "sidewalk": "separate"], true, false, true),
        (["foot": "no"], true, true, true), (["highway": "cycleway"], false, true, true),
        (["highway": "steps"], false, false, true), (["highway": "service"], false, false, false),
        (["motor_vehicle:conditional": "no @ (06:00-19:00)"], false, true, true),
    ])
    func tagsDecideWhichModesMayUseARoad(_ example: ([String: String], Bool, Bool, Bool)) throws {
        var town = StreetTown()
        town.grid()
        town.node("side", 180, 150)
        town.way("b1 side b2", ["name": "x"].merging(example.0) { $1 })
        let made = try town.imported()
        let arc = try longest("b1", "b2", town, made: made)
        let isThere = arc.metres > 120
        #expect(isThere == (example.1 || example.2 || example.3))
        guard isThere else { return }
        #expect((arc.carDeciseconds > 0) == example.1)
        #expect((arc.bikeDeciseconds > 0) == example.2)
        #expect((arc.walkDeciseconds > 0) == example.3)
    }

    @Test func `where footways are mapped, roads closed on foot are closed`() throws {
        var town = StreetTown()
        town.grid()
        town.node("side", 180, 150)
        town.way("b1 side b2", ["name": "x", "foot": "no"])
        town.way("a1 b2", ["highway": "footway"])
        let made = try town.imported()
        #expect(try longest("b1", "b2", town, made: made).walkDeciseconds == 0)
    }

    @Test func `omissions are counted with examples`() throws {
        var town = StreetTown()
        town.grid()
        town.node("far", 5_000, 5_000)
        town.node("farther", 5_100, 5_000)
        let island = town.way("far farther", ["name": "island"])
        let yard = town.way("a1 b2", ["access": "private"])
        town.way("a1", ["name": "point"])
        town.way("a1 nowhere b2", ["highway": "footway"])
        town.way("a1 b2", ["highway": "service", "service": "driveway"])
        town.way("a1 a1 b2", ["name": "stutter"])
        let report = try town.imported().report
        #expect(report.dropped[.closed]?.examples == [RoadElement(kind: .way, id: Int64(yard))])
        #expect(report.dropped[.unconnectedByCar]?.count == 2)
        #expect(
            report.dropped[.unconnectedByCar]?.examples == [
                RoadElement(kind: .way, id: Int64(island))
            ])
        for reason in [DropReason.onePoint, .missingNode, .service, .zeroLength] {
            #expect(report.dropped[reason]?.count == 1, "\(reason)")
        }
        #expect("\(report)".contains("1 private or closed roads, such as way \(yard)"))
    }

    @Test func anExtractWithoutRoadsIsRefused() throws {
        var town = StreetTown()
        town.node("a", 0, 0)
        town.node("b", 100, 0)
        #expect(throws: RoadImportError.noRoad(file: "town.json")) { try town.imported() }
        func problem(_ town: StreetTown) -> String {
            do {
                _ = try town.imported()
                return ""
            } catch { return "\(error)" }
        }
        town.way("a b", ["highway": "footway"])
        #expect(problem(town).hasPrefix("town.json: no road for cars; "))
        // The way that has too few nodes is named.
        for nodes in ["a", "a nowhere"] {
            var short = StreetTown()
            short.node("a", 0, 0)
            let way = short.way(nodes)
            #expect(problem(short).contains("such as way \(way)"), "\(nodes)")
        }
    }

    @Test func anyContentGivesAMapOrAnError() throws {
        var town = StreetTown()
        town.grid()
        town.node("pole", GeoPoint(latitude: 90, longitude: 180))
        town.node("south", GeoPoint(latitude: -90, longitude: -180))
        town.node("zero", GeoPoint(latitude: 0, longitude: 0))
        town.node("same", 0, 100)
        town.node("remote", 12_000, 100)
        town.way("a1 pole south zero a1")
        town.way("a1 same same a1 b1 a1", ["lanes": "99999999999999999999", "layer": "400"])
        town.way("a1 remote", ["maxspeed": "1e300 mph"])
        town.way("c3 c3 c3")
        town.way("a1 b2 c1 a1 b2", ["oneway": "reversible", "maxspeed": "none"])
        let made = try town.imported()
        #expect(made.report.dropped[.farApart]?.count == 4)
        let remote = try #require(town.junction("remote", made))
        #expect(made.map.arriving(remote).allSatisfy { made.map.arcs[Int($0)].metres <= 4_001 })
        for arc in made.map.arcs {
            #expect(arc.metres.isFinite && arc.tail != arc.head)
        }
    }
}
