// Reads the JSON of Overpass, `{"elements":[...]}`, in one pass over its bytes.
internal import BridgecastCore

/// Reads an extract in Overpass's JSON.
///
/// The form: https://wiki.openstreetmap.org/wiki/OSM_JSON. Fields may come in any order; those that are not
/// known are skipped. Foundation's decoder takes several times as long and cannot say where something is wrong.
struct OverpassReader {
    private var text: JSONText
    private var builder: RoadExtractBuilder
    private var element = Element()

    /// The fields of an element, as far as they have been read.
    private struct Element {
        /// Whether its kind is one of the map's.
        var hasType = false
        var kind: RoadElement.Kind?
        var id: Int64?
        var latitude: Double?
        var longitude: Double?
        var nodes: [Int64] = []
        var tags: [RoadTags.Tag] = []
        var members: [RelationMember] = []

        var name: RoadElement? {
            guard let kind, let id else { return nil }
            return RoadElement(kind: kind, id: id)
        }
    }

    /// Reads a text, which may begin with a byte order mark.
    static func read(
        _ bytes: [UInt8], _ limits: ReadingLimits
    ) throws(RoadExtractDefect) -> RoadExtractBuilder {
        var reader = OverpassReader(
            text: JSONText(bytes, from: ExtractForm.startOfText(bytes)),
            builder: RoadExtractBuilder(limits))
        do throws(RoadExtractProblem) {
            try reader.readDocument()
            return reader.builder
        } catch {
            if case .other = error { throw RoadExtractDefect(error) }
            throw RoadExtractDefect(
                error, element: reader.element.name, byte: reader.text.position)
        }
    }

    private mutating func readDocument() throws(RoadExtractProblem) {
        var (hasElements, isGeoJSON, isFirst) = (false, false, true)
        try text.open("{", "the file")
        while try text.goesOn(until: "}", &isFirst) {
            switch try text.name() {
            case "elements":
                hasElements = true
                try readElements()
            case "osm3s": try readOrigin()
            case "remark":
                let words = try text.string("remark")
                if words.contains("error") { throw .incomplete(words) }
            case "features", "geometry", "coordinates":
                isGeoJSON = true
                try text.skipValue()
            default: try text.skipValue()
            }
        }
        try text.end()
        guard hasElements else { throw .other(isGeoJSON ? .geoJSON : .json) }
    }

    private mutating func readOrigin() throws(RoadExtractProblem) {
        var isFirst = true
        try text.open("{", "osm3s")
        while try text.goesOn(until: "}", &isFirst) {
            switch try text.name() {
            case "timestamp_osm_base":
                builder.timestamp = try? TimeText.parse(try text.string("timestamp_osm_base"))
            case "copyright": builder.note(attribution: try text.string("copyright"))
            default: try text.skipValue()
            }
        }
    }

    private mutating func readElements() throws(RoadExtractProblem) {
        var isFirst = true
        guard try text.begins(with: "[") else { throw .elements }
        try text.open("[", "elements")
        while try text.goesOn(until: "]", &isFirst) { try readElement() }
    }

    private mutating func readElement() throws(RoadExtractProblem) {
        (element.hasType, element.kind, element.id) = (false, nil, nil)
        (element.latitude, element.longitude) = (nil, nil)
        element.nodes.removeAll(keepingCapacity: true)
        element.tags.removeAll(keepingCapacity: true)
        element.members.removeAll(keepingCapacity: true)
        var isFirst = true
        guard try text.begins(with: "{") else { throw .elements }
        try text.open("{", "elements")
        while try text.goesOn(until: "}", &isFirst) {
            switch try text.name() {
            case "type":
                element.kind = RoadElement.Kind(rawValue: try text.string("type"))
                element.hasType = true
            case "id": element.id = try text.integer("id")
            case "lat": element.latitude = try text.decimal("lat")
            case "lon": element.longitude = try text.decimal("lon")
            case "nodes": try readNodes()
            case "tags": try readTags()
            case "members": try readMembers()
            default: try text.skipValue()
            }
        }
        try addElement()
        (element.kind, element.id) = (nil, nil)
    }

    private mutating func addElement() throws(RoadExtractProblem) {
        guard element.hasType else { throw .missing(field: "type") }
        // An area, or the number of elements where only that was asked for.
        guard let kind = element.kind else { return }
        guard let id = element.id else { throw .missing(field: "id") }
        let tags = RoadTags(element.tags)
        switch kind {
        case .node:
            guard let latitude = element.latitude else { throw .missing(field: "lat") }
            guard let longitude = element.longitude else { throw .missing(field: "lon") }
            try builder.add(node: id, latitude, longitude, tags)
        case .way: try builder.add(way: id, element.nodes, tags)
        case .relation: try builder.add(relation: id, element.members, tags)
        }
    }

    private mutating func readNodes() throws(RoadExtractProblem) {
        var isFirst = true
        try text.open("[", "nodes")
        while try text.goesOn(until: "]", &isFirst) {
            element.nodes.append(try text.integer("nodes"))
        }
    }

    private mutating func readTags() throws(RoadExtractProblem) {
        var isFirst = true
        try text.open("{", "tags")
        while try text.goesOn(until: "}", &isFirst) {
            let key = try text.name()
            element.tags.append(RoadTags.Tag(key: key, value: try text.string("tags")))
        }
    }

    private mutating func readMembers() throws(RoadExtractProblem) {
        var isFirst = true
        try text.open("[", "members")
        while try text.goesOn(until: "]", &isFirst) {
            if let member = try readMember() { element.members.append(member) }
        }
    }

    /// A member; nil for one of an unknown kind.
    private mutating func readMember() throws(RoadExtractProblem) -> RelationMember? {
        var (type, id, role): (String?, Int64?, String) = (nil, nil, "")
        var isFirst = true
        try text.open("{", "members")
        while try text.goesOn(until: "}", &isFirst) {
            switch try text.name() {
            case "type": type = try text.string("members.type")
            case "ref": id = try text.integer("members.ref")
            case "role": role = try text.string("members.role")
            default: try text.skipValue()
            }
        }
        guard let type else { throw .missing(field: "members.type") }
        guard let id else { throw .missing(field: "members.ref") }
        return RoadElement.Kind(rawValue: type).map { RelationMember(kind: $0, id: id, role: role) }
    }
}
