internal import BridgecastCore
internal import BridgecastSupport

/// Reads an extract in Overpass's JSON.
///
/// The format: https://wiki.openstreetmap.org/wiki/OSM_JSON. Fields may come in any order; unknown ones are skipped.
/// Foundation's decoder takes several times as long and does not locate errors.
struct OverpassReader {
    private var text: JSONText
    private var builder: RoadExtractBuilder
    private var element = Element()

    private struct Element {
        var hasType = false
        var kind: RoadElement.Kind?
        var id: Int64?
        var latitude: Double?
        var longitude: Double?
        var nodes: [Int64] = []
        var tags: [RoadTags.Tag] = []
        var members: [RelationMember] = []

        var element: RoadElement? {
            guard let kind, let id else { return nil }
            return RoadElement(kind: kind, id: id)
        }
    }

    /// Reads a text, which may begin with a byte order mark.
    static func read(
        _ bytes: [UInt8], _ limits: ReadingLimits
    ) throws(RoadExtractDefect) -> RoadExtractBuilder {
        var reader = OverpassReader(
            text: JSONText(bytes, from: ExtractFormat.startOfText(bytes)),
            builder: RoadExtractBuilder(limits))
        do throws(RoadExtractProblem) {
            try reader.readDocument()
            return reader.builder
        } catch {
            if case .other = error { throw RoadExtractDefect(error) }
            throw RoadExtractDefect(
                error, element: reader.element.element, byte: reader.text.position)
        }
    }

    private mutating func readDocument() throws(RoadExtractProblem) {
        var hasElements = false
        var isGeoJSON = false
        var isFirst = true
        try text.open("{", "the file")
        while try text.hasNext(before: "}", &isFirst) {
            switch try text.name() {
            case "elements":
                hasElements = true
                try readElements()
            case "osm3s": try readOrigin()
            case "remark":
                let remark = try text.string("remark")
                if remark.contains("error") { throw .incomplete(remark) }
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
        while try text.hasNext(before: "}", &isFirst) {
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
        while try text.hasNext(before: "]", &isFirst) { try readElement() }
    }

    private mutating func readElement() throws(RoadExtractProblem) {
        element.hasType = false
        element.kind = nil
        element.id = nil
        element.latitude = nil
        element.longitude = nil
        element.nodes.removeAll(keepingCapacity: true)
        element.tags.removeAll(keepingCapacity: true)
        element.members.removeAll(keepingCapacity: true)
        var isFirst = true
        guard try text.begins(with: "{") else { throw .elements }
        try text.open("{", "elements")
        while try text.hasNext(before: "}", &isFirst) {
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
        // Errors after this element are not located in it.
        element.kind = nil
        element.id = nil
    }

    private mutating func addElement() throws(RoadExtractProblem) {
        guard element.hasType else { throw .missing(field: "type") }
        // An area, or a count of elements.
        guard let kind = element.kind else { return }
        guard let id = element.id else { throw .missing(field: "id") }
        let tags = RoadTags(element.tags)
        switch kind {
        case .node:
            guard let latitude = element.latitude else { throw .missing(field: "lat") }
            guard let longitude = element.longitude else { throw .missing(field: "lon") }
            try builder.add(node: id, latitude: latitude, longitude: longitude, tags: tags)
        case .way: try builder.add(way: id, nodes: element.nodes, tags: tags)
        case .relation: try builder.add(relation: id, members: element.members, tags: tags)
        }
    }

    private mutating func readNodes() throws(RoadExtractProblem) {
        var isFirst = true
        try text.open("[", "nodes")
        while try text.hasNext(before: "]", &isFirst) {
            element.nodes.append(try text.integer("nodes"))
        }
    }

    private mutating func readTags() throws(RoadExtractProblem) {
        var isFirst = true
        try text.open("{", "tags")
        while try text.hasNext(before: "}", &isFirst) {
            let key = try text.name()
            element.tags.append(RoadTags.Tag(key: key, value: try text.string("tags")))
        }
    }

    private mutating func readMembers() throws(RoadExtractProblem) {
        var isFirst = true
        try text.open("[", "members")
        while try text.hasNext(before: "]", &isFirst) {
            if let member = try readMember() { element.members.append(member) }
        }
    }

    /// A member; nil if its kind is unknown.
    private mutating func readMember() throws(RoadExtractProblem) -> RelationMember? {
        var type: String?
        var id: Int64?
        var role = ""
        var isFirst = true
        try text.open("{", "members")
        while try text.hasNext(before: "}", &isFirst) {
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

/// A position in a complete JSON text: the steps of `JSONCursor` with the errors of extracts.
private struct JSONText {
    private let bytes: [UInt8]
    private var cursor: JSONCursor
    private var texts = SharedTexts()

    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        cursor = JSONCursor(of: bytes.span)
        cursor.position = start
    }

    var position: Int { min(cursor.position, bytes.count) }

    mutating func begins(with character: Unicode.Scalar) throws(RoadExtractProblem) -> Bool {
        try step { cursor, bytes throws(JSONReadingError) in try cursor.peek(bytes) }
            == UInt8(ascii: character)
    }

    mutating func open(_ character: Unicode.Scalar, _ field: String) throws(RoadExtractProblem) {
        guard try begins(with: character) else {
            throw .wrong(field: field, wanted: character == "{" ? "an object" : "a list")
        }
        cursor.position += 1
    }

    /// Moves to the next entry of an object or list; false after its end.
    mutating func hasNext(
        before close: Unicode.Scalar, _ isFirst: inout Bool
    ) throws(RoadExtractProblem) -> Bool {
        let wasFirst = isFirst
        isFirst = false
        return try step { cursor, bytes throws(JSONReadingError) in
            try cursor.skipBlanks(bytes)
            if try cursor.take(close, bytes) { return false }
            if !wasFirst {
                try cursor.expect(",", bytes)
                try cursor.skipBlanks(bytes)
            }
            return true
        }
    }

    /// Reads the name of an object's field and moves to its value.
    mutating func name() throws(RoadExtractProblem) -> String {
        let name = try text()
        try step { cursor, bytes throws(JSONReadingError) in
            try cursor.skipBlanks(bytes)
            try cursor.expect(":", bytes)
            try cursor.skipBlanks(bytes)
        }
        return name
    }

    mutating func string(_ field: String) throws(RoadExtractProblem) -> String {
        guard try begins(with: "\"") else { throw .wrong(field: field, wanted: "text") }
        return try text()
    }

    mutating func integer(_ field: String) throws(RoadExtractProblem) -> Int64 {
        let range = try number(field)
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        var number: Int64 = 0
        for index in range.dropFirst(isNegative ? 1 : 0) {
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.subtractingReportingOverflow(Int64(bytes[index]) - 48)
            guard (48...57).contains(bytes[index]), !isTooLarge, !overflows else {
                throw .wrong(field: field, wanted: "a whole number of 64 bits")
            }
            number = sum
        }
        guard isNegative || number > .min else {
            throw .wrong(field: field, wanted: "a whole number of 64 bits")
        }
        return isNegative ? number : -number
    }

    /// Reads the number value of a field; one that is too large is infinite.
    mutating func decimal(_ field: String) throws(RoadExtractProblem) -> Double {
        let range = try number(field)
        guard let number = Double(String(decoding: bytes[range], as: UTF8.self)) else {
            throw .wrong(field: field, wanted: "a number")
        }
        return number
    }

    mutating func skipValue() throws(RoadExtractProblem) {
        try step { cursor, bytes throws(JSONReadingError) in try cursor.skipValue(bytes, depth: 1) }
    }

    /// Checks that nothing but blanks follows.
    mutating func end() throws(RoadExtractProblem) {
        let isOver = try step { cursor, bytes throws(JSONReadingError) in
            try cursor.isOnlyBlankLeft(bytes)
        }
        guard isOver else { throw .brokenJSON }
    }

    private mutating func number(_ field: String) throws(RoadExtractProblem) -> Range<Int> {
        let first = try step { cursor, bytes throws(JSONReadingError) in try cursor.peek(bytes) }
        guard first == UInt8(ascii: "-") || (48...57).contains(first) else {
            throw .wrong(field: field, wanted: "a number")
        }
        let start = cursor.position
        try step { cursor, bytes throws(JSONReadingError) in try cursor.number(bytes) }
        return start..<cursor.position
    }

    private mutating func text() throws(RoadExtractProblem) -> String {
        let (slice, hasEscapes) = try step { cursor, bytes throws(JSONReadingError) in
            try cursor.string(bytes)
        }
        guard hasEscapes else { return try texts.text(bytes[slice.range]) }
        let escaped = bytes[slice.range]
        let text = try step { _, _ throws(JSONReadingError) in try JSONCursor.decoded(escaped) }
        return try texts.text(text[...])
    }

    /// Performs a step and translates its error.
    private mutating func step<Value>(
        _ step: (inout JSONCursor, Span<UInt8>) throws(JSONReadingError) -> Value
    ) throws(RoadExtractProblem) -> Value {
        var next = cursor
        defer { cursor = next }
        do throws(JSONReadingError) {
            return try step(&next, bytes.span)
        } catch {
            switch error {
            case .invalid, .unrepresentable: throw .brokenJSON
            case .incomplete: throw .cutShort
            }
        }
    }
}

/// Decodes strings, sharing those that occur thousands of times, such as names of streets.
private struct SharedTexts {
    private var texts: Set<String> = []
    /// Swift stores strings up to this length inline, bytes.
    private static let maxInlineBytes = 15

    /// The string of UTF-8 bytes.
    mutating func text(_ bytes: ArraySlice<UInt8>) throws(RoadExtractProblem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        return text.utf8.count <= Self.maxInlineBytes ? text : texts.insert(text).memberAfterInsert
    }
}
