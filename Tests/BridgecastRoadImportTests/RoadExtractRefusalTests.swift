// Every refusal of an extract: what is wrong, where, and what is said of it.
import BridgecastCore
@testable import BridgecastRoadImport
import BridgecastTestSupport
import Foundation
import Testing

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

    private static func words(_ text: String) -> String? { refusal(Array(text.utf8))?.description }

    private static func elements(_ elements: String) -> String? {
        words(#"{"elements":[\#(elements)]}"#)
    }

    @Test(arguments: [
        ("", "f: the file is empty"), (" \n", "f: the file is empty"),
        (
            "<!DOCTYPE html><html>",
            "f: a web page, perhaps a server's excuse; open it to see what it says"
        ),
        (
            #"{"type":"FeatureCollection","features":[]}"#,
            "f: GeoJSON, which does not say what is connected; ask Overpass for [out:json] or take a .osm.pbf"
        ),
        (#"{"a":1}"#, "f: JSON, but no answer of Overpass: there is no list 'elements'"),
        ("[]", "f: JSON, but no answer of Overpass: there is no list 'elements'"),
        ("<gpx/>", "f: XML, but 'gpx' in place of 'osm'"),
        (
            "<osmChange/>",
            "f: a list of changes (osmChange), not an extract; apply it to one first"
        ),
        (
            "stop_id,stop_name",
            "f: text, but no extract; Overpass JSON, .osm or .osm.pbf are read, also packed by gzip"
        ),
        ("BZh91AY", "f: packed by bzip2; unpack it first: bunzip2"),
        ("PK\u{3}\u{4}", "f: packed by zip; unpack it first: unzip"),
        ("SQLite format 3\0", "f: a database, not an extract; export it as .osm.pbf"),
    ])
    func whatIsNoExtractIsNamed(text: String, words: String) {
        #expect(Self.words(text) == words)
    }

    @Test func otherPackingsAreNamed() {
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

    @Test func aSmallFileCannotFillTheMemory() {
        let bomb = Town.packed([UInt8](repeating: 32, count: 1 << 20))
        var limits = ReadingLimits()
        limits.freeBytes = 1000
        let most = 1000 + limits.ratio * bomb.count
        #expect(
            Self.refusal(bomb, limits)?.problem == .packedTooTightly(bytes: bomb.count, most: most))
        limits.unpackedBytes = 2000
        #expect(Self.refusal(bomb, limits)?.problem == .unpackedTooLarge(most: 2000))
        limits.fileBytes = 100
        #expect(Self.refusal(bomb, limits)?.problem == .tooLarge(bytes: bomb.count, most: 100))
    }

    /// A megabyte in a block of a kilobyte, twenty times.
    @Test func blocksTogetherCannotFillTheMemory() {
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

    @Test(arguments: [Town.json, Town.xml, Town.pbf])
    func moreElementsThanAreHeldAreRefused(bytes: [UInt8]) {
        var limits = ReadingLimits()
        limits.ways = 2
        #expect(Self.refusal(bytes, limits)?.problem == .tooMany(.way, most: 2))
        limits.nodes = 4
        #expect(Self.refusal(bytes, limits)?.problem == .tooMany(.node, most: 4))
        #expect(Self.refusal(bytes, limits)?.description.contains("more than 4 nodes") == true)
    }

    /// Wherever a file is cut, that is what is said, with the place.
    @Test(arguments: [Town.json, Town.xml, Town.pbf, Town.packed(Town.json), Town.packed(Town.xml)])
    func cutFilesAreToldApart(bytes: [UInt8]) throws {
        for count in stride(from: bytes.count - 7, to: 90, by: -61) {
            let error = Self.refusal(Array(bytes.prefix(count)))
            #expect(error?.problem == .cutShort, "\(count) of \(bytes.count): \(error as Any)")
            #expect(error?.place.byte == count || error?.place.line ?? 0 > 0)
        }
    }

    // MARK: JSON

    @Test(arguments: [
        (
            #"{"type":"node","id":7,"lat":90.5,"lon":1}"#,
            "byte 54, node 7: latitude 90.5, longitude 1.0 is no place on the globe"
        ),
        (
            #"{"type":"node","id":7,"lat":1e999,"lon":1}"#,
            "latitude inf, longitude 1.0 is no place on the globe"
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
        (#"[[[]]]"#, "no extract: 'elements' should be a list of nodes, ways and relations"),
    ])
    func wrongFieldsOfJSONAreNamed(element: String, words: String) {
        #expect(
            Self.elements(element)?.hasSuffix(words) == true, "\(Self.elements(element) ?? "read")")
    }

    @Test func jsonAroundElementsIsChecked() {
        #expect(
            Self.words(#"{"elements":{}}"#)
                == "f: byte 12: no extract: 'elements' should be a list of nodes, ways and relations"
        )
        #expect(Self.words(#"{"elements":[]} x"#) == "f: byte 15: not valid JSON")
        let gaveUp = #"{"elements":[],"remark":"runtime error: Query timed out in \"query\""}"#
        #expect(
            Self.refusal(Array(gaveUp.utf8))?.problem
                == .incomplete("runtime error: Query timed out in \"query\""))
        let latin = Array(#"{"elements":[{"type":"way","id":7,"tags":{"name":"Caf"#.utf8)
        #expect(Self.refusal(latin + [0xe9] + Array("\"}}]}".utf8))?.problem == .notUTF8)
    }

    // MARK: XML

    @Test(arguments: [
        (
            "<osm><node id='7' lat='1' lon='181'/></osm>",
            "line 1, node 7: latitude 1.0, longitude 181.0 is no place on the globe"
        ),
        (
            "<osm>\n<node id='7' lat='nan' lon='1'/></osm>",
            "line 2, node 7: 'lat' should be a number"
        ),
        ("<osm><node id='7' lat='1'/></osm>", "node 7: 'lon' is missing"),
        ("<osm><node lat='1' lon='1'/></osm>", "'id' is missing"),
        ("<osm><way id='x'/></osm>", "'id' should be a whole number of 64 bits"),
        ("<osm><way id='7'><nd/></way></osm>", "way 7: 'ref' is missing"),
        ("<osm><way id='7'><tag k='a'/></way></osm>", "way 7: 'v' is missing"),
        ("<osm><way id='7'></osm>", "not valid XML (an end tag without its start tag)"),
        ("<osm><way id=7/></osm>", "not valid XML (an attribute without quotes around its value)"),
        ("<osm><way id='&x;'/></osm>", "not valid XML (an entity that is not declared)"),
        ("<osm version='0.5'/>", "version 0.5 of OpenStreetMap's XML is not read, only 0.6"),
        ("<osm/><osm/>", "not valid XML (something behind the end)"),
        (
            "<?xml version='1.0' encoding='UTF-7'?><osm/>",
            "line 1: written in UTF-7; convert it to UTF-8, and its first line too"
        ),
        (
            "<osm><remark> runtime error: out of memory </remark></osm>",
            "the server did not finish it (runtime error: out of memory); ask again for less at a time"
        ),
        ("<osm><node id='7' visible='false'/></osm>", "osmium time-filter IN -o OUT"),
    ])
    func wrongPartsOfXMLAreNamed(xml: String, words: String) {
        #expect(Self.words(xml)?.hasSuffix(words) == true, "\(Self.words(xml) ?? "read")")
    }

    /// Entities that make a text endless or name a file need a document type, which nobody gets to declare.
    @Test(arguments: [
        "<!DOCTYPE osm [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><osm><note>&b;</note></osm>",
        "<?xml version='1.0'?><!-- > --><!DOCTYPE osm SYSTEM 'file:///etc/passwd'><osm/>",
    ])
    func documentTypesAreRefused(xml: String) {
        #expect(Self.refusal(Array(xml.utf8))?.problem == .documentType)
    }

    @Test func xmlThatIsNotUTF8IsRefused() {
        let latin = Array("<osm><note>Caf".utf8) + [0xe9] + Array("</note></osm>".utf8)
        #expect(Self.refusal(latin)?.problem == .notUTF8)
    }
}
