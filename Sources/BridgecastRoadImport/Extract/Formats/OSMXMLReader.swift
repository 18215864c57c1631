// Reads OpenStreetMap's own XML (.osm), as editors, its server and Overpass write it.
internal import BridgecastCore
internal import Foundation

/// Reads an extract in OpenStreetMap's XML.
///
/// The form: https://wiki.openstreetmap.org/wiki/OSM_XML.
struct OSMXMLReader {
    private var text: XMLText
    private var builder: RoadExtractBuilder
    private var element: Element?
    /// What a note or remark says so far.
    private var words: String?

    /// An element until its end tag.
    private struct Element {
        let name: RoadElement
        var isDeleted: Bool
        var latitude: Double?
        var longitude: Double?
        var nodes: [Int64] = []
        var tags: [RoadTags.Tag] = []
        var members: [RelationMember] = []
    }

    private static let mostWords = 2000

    /// Reads a text, which may begin with a byte order mark.
    static func read(
        _ bytes: [UInt8], _ limits: ReadingLimits
    ) throws(RoadExtractDefect) -> RoadExtractBuilder {
        var reader = OSMXMLReader(
            text: try XMLText(bytes), builder: RoadExtractBuilder(limits))
        do throws(RoadExtractProblem) {
            try reader.readDocument()
            return reader.builder
        } catch {
            if case .other = error { throw RoadExtractDefect(error) }
            throw RoadExtractDefect(error, element: reader.element?.name, line: reader.text.line)
        }
    }

    private mutating func readDocument() throws(RoadExtractProblem) {
        while true {
            switch try text.next() {
            case .start: try start(try text.name())
            case .end where text.depth == 2: try end(try text.name())
            case .end: break
            case .text(let range):
                if let known = words, known.utf8.count < Self.mostWords {
                    words = known + (try text.decoded(range))
                }
            case .over: return
            }
        }
    }

    private mutating func start(_ name: String) throws(RoadExtractProblem) {
        switch (text.depth, name) {
        case (1, _): try startDocument(name)
        case (2, "node"), (2, "way"), (2, "relation"): try startElement(name)
        case (2, "meta"):
            builder.timestamp = try text.attribute("osm_base").flatMap { try? TimeText.parse($0) }
        case (2, "note"), (2, "remark"): words = ""
        case (3, _): try startPart(name)
        default: break
        }
    }

    private mutating func end(_ name: String) throws(RoadExtractProblem) {
        if let words, name == "note" { builder.note(attribution: words) }
        if let words, name == "remark", words.contains("error") {
            throw .incomplete(words.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        words = nil
        if let element { try add(element) }
        element = nil
    }

    private mutating func startDocument(_ name: String) throws(RoadExtractProblem) {
        guard name == "osm" else {
            throw .other(name.lowercased() == "html" ? .webPage : .xml(root: name))
        }
        if let version = try text.attribute("version"), version != "0.6" { throw .version(version) }
        if let words = try text.attribute("copyright") { builder.note(attribution: words) }
        builder.timestamp = try text.attribute("timestamp").flatMap { try? TimeText.parse($0) }
    }

    private mutating func startElement(_ name: String) throws(RoadExtractProblem) {
        guard let kind = RoadElement.Kind(rawValue: name) else { return }
        let id = try integer("id")
        element = Element(
            name: RoadElement(kind: kind, id: id),
            isDeleted: try text.attribute("action") == "delete")
        guard try text.attribute("visible") != "false" else { throw .history }
        if kind == .node {
            let (latitude, longitude) = (try decimal("lat"), try decimal("lon"))
            element?.latitude = latitude
            element?.longitude = longitude
        }
    }

    private mutating func startPart(_ name: String) throws(RoadExtractProblem) {
        guard element != nil else { return }
        switch name {
        case "tag":
            guard let key = try text.attribute("k") else { throw .missing(field: "k") }
            guard let value = try text.attribute("v") else { throw .missing(field: "v") }
            element?.tags.append(RoadTags.Tag(key: key, value: value))
        case "nd":
            let id = try integer("ref")
            element?.nodes.append(id)
        case "member":
            let id = try integer("ref")
            guard let type = try text.attribute("type") else { throw .missing(field: "type") }
            guard let kind = RoadElement.Kind(rawValue: type) else { return }
            let role = try text.attribute("role") ?? ""
            element?.members.append(RelationMember(kind: kind, id: id, role: role))
        default: break
        }
    }

    private mutating func add(_ element: Element) throws(RoadExtractProblem) {
        guard !element.isDeleted else {
            builder.skipDeleted()
            return
        }
        let (id, tags) = (element.name.id, RoadTags(element.tags))
        switch element.name.kind {
        case .node:
            guard let latitude = element.latitude else { throw .missing(field: "lat") }
            guard let longitude = element.longitude else { throw .missing(field: "lon") }
            try builder.add(node: id, latitude, longitude, tags)
        case .way: try builder.add(way: id, element.nodes, tags)
        case .relation: try builder.add(relation: id, element.members, tags)
        }
    }

    private mutating func integer(_ name: String) throws(RoadExtractProblem) -> Int64 {
        guard let text = try text.attribute(name) else { throw .missing(field: name) }
        guard let number = Int64(text) else {
            throw .wrong(field: name, wanted: "a whole number of 64 bits")
        }
        return number
    }

    /// A number in decimals; nil if there is none.
    private mutating func decimal(_ name: String) throws(RoadExtractProblem) -> Double? {
        guard let text = try text.attribute(name) else { return nil }
        // What Swift reads beside decimals is no place: nan, infinity, 0x2f.
        guard text.utf8.allSatisfy({ (43...57).contains($0) || $0 | 0x20 == UInt8(ascii: "e") }),
            let number = Double(text)
        else { throw .wrong(field: name, wanted: "a number") }
        return number
    }
}
