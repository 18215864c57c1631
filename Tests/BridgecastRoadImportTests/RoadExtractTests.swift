// Extracts of all formats, plain and packed; and every refusal of one with its message and
// location. Not here: the blocks of PBF (PBFReaderTests).
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastRoadImport
@testable import BridgecastSupport

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
        omissions.restrictionsOverWays = 1
        omissions.unknownRestrictions = 1
        omissions.otherRelations = 1
        #expect(town.omissions == omissions)
    }

    /// Places, too, come out as the same numbers from decimals and from whole units.
    @Test(arguments: [Town.json, Town.pbf], [false, true])
    func `all formats give the same extract`(bytes: [UInt8], isPacked: Bool) throws {
        let bytes = isPacked ? Town.packed(bytes) : bytes
        let town = try RoadExtract(bytes: Town.json, name: "town")
        #expect(try RoadExtract(bytes: bytes, name: "town") == town)
    }

    @Test func `the name of a file does not matter`() throws {
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

    @Test func `the attribution is kept`() throws {
        let json = #"{"osm3s":{"copyright":" By\u0007 ODbL. "},"elements":[]}"#
        let note =
            #"{"osm3s":{"copyright":"By ODbL.","timestamp_osm_base":"2026-07-18T20:27:45Z"},"elements":[]}"#
        let server = #"{"osm3s":{"copyright":"OpenStreetMap and contributors"},"elements":[]}"#
        #expect(
            try RoadExtract(bytes: Array(json.utf8), name: "").attribution == "By\u{FFFD} ODbL.")
        let noted = try RoadExtract(bytes: Array(note.utf8), name: "")
        #expect(noted.attribution == "By ODbL." && noted.timestamp != nil && noted.bounds == nil)
        #expect(
            try RoadExtract(bytes: Array(server.utf8), name: "").attribution
                == RoadExtract.defaultAttribution)
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
    @Test func `a rule for several ways appears once per way`() throws {
        func extract(_ kind: String) throws -> RoadExtract {
            let json = """
                {"elements":[{"type":"relation","id":7,"members":[
                {"type":"way","ref":1,"role":"from"},{"type":"way","ref":2,"role":"from"},
                {"type":"node","ref":3,"role":"via"},{"type":"way","ref":4,"role":"to"}],
                "tags":{"type":"restriction","restriction":"\(kind)"}}]}
                """
            return try RoadExtract(bytes: Array(json.utf8), name: "")
        }
        let rules = try extract("no_entry").turnRestrictions
        #expect(rules.map(\.from) == [1, 2] && rules.allSatisfy { $0.via == 3 && $0.to == 4 })
        #expect(try extract("no_left_turn").turnRestrictions.isEmpty)
        #expect(try extract("no_left_turn").omissions.unknownRestrictions == 1)
        #expect(try extract("no_dancing").omissions.unknownRestrictions == 1)
    }
}

@Suite struct RoadExtractRefusalTests {
    private static func refusal(
        _ bytes: [UInt8], _ limits: ReadingLimits = ReadingLimits()
    ) -> RoadExtractError? {
        do throws(RoadExtractError) {
            _ = try RoadExtract(bytes: bytes, name: "f", limits: limits)
            return nil
        } catch {
            return error
        }
    }

    private static func message(_ text: String) -> String? {
        refusal(Array(text.utf8))?.description
    }

    private static func elements(_ elements: String) -> String? {
        message(#"{"elements":[\#(elements)]}"#)
    }

    @Test(arguments: [
        ("", "f: the file is empty"), (" \n", "f: the file is empty"),
        (
            "<!DOCTYPE html><html>",
            "f: a web page, perhaps an error of the server; open it to read it"
        ),
        (
            #"{"type":"FeatureCollection","features":[]}"#,
            "f: GeoJSON, which does not say what is connected; use [out:json] of Overpass or a .osm.pbf"
        ),
        (#"{"a":1}"#, "f: JSON, but not from Overpass: there is no list 'elements'"),
        ("[]", "f: JSON, but not from Overpass: there is no list 'elements'"),
        (
            "<gpx/>",
            "f: XML ('gpx'), not an extract; use Overpass JSON or .osm.pbf, plain or compressed with gzip"
        ),
        (
            "<?xml version='1.0'?>\n<!-- a town --><osm version='0.6'/>",
            "f: OSM XML, which is not supported; convert it: osmium cat IN.osm -o OUT.osm.pbf"
        ),
        (
            "<osmChange/>",
            "f: a list of changes (osmChange), not an extract; apply it to one first"
        ),
        (
            "stop_id,stop_name",
            "f: text, not an extract; use Overpass JSON or .osm.pbf, plain or compressed with gzip"
        ),
        ("BZh91AY", "f: packed by bzip2; unpack it first: bunzip2"),
        ("PK\u{3}\u{4}", "f: packed by zip; unpack it first: unzip"),
        ("SQLite format 3\0", "f: a database, not an extract; export it as .osm.pbf"),
    ])
    func `other content is named`(text: String, message: String) {
        #expect(Self.message(text) == message)
    }

    @Test func `other compressions are named`() {
        #expect(Self.refusal([0xff, 0xe0, 0x04, 0x6f])?.problem == .other(.o5m))
        #expect(Self.refusal([1, 2, 3, 0])?.problem == .other(.binary))
        #expect(Self.refusal([0x28, 0xb5, 0x2f, 0xfd])?.description.contains("unzstd") == true)
        let twice = Town.packed(Town.packed(Town.json))
        #expect(Self.refusal(twice)?.problem == .other(.gzipInGzip))
    }

    @Test func filesThatCannotBeReadAreNamed() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let gone = folder.appendingPathComponent("gone.osm")
        let pipe = folder.appendingPathComponent("pipe.osm")
        try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
        let web = try #require(URL(string: "https://example.org/a.osm"))
        for (url, problem, kind) in [
            (folder, .folder, FailureKind.io), (pipe, .notRegular, .io),
            (URL(fileURLWithPath: "/dev/zero"), .notRegular, .io), (gone, .noSuchFile, .missing),
            (web, .notLocal, .io),
        ] as [(URL, RoadExtractProblem, FailureKind)] {
            let error = #expect(throws: RoadExtractError.self) { try RoadExtract.read(url) }
            #expect(error?.problem == problem && error?.kind == kind)
        }
    }

    // MARK: Sizes

    @Test func `a small file cannot exhaust the memory`() {
        let bomb = Town.packed([UInt8](repeating: 32, count: 1 << 20))
        var limits = ReadingLimits()
        limits.freeBytes = 1000
        let maxBytes = 1000 + limits.ratio * bomb.count
        #expect(
            Self.refusal(bomb, limits)?.problem
                == .packedTooTightly(bytes: bomb.count, maxBytes: maxBytes))
        limits.unpackedBytes = 2000
        #expect(Self.refusal(bomb, limits)?.problem == .unpackedTooLarge(maxBytes: 2000))
        limits.fileBytes = 100
        #expect(Self.refusal(bomb, limits)?.problem == .tooLarge(bytes: bomb.count, maxBytes: 100))
    }

    /// A megabyte in a block of a kilobyte, twenty times.
    @Test func `many blocks cannot exhaust the memory`() {
        var block = MapElementBlock()
        block.texts.texts = [Data(count: 1 << 20)]
        let file = Town.head + (0..<20).flatMap { _ in block.file(packed: true) }
        #expect(Self.refusal(file) == nil)
        var limits = ReadingLimits()
        limits.freeBytes = 1 << 20
        guard case .packedTooTightly = Self.refusal(file, limits)?.problem else {
            Issue.record("read, or refused for another reason")
            return
        }
    }

    @Test(arguments: [Town.json, Town.pbf])
    func `too many elements are refused`(bytes: [UInt8]) {
        var limits = ReadingLimits()
        limits.ways = 2
        #expect(Self.refusal(bytes, limits)?.problem == .tooMany(.way, maxCount: 2))
        limits.nodes = 4
        #expect(Self.refusal(bytes, limits)?.problem == .tooMany(.node, maxCount: 4))
        #expect(Self.refusal(bytes, limits)?.description.contains("more than 4 nodes") == true)
    }

    /// Wherever a file is cut, that is reported, with the location.
    @Test(arguments: [Town.json, Town.pbf, Town.packed(Town.json)])
    func `truncated files are reported as such, with the location`(bytes: [UInt8]) throws {
        for count in stride(from: bytes.count - 7, to: 90, by: -61) {
            let error = Self.refusal(Array(bytes.prefix(count)))
            #expect(error?.problem == .cutShort, "\(count) of \(bytes.count): \(error as Any)")
            #expect(error?.location.byte == count)
        }
    }

    // MARK: JSON

    @Test(arguments: [
        (
            #"{"type":"node","id":7,"lat":90.5,"lon":1}"#,
            "byte 54, node 7: latitude 90.5, longitude 1.0 is not on earth"
        ),
        (
            #"{"type":"node","id":7,"lat":1e999,"lon":1}"#,
            "latitude inf, longitude 1.0 is not on earth"
        ),
        (#"{"type":"node","id":7,"lon":1}"#, "node 7: 'lat' is missing"),
        (#"{"type":"node","lat":1,"lon":1}"#, "'id' is missing"),
        (#"{"id":7,"lat":1,"lon":1}"#, "'type' is missing"),
        (#"{"type":"node","id":7.5}"#, "'id' should be a whole number of 64 bits"),
        (#"{"type":"node","id":9223372036854775808}"#, "'id' should be a whole number of 64 bits"),
        (#"{"type":"node","id":"7"}"#, "'id' should be a number"),
        (#"{"type":"node","id":7,"lat":"47"}"#, "byte 41, node 7: 'lat' should be a number"),
        (#"{"type":"way","id":7,"nodes":{}}"#, "way 7: 'nodes' should be a list"),
        (#"{"type":"way","id":7,"tags":{"a":1}}"#, "way 7: 'tags' should be text"),
        (#"{"type":"way","id":7,}"#, "not valid JSON"),
        (#"{"type":"relation","id":7,"members":[{"type":"way"}]}"#, "'members.ref' is missing"),
        (#"[[[]]]"#, "not an extract: 'elements' should be a list of nodes, ways and relations"),
    ])
    func `wrong fields of JSON are named`(element: String, message: String) {
        #expect(
            Self.elements(element)?.hasSuffix(message) == true,
            "\(Self.elements(element) ?? "read")")
    }

    @Test func jsonAroundElementsIsChecked() {
        #expect(
            Self.message(#"{"elements":{}}"#)
                == "f: byte 12: not an extract: 'elements' should be a list of nodes, ways and relations"
        )
        #expect(Self.message(#"{"elements":[]} x"#) == "f: byte 15: not valid JSON")
        let gaveUp = #"{"elements":[],"remark":"runtime error: Query timed out in \"query\""}"#
        #expect(
            Self.refusal(Array(gaveUp.utf8))?.problem
                == .incomplete("runtime error: Query timed out in \"query\""))
        let latin = Array(#"{"elements":[{"type":"way","id":7,"tags":{"name":"Caf"#.utf8)
        #expect(Self.refusal(latin + [0xe9] + Array("\"}}]}".utf8))?.problem == .notUTF8)
    }
}
