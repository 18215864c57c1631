// What room bikes have on a street, by its tags: each side, one-way streets, and tracks that lead both ways.
import BridgecastCore
@testable import BridgecastRoadImport
import BridgecastRoads
import Testing

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
        // What is said of one side is said against what is said of both.
        (["cycleway": "lane", "cycleway:left": "no"], [.lane, .none]),
        (["cycleway:both": "track", "cycleway:right": "lane"], [.lane, .track]),
        // Paint keeps nobody out, nor does the kerb of the sidewalk.
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
        // Drawn the other way: what stands on its left stands on its right.
        var mirrored: [String: String] = ["oneway": "-1"]
        for (key, value) in example.0 {
            let side = key.contains("left") ? ("left", "right") : ("right", "left")
            mirrored[key.replacing(side.0, with: side.1)] = value == "-1" ? "yes" : value
        }
        #expect(try rooms(mirrored) == example.1.reversed())
    }

    @Test func aTrackOfTheAdditionsLeadsBothWays() throws {
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
        #expect(without.report.remarks == ["no track for bikes on 2nd Ave to lead both ways"])
    }

    @Test func aTurningLaneIsNoPlaceToStop() throws {
        let (town, made) = try street(["highway": "primary_link", "name": "slip"])
        let (plain, streets) = try street(["highway": "primary"])
        let lane = made.map.arcs[try #require(town.arc("x", "y", made))]
        let road = streets.map.arcs[try #require(plain.arc("x", "y", streets))]
        #expect(lane.flags.isSuperset(of: [.link, .noStopping]))
        #expect(!road.flags.contains(.noStopping))
    }
}
