// What the three forms of an extract come to, packed and not.
import BridgecastCore
@testable import BridgecastRoadImport
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RoadExtractTests {
    @Test func aTownIsRead() throws {
        let town = try RoadExtract(bytes: Town.json, name: "town.json")
        #expect(town.source == "town.json")
        #expect(town.attribution == "© OpenStreetMap contributors, ODbL 1.0")
        #expect(town.timestamp?.secondsSinceEpoch == 1_784_406_465)
        #expect(town.nodes.map(\.id) == [1, 2, -3, 8_766_312_107, 5])
        #expect(town.nodes[1].point == GeoPoint(latitude: 47.6512345, longitude: -122.3234567))
        #expect(town.index(ofNode: -3) == 2 && town.index(ofNode: 99) == nil)
        // Node 4 says nothing of roads or places.
        #expect(
            town.nodeTags == [
                1: ["highway": "traffic_signals"], 4: ["name": "Café \"Nord\"", "place": "square"],
            ])
        #expect(town.ways.map(\.id) == [10, 11, 12])
        #expect(town.ways.map { Array($0.nodes) } == [[1, 2, -3], [2, 8_766_312_107, 99], []])
        #expect(town.ways[0].tags["name"] == "A street of more than fifteen bytes")
        #expect(town.ways[1].tags["name"] == nil && town.ways[2].tags.isEmpty)
        #expect(town.bounds?.southWest == GeoPoint(latitude: -0.0000001, longitude: -122.35))
        #expect(town.bounds?.northEast == GeoPoint(latitude: 47.6512345, longitude: 180))
        #expect(
            town.turnRestrictions == [
                TurnRestriction(
                    id: 20, from: 10, via: 2, to: 11, kind: .noLeftTurn,
                    tags: ["type": "restriction", "restriction": "no_left_turn"])
            ])
        var omissions = RoadExtractOmissions()
        (omissions.restrictionsOverWays, omissions.unknownRestrictions) = (1, 1)
        omissions.otherRelations = 1
        #expect(town.omissions == omissions)
    }

    /// Places, too, come out as the same numbers from decimals and from whole units.
    @Test(arguments: [Town.xml, Town.pbf], [false, true])
    func allFormsComeToTheSame(bytes: [UInt8], isPacked: Bool) throws {
        let bytes = isPacked ? Town.packed(bytes) : bytes
        let town = try RoadExtract(bytes: Town.json, name: "town")
        #expect(try RoadExtract(bytes: bytes, name: "town") == town)
    }

    @Test func theNameOfAFileSaysNothing() throws {
        let read = try withFile(Town.packed(Town.json), "town.osm.pbf") { try RoadExtract.read($0) }
        #expect(read == (try RoadExtract(bytes: Town.json, name: "town.osm.pbf")))
    }

    /// As `cat a.gz b.gz` and block-wise programs make them.
    @Test func gzipOfSeveralPartsIsRead() throws {
        let first = Town.packed(Array(Town.json.prefix(500)))
        let second = Town.packed(Array(Town.json.dropFirst(500)))
        let bytes = first + second + [0, 0, 0]
        #expect(try RoadExtract(bytes: bytes, name: "town").ways.count == 3)
    }

    @Test func whoseDataTheyAreIsKept() throws {
        let json = #"{"osm3s":{"copyright":" By\u0007 ODbL. "},"elements":[]}"#
        let note = "<osm><note>By ODbL.</note><meta osm_base='2026-07-18T20:27:45Z'/></osm>"
        let server = "<osm version='0.6' copyright='OpenStreetMap and contributors'/>"
        #expect(
            try RoadExtract(bytes: Array(json.utf8), name: "").attribution == "By\u{FFFD} ODbL.")
        let noted = try RoadExtract(bytes: Array(note.utf8), name: "")
        #expect(noted.attribution == "By ODbL." && noted.timestamp != nil && noted.bounds == nil)
        #expect(
            try RoadExtract(bytes: Array(server.utf8), name: "").attribution
                == RoadExtract.usualAttribution)
    }

    @Test func theFirstOfTwoElementsCounts() throws {
        let json = #"""
            {"elements":[{"type":"node","id":1,"lat":1,"lon":1},{"type":"node","id":1,"lat":2,"lon":2},
            {"type":"way","id":1,"nodes":[1]},{"type":"way","id":1,"nodes":[]},
            {"type":"way","id":2,"nodes":[1],"geometry":[{"lat":1,"lon":1},null],"tags":{"a":"1","a":"2"}}]}
            """#
        let extract = try RoadExtract(bytes: Array(json.utf8), name: "")
        #expect(extract.nodes.map(\.point.latitude) == [1])
        #expect(extract.ways.map { Array($0.nodes) } == [[1], [1]])
        #expect(extract.ways[1].tags == ["a": "1"])
        #expect(extract.omissions.duplicates == 2)
    }

    /// No one may enter from two ways: a rule for each.
    @Test func aRuleForSeveralWaysStandsOncePerWay() throws {
        func extract(_ kind: String) throws -> RoadExtract {
            let xml = """
                <osm version='0.6'><relation id='7'><member type='way' ref='1' role='from'/>
                <member type='way' ref='2' role='from'/><member type='node' ref='3' role='via'/>
                <member type='way' ref='4' role='to'/><tag k='type' v='restriction'/>
                <tag k='restriction' v='\(kind)'/></relation></osm>
                """
            return try RoadExtract(bytes: Array(xml.utf8), name: "")
        }
        let rules = try extract("no_entry").turnRestrictions
        #expect(rules.map(\.from) == [1, 2] && rules.allSatisfy { $0.via == 3 && $0.to == 4 })
        #expect(try extract("no_left_turn").turnRestrictions.isEmpty)
        #expect(try extract("no_left_turn").omissions.unknownRestrictions == 1)
        #expect(try extract("no_dancing").omissions.unknownRestrictions == 1)
    }

    /// Editors keep what is deleted until it is sent off.
    @Test func whatAnEditorDeletedIsLeftOut() throws {
        let xml =
            "<osm><node id='1' action='delete' lat='1' lon='1'/><node id='2' lat='1' lon='1'/></osm>"
        let extract = try RoadExtract(bytes: Array(xml.utf8), name: "")
        #expect(extract.nodes.map(\.id) == [2] && extract.omissions.deleted == 1)
    }

    @Test func xmlSpellsCharactersInManyWays() throws {
        let xml = """
            \u{FEFF}<?xml version='1.0' encoding='utf-8' standalone="no" ?><?a b?>
            <osm><note>a &lt;<![CDATA[ <b> ]]></note><!-- <node> -- --><node id = '1'
            lat='1' lon="1"><tag k='name' v='&#x26;&#38;&apos;&gt;"'/></node ></osm>
            """
        let extract = try RoadExtract(bytes: Array(xml.utf8), name: "")
        #expect(extract.attribution == "a < <b>")
        #expect(extract.nodeTags == [0: ["name": "&&'>\""]])
    }
}
