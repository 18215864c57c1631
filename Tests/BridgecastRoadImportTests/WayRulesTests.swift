// From tags to profiles and names.
import BridgecastCore
import BridgecastRoads
import Testing
@testable import BridgecastRoadImport

@Suite struct BikeRoomTests {
    /// The middle street of a grid with some tags, from west to east.
    private func street(
        _ tags: [String: String], additions: RoadAdditions? = nil
    ) throws -> (town: StreetTown, made: RoadImport) {
        var town = StreetTown()
        town.grid()
        for (number, name) in ["x", "y"].enumerated() {
            town.node(name, 100 + Double(number) * 100, 250)
        }
        town.way("x y", ["name": "1st Ave", "highway": "secondary"].merging(tags) { $1 })
        town.way("a3 x b3")
        town.way("b3 y c3")
        return (town, try town.imported(additions: additions))
    }

    /// Room from west to east and back; nil where bikes may not go.
    private func rooms(_ tags: [String: String]) throws -> [BikeRoom?] {
        let (town, made) = try street(tags)
        return [("x", "y"), ("y", "x")].map { ends in
            town.arc(ends.0, ends.1, made).map { made.map.arcs[$0] }
                .flatMap { $0.bikeDeciseconds > 0 ? $0.bikeRoom : nil }
        }
    }

    @Test(arguments: [
        ([:], [BikeRoom.none, .none]),
        (["cycleway": "lane"], [.lane, .lane]),
        (["cycleway:both": "track"], [.track, .track]),
        (["cycleway:right": "lane", "cycleway:left": "shared_lane"], [.lane, .sharrows]),
        (["cycleway:right": "lane", "cycleway:left": "no"], [.lane, .none]),
        (["cycleway:left": "lane", "cycleway:left:separation:right": "bollard"], [.none, .track]),
        (["cycleway:left": "track", "cycleway:left:oneway": "no"], [.track, .track]),
        (["cycleway:left": "separate", "cycleway:right": "no"], [.track, .track]),
        (["cycleway:left": "separate", "cycleway:right": "lane"], [.lane, .track]),
        (
            ["cycleway:both:lane": "pictogram", "cycleway:both": "shared_lane"],
            [.sharrows, .sharrows]
        ),
        // A tag of one side overrides that of both.
        (["cycleway": "lane", "cycleway:left": "no"], [.lane, .none]),
        (["cycleway:both": "track", "cycleway:right": "lane"], [.lane, .track]),
        // Paint keeps none out, nor does the kerb of the sidewalk.
        (
            ["cycleway:right": "lane", "cycleway:right:separation:left": "solid_line"],
            [.lane, .none]
        ),
        (["cycleway:right": "lane", "cycleway:right:separation:right": "kerb"], [.lane, .none]),
        (["cycleway:right": "lane", "cycleway:right:separation:left": "kerb"], [.track, .none]),
        (["cycleway_old": "track"], [.none, .none]),
        (["lcn": "yes"], [.sharrows, .sharrows]),
        (["bicycle": "designated"], [.none, .none]),
        (["motor_vehicle": "destination"], [.greenway, .greenway]),
    ])
    func eachSideIsForItsDirection(_ example: ([String: String], [BikeRoom])) throws {
        #expect(try rooms(example.0) == example.1)
    }

    @Test(arguments: [
        ([:], [BikeRoom.none, .none]),
        (["cycleway": "shared_lane"], [.greenway, .greenway]),
        (["lcn": "yes"], [.greenway, .greenway]),
        (["motor_vehicle": "destination"], [.greenway, .greenway]),
        (["cycleway:right": "track"], [.track, .none]),
    ])
    func sharrowsAndSignsMarkGreenwaysOnLocalStreets(
        _ example: ([String: String], [BikeRoom])
    ) throws {
        #expect(try rooms(example.0.merging(["highway": "residential"]) { $1 }) == example.1)
    }

    @Test(arguments: [
        ([:], [BikeRoom.none, nil]),
        (["cycleway:left": "lane"], [.lane, nil]),
        (["cycleway:left": "separate"], [.track, nil]),
        (["oneway:bicycle": "no"], [BikeRoom.none, BikeRoom.none]),
        (["oneway:bicycle": "no", "cycleway:left": "lane"], [BikeRoom.none, .lane]),
        (["oneway:bicycle": "no", "cycleway:left": "track"], [.track, .track]),
        (["cycleway:left": "track", "cycleway:left:oneway": "no"], [.track, .track]),
        (["cycleway:left": "lane", "cycleway:left:oneway": "-1"], [BikeRoom.none, .lane]),
        (["cycleway": "opposite_lane"], [BikeRoom.none, .lane]),
        (["cycleway": "opposite"], [BikeRoom.none, BikeRoom.none]),
        (["cycleway:left": "opposite_lane", "cycleway:right": "lane"], [.lane, .lane]),
    ])
    func oneWayStreetsMayBeOpenAgainstTheCars(
        _ example: ([String: String], [BikeRoom?])
    ) throws {
        #expect(try rooms(example.0.merging(["oneway": "yes"]) { $1 }) == example.1)
        // Drawn the other way: what is on its left is on its right.
        var mirrored: [String: String] = ["oneway": "-1"]
        for (key, value) in example.0 {
            let side = key.contains("left") ? ("left", "right") : ("right", "left")
            mirrored[key.replacing(side.0, with: side.1)] = value == "-1" ? "yes" : value
        }
        #expect(try rooms(mirrored) == example.1.reversed())
    }

    @Test func `a track of the additions is two-way`() throws {
        func additions(_ street: String) throws -> RoadAdditions {
            try RoadAdditions(
                json: Array(
                    """
                    {"lines": [], "places": [], "twoWayTracks":
                      [{"street": "\(street)", "from": [47.7022, -122.3490], "to": [47.7023, -122.3470]}]}
                    """.utf8), file: "more.json")
        }
        let tags = ["oneway": "yes", "cycleway:left": "separate"]
        let (town, made) = try street(tags, additions: try additions("1st Ave"))
        let back = made.map.arcs[try #require(town.arc("y", "x", made))]
        #expect(back.bikeDeciseconds > 0 && back.carDeciseconds == 0 && back.bikeRoom == .track)
        #expect(made.report.remarks.isEmpty)
        let (other, without) = try street(tags, additions: try additions("2nd Ave"))
        let closed = without.map.arcs[try #require(other.arc("y", "x", without))]
        #expect(closed.bikeDeciseconds == 0)
        #expect(without.report.remarks == ["no bike track on 2nd Ave that could be two-way"])
    }

    @Test func `trips do not end on turning lanes`() throws {
        let (town, made) = try street(["highway": "primary_link", "name": "slip"])
        let (plain, streets) = try street(["highway": "primary"])
        let lane = made.map.arcs[try #require(town.arc("x", "y", made))]
        let road = streets.map.arcs[try #require(plain.arc("x", "y", streets))]
        #expect(lane.flags.isSuperset(of: [.link, .noStopping]))
        #expect(!road.flags.contains(.noStopping))
    }
}

@Suite struct LocalNamesTests {
    @Test(arguments: [
        ("15th Avenue Northwest", "15th Ave NW"), ("Southwest Spokane Street", "SW Spokane St"),
        ("East Marginal Way South", "E Marginal Way S"), ("Boulevard", "Boulevard"),
        ("West Seattle Bridge", "West Seattle Bridge"), ("North Street", "North St"),
        ("Martin Luther King Junior Way South", "Martin Luther King Jr Way S"),
        ("2nd Avenue Extension South", "2nd Ave Ext S"), ("State Route 99 Tunnel", "SR 99 Tunnel"),
        ("Eastlake Avenue East", "Eastlake Ave E"), ("Broadway East", "Broadway East"),
        ("1st Avenue South Bridge", "1st Ave South Bridge"), ("", ""),
    ])
    func namesAreShortened(_ example: (String, String)) {
        #expect(LocalNames.shortened(example.0) == example.1)
    }

    @Test(arguments: [
        (["highway": "motorway", "ref": "I 5", "name": "Ship Canal Bridge"], "I-5"),
        (["highway": "motorway", "ref": "WA 99", "name": "State Route 99"], "SR 99"),
        (["highway": "motorway", "ref": "I 5 Express"], "I-5 express lanes"),
        (
            ["highway": "primary", "ref": "WA 513", "name": "Montlake Boulevard East"],
            "Montlake Blvd E"
        ),
        (["highway": "trunk", "ref": "WA 520;WA 1"], "SR 520"),
        (
            ["highway": "motorway_link", "destination": "Bellevue;Kirkland", "ref": "WA 520"],
            "Bellevue / Kirkland"
        ),
        (["highway": "motorway_link"], ""),
    ])
    func roadsAreCalledByNameOrNumber(_ example: ([String: String], String)) throws {
        var town = StreetTown()
        town.grid()
        town.node("side", 180, 150)
        town.way("b1 side b2", ["oneway": "no"].merging(example.0) { $1 })
        let made = try town.imported()
        #expect(made.map.names.contains(example.1))
        let long = made.map.arcs.filter { $0.metres > 120 }
        #expect(long.allSatisfy { made.map.names[Int($0.name)] == example.1 } && long.count == 2)
    }
}
