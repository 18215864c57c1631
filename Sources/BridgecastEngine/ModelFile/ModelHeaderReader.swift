// Reads the JSON of a model header: which fields there are, and what is wrong where. JSONDecoder takes fields that appear
// twice, and most of a millisecond, ten times as long as all else that loading a model takes.
internal import BridgecastSupport
private import BridgecastCore

struct HeaderSyntaxError: Error {
    let reason: String
}

// MARK: - The fields

extension ModelHeader {
    /// Reads a header from the JSON of a model file; fields that are not known are ignored.
    init(json: ArraySlice<UInt8>) throws(HeaderSyntaxError) {
        let header = HeaderField(path: "", value: try HeaderReader.value(of: json))
        self.init(
            name: try header["name"].string(),
            weightFormat: try WeightFormat(header["weightFormat"]),
            schemaHash: try header["schemaHash"].string(), features: [],
            binEdgesMinutes: try header["binEdgesMinutes"].map { field throws(HeaderSyntaxError) in
                try field.number()
            }, bridges: try header["bridges"].map(BridgeEntry.init),
            inputLimit: try header["inputLimit"].number(),
            climatologySlotsPerDay: try header["climatologySlotsPerDay"].number(),
            lengthParameters: try header["lengthParameters"].number(),
            layers: try header["layers"].map(Layer.init),
            provenance: try ModelProvenance(header["provenance"]),
            tensors: try header["tensors"].map(Tensor.init))
        list = try FeatureList(header["features"])
    }
}

extension FeatureList {
    fileprivate init(_ field: HeaderField) throws(HeaderSyntaxError) {
        if case .ownFeatures = field.value {
            self = .own
        } else {
            self.init(try field.map(ModelHeader.Feature.init))
        }
    }
}

extension ModelHeader.Feature {
    fileprivate init(_ field: HeaderField) throws(HeaderSyntaxError) {
        self.init(
            name: try field["name"].string(), unit: try field["unit"].string(),
            low: try field["low"].number(), high: try field["high"].number())
    }
}

extension ModelHeader.BridgeEntry {
    fileprivate init(_ field: HeaderField) throws(HeaderSyntaxError) {
        self.init(id: BridgeID(try field["id"].number()), name: try field["name"].string())
    }
}

extension ModelHeader.Layer {
    fileprivate init(_ field: HeaderField) throws(HeaderSyntaxError) {
        self.init(
            inputs: try field["inputs"].number(), outputs: try field["outputs"].number(),
            relu: try field["relu"].boolean(),
            inputScale: try field.optional("inputScale")?.number(),
            inputZeroPoint: try field.optional("inputZeroPoint")?.number())
    }
}

extension ModelHeader.Tensor {
    fileprivate init(_ field: HeaderField) throws(HeaderSyntaxError) {
        self.init(
            name: try field["name"].string(), dtype: try field["dtype"].string(),
            shape: try field["shape"].map { field throws(HeaderSyntaxError) in try field.number() },
            offset: try field["offset"].number(), byteCount: try field["byteCount"].number())
    }
}

extension ModelProvenance {
    fileprivate init(_ field: HeaderField) throws(HeaderSyntaxError) {
        self.init(
            sources: try field["sources"].map(Source.init),
            fittedFrom: Timestamp(secondsSinceEpoch: try field["fittedFrom"].number()),
            fittedBefore: Timestamp(secondsSinceEpoch: try field["fittedBefore"].number()),
            seed: try field["seed"].number(), commit: try field["commit"].string(),
            settings: try field["settings"].mapValues { field throws(HeaderSyntaxError) in
                try field.string()
            },
            scores: try field["scores"].mapValues { field throws(HeaderSyntaxError) in
                try field.number()
            })
    }
}

extension ModelProvenance.Source {
    fileprivate init(_ field: HeaderField) throws(HeaderSyntaxError) {
        self.init(file: try field["file"].string(), sha256: try field["sha256"].string())
    }
}

extension WeightFormat {
    fileprivate init(_ field: HeaderField) throws(HeaderSyntaxError) {
        guard let format = WeightFormat(rawValue: try field.string()) else {
            throw field.error("is not int8, fp16 or fp32")
        }
        self = format
    }
}

private struct HeaderField {
    let path: String
    let value: HeaderValue

    subscript(name: String) -> HeaderField {
        get throws(HeaderSyntaxError) {
            guard let field = try fields().first(where: { $0.name == name }) else {
                throw HeaderSyntaxError(reason: "field \(path(to: name)) is missing")
            }
            return HeaderField(path: path(to: name), value: field.value)
        }
    }

    /// A field of this object; nil if it is not there or null.
    func optional(_ name: String) throws(HeaderSyntaxError) -> HeaderField? {
        guard let field = try fields().first(where: { $0.name == name }) else { return nil }
        if case .null = field.value { return nil }
        return HeaderField(path: path(to: name), value: field.value)
    }

    func map<Element>(
        _ element: (HeaderField) throws(HeaderSyntaxError) -> Element
    ) throws(HeaderSyntaxError) -> [Element] {
        guard case .array(let values) = value else { throw wrongType("an array") }
        return try values.map { value throws(HeaderSyntaxError) in
            try element(HeaderField(path: path, value: value))
        }
    }

    func mapValues<Value>(
        _ transform: (HeaderField) throws(HeaderSyntaxError) -> Value
    ) throws(HeaderSyntaxError) -> [String: Value] {
        var values: [String: Value] = [:]
        for (name, value) in try fields() {
            values[name] = try transform(HeaderField(path: path(to: name), value: value))
        }
        return values
    }

    func string() throws(HeaderSyntaxError) -> String {
        guard case .string(let text) = value else { throw wrongType("a string") }
        return text
    }

    func boolean() throws(HeaderSyntaxError) -> Bool {
        guard case .boolean(let value) = value else { throw wrongType("true or false") }
        return value
    }

    /// A number as `Value` understands its text: integers have no fraction and no exponent.
    func number<Value: LosslessStringConvertible>() throws(HeaderSyntaxError) -> Value {
        guard case .number(let text) = value else { throw wrongType("a number") }
        guard let value = Value(text) else {
            throw error("the number is not a possible \(Value.self)")
        }
        return value
    }

    func error(_ reason: String) -> HeaderSyntaxError {
        HeaderSyntaxError(reason: "field \(path): \(reason)")
    }

    private func fields() throws(HeaderSyntaxError) -> [(name: String, value: HeaderValue)] {
        guard case .object(let fields) = value else { throw wrongType("an object") }
        return fields
    }

    private func path(to name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    private func wrongType(_ wanted: String) -> HeaderSyntaxError {
        HeaderSyntaxError(
            reason: path.isEmpty
                ? "it is not JSON" : "field \(path) has the wrong type: \(wanted) is needed")
    }
}

// MARK: - The text

/// JSON while it is read; a number by its text.
enum HeaderValue {
    case null
    case boolean(Bool)
    case number(String)
    case string(String)
    case array([HeaderValue])
    case object([(name: String, value: HeaderValue)])
    /// In place of an array: this program's own list of inputs.
    case ownFeatures
}

/// Reads JSON (RFC 8259) strictly: one value, no duplicate field, no nesting beyond ``maxDepth``.
struct HeaderReader {
    /// Levels of objects and arrays.
    static let maxDepth = 8

    private let bytes: ArraySlice<UInt8>
    private var cursor: JSONCursor
    /// Names of the fields that enclose the value at hand, for messages.
    private var path: [String] = []

    /// - Throws: ``HeaderSyntaxError``, which names the field.
    static func value(of bytes: ArraySlice<UInt8>) throws(HeaderSyntaxError) -> HeaderValue {
        var reader = HeaderReader(bytes: bytes, cursor: JSONCursor(of: bytes.span))
        let value = try reader.value(depth: 0)
        guard reader.peek() == nil else { throw reader.error("something follows the object") }
        return value
    }

    private mutating func value(depth: Int) throws(HeaderSyntaxError) -> HeaderValue {
        switch peek() {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return try literal()
        default:
            let start = cursor.position
            guard didStep({ (cursor, bytes) throws(JSONReadingError) in try cursor.number(bytes) })
            else { throw notJSON }
            return .number(String(decoding: text(start..<cursor.position), as: UTF8.self))
        }
    }

    private mutating func literal() throws(HeaderSyntaxError) -> HeaderValue {
        let start = cursor.position
        guard
            didStep({ (cursor, bytes) throws(JSONReadingError) in
                try cursor.skipValue(bytes, depth: 0)
            })
        else { throw notJSON }
        switch cursor.position - start {
        case 4 where bytes[bytes.startIndex + start] == UInt8(ascii: "n"): return .null
        case 4: return .boolean(true)
        default: return .boolean(false)
        }
    }

    private mutating func object(
        depth: Int
    ) throws(HeaderSyntaxError) -> [(name: String, value: HeaderValue)] {
        try check(depth)
        try expect("{")
        var fields: [(name: String, value: HeaderValue)] = []
        while try hasNext(before: "}", isFirst: fields.isEmpty) {
            guard peek() == UInt8(ascii: "\"") else { throw notJSON }
            let name = try string()
            guard !fields.contains(where: { $0.name == name }) else {
                throw error("field '\(name)' appears twice")
            }
            try expect(":")
            path.append(name)
            fields.append((name, try value(depth: depth)))
            path.removeLast()
        }
        return fields
    }

    private mutating func array(depth: Int) throws(HeaderSyntaxError) -> HeaderValue {
        try check(depth)
        if path == ["features"] {
            var list = OwnFeatureText(position: cursor.position)
            if list.take(bytes.span) {
                cursor.position = list.position
                return .ownFeatures
            }
        }
        try expect("[")
        var elements: [HeaderValue] = []
        while try hasNext(before: "]", isFirst: elements.isEmpty) {
            elements.append(try value(depth: depth))
        }
        return .array(elements)
    }

    private mutating func string() throws(HeaderSyntaxError) -> String {
        let string: (slice: FieldSlice, hasEscapes: Bool)
        do throws(JSONReadingError) {
            string = try step { (cursor, bytes) throws(JSONReadingError) in
                try cursor.string(bytes)
            }
        } catch {
            throw self.error(
                error == .incomplete
                    ? "a string does not end" : "a string holds a control character")
        }
        var units = text(string.slice.range)
        if string.hasEscapes {
            guard let decoded = try? JSONCursor.decoded(units) else {
                throw error("a string has an escape that JSON does not have")
            }
            units = decoded[...]
        }
        guard let text = try? UTF8Span(validating: units.span) else {
            throw error("a string is not UTF-8")
        }
        return String(copying: text)
    }

    // MARK: Steps

    /// The next byte that is no blank; nil at the end.
    private mutating func peek() -> UInt8? {
        _ = didStep { (cursor, bytes) throws(JSONReadingError) in try cursor.skipBlanks(bytes) }
        return try? cursor.peek(bytes.span)
    }

    /// Whether another member follows; the comma before it or the closing bracket is read.
    private mutating func hasNext(
        before bracket: Unicode.Scalar, isFirst: Bool
    ) throws(HeaderSyntaxError) -> Bool {
        if peek() == UInt8(ascii: bracket) {
            try expect(bracket)
            return false
        }
        if !isFirst { try expect(",") }
        return true
    }

    private mutating func expect(_ character: Unicode.Scalar) throws(HeaderSyntaxError) {
        guard peek() == UInt8(ascii: character) else { throw error("'\(character)' is missing") }
        cursor.position += 1
    }

    private func check(_ depth: Int) throws(HeaderSyntaxError) {
        guard depth <= Self.maxDepth else { throw error("nested more than \(Self.maxDepth) deep") }
    }

    /// Whether a step succeeds.
    private mutating func didStep(
        _ body: (inout JSONCursor, Span<UInt8>) throws(JSONReadingError) -> Void
    ) -> Bool {
        (try? step(body)) != nil
    }

    /// With one type of error: looking up a generic one takes a tenth of a millisecond of the first forecast.
    private mutating func step<Value>(
        _ body: (inout JSONCursor, Span<UInt8>) throws(JSONReadingError) -> Value
    ) throws(JSONReadingError) -> Value {
        var cursor = cursor
        defer { self.cursor = cursor }
        return try body(&cursor, bytes.span)
    }

    private func text(_ range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
    }

    private var notJSON: HeaderSyntaxError {
        path.isEmpty ? HeaderSyntaxError(reason: "it is not JSON") : error("it is not JSON")
    }

    private func error(_ reason: String) -> HeaderSyntaxError {
        let location =
            path.isEmpty ? "byte \(cursor.position)" : "field \(path.joined(separator: "."))"
        return HeaderSyntaxError(reason: "\(location): \(reason)")
    }
}

// MARK: - The program's own inputs

/// Recognises the list of this program's own inputs as its writer writes it: 58 of a header's 60 kB, of which no name need
/// be made; anything else, such as other inputs or other spacing, is left to the reader of any list.
///
/// The list is known by its length and by the hash of `name|unit|low|high\n` of each input, in which numbers are as in the
/// text: where these are written otherwise than they are hashed, the hash differs.
struct OwnFeatureText {
    private(set) var position: Int
    private var hash = FeatureSchema.emptyHash

    init(position: Int) { self.position = position }

    /// Reads the list; false if another one, or none, is there.
    mutating func take(_ text: Span<UInt8>) -> Bool {
        var count = 0
        guard take("[", text) else { return false }
        repeat {
            guard take("{\"high\":", text), let high = number(text), take(",\"low\":", text),
                let low = number(text), take(",\"name\":\"", text), hashString(text),
                take(",\"unit\":\"", text), hashString(text), take("}", text)
            else { return false }
            hashNumber(text, low, then: "|")
            hashNumber(text, high, then: "\n")
            count += 1
        } while take(",", text)
        return take("]", text) && count == FeatureSchema.count && hash == FeatureSchema.hash
    }

    @inline(__always)
    private mutating func take(_ word: StaticString, _ text: Span<UInt8>) -> Bool {
        let count = word.utf8CodeUnitCount
        guard count <= text.count - position else { return false }
        let start = unsafe word.utf8Start
        for index in 0..<count where unsafe text[position + index] != start[index] { return false }
        position += count
        return true
    }

    /// Where the digits, signs and points are that come next.
    private mutating func number(_ text: Span<UInt8>) -> Range<Int>? {
        let start = position
        while position < text.count,
            (UInt8(ascii: "-")...UInt8(ascii: "9")).contains(text[position])
        {
            position += 1
        }
        return start == position ? nil : start..<position
    }

    /// Hashes a number as Swift prints a Float: whole ones have a point in the hash alone.
    private mutating func hashNumber(
        _ text: Span<UInt8>, _ range: Range<Int>, then separator: Unicode.Scalar
    ) {
        var isWhole = true
        for index in range {
            FeatureSchema.add(text[index], to: &hash)
            if text[index] == UInt8(ascii: ".") { isWhole = false }
        }
        if isWhole {
            FeatureSchema.add(UInt8(ascii: "."), to: &hash)
            FeatureSchema.add(UInt8(ascii: "0"), to: &hash)
        }
        FeatureSchema.add(UInt8(ascii: separator), to: &hash)
    }

    /// Hashes the plain letters up to the next quotation mark, and the separator after them.
    private mutating func hashString(_ text: Span<UInt8>) -> Bool {
        // In registers: 58 kB go through here.
        var hash = hash
        for index in position..<text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                FeatureSchema.add(UInt8(ascii: "|"), to: &hash)
                self.hash = hash
                position = index + 1
                return true
            }
            guard byte &- 0x20 < 0x5f, byte != UInt8(ascii: "|"), byte != UInt8(ascii: "\\")
            else { return false }
            FeatureSchema.add(byte, to: &hash)
        }
        return false
    }
}
