// Reads the JSON of a model header straight into its fields. Foundation's decoder takes most of a
// millisecond for it, ten times as long as all else that loading a model takes. Tables of code paths are read by
// it too.

/// Why a header cannot be read.
struct HeaderSyntaxError: Error {
    let reason: String
}

/// A reader of JSON (RFC 8259) that hands out one value after another and allocates nothing but strings.
///
/// It is strict: one value to the file, no duplicate field, no nesting beyond ``deepest``.
struct HeaderParser {
    /// Levels of objects and arrays.
    static let deepest = 8

    let bytes: ArraySlice<UInt8>
    var position: Int
    private var depth = 0
    /// Where the parser is, for messages: `layers[2].inputs`.
    private(set) var path: [String] = []

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Reads an object; `field` reads the value of each of its fields or skips it.
    mutating func object(
        _ required: [String],
        _ field: (String, inout HeaderParser) throws(HeaderSyntaxError) -> Void
    ) throws(HeaderSyntaxError) {
        try open(UInt8(ascii: "{"), "an object")
        var seen: [String] = []
        seen.reserveCapacity(required.count)
        var isFirst = true
        while try next(UInt8(ascii: "}"), &isFirst) {
            let name = try string()
            guard !seen.contains(name) else { throw fail("field '\(name)' stands twice") }
            seen.append(name)
            try expect(UInt8(ascii: ":"))
            path.append(name)
            try field(name, &self)
            path.removeLast()
        }
        depth -= 1
        for name in required where !seen.contains(name) {
            throw HeaderSyntaxError(
                reason: "field \((path + [name]).joined(separator: ".")) is missing")
        }
    }

    /// Reads an array; `element` reads each of its values.
    mutating func array<Element>(
        _ element: (inout HeaderParser) throws(HeaderSyntaxError) -> Element
    ) throws(HeaderSyntaxError) -> [Element] {
        try open(UInt8(ascii: "["), "an array")
        var elements: [Element] = []
        var isFirst = true
        while try next(UInt8(ascii: "]"), &isFirst) { elements.append(try element(&self)) }
        depth -= 1
        return elements
    }

    /// Reads a value of any kind and forgets it.
    mutating func skip() throws(HeaderSyntaxError) {
        skipBlanks()
        switch peek {
        case UInt8(ascii: "{"):
            try object([]) { (_, parser) throws(HeaderSyntaxError) in try parser.skip() }
        case UInt8(ascii: "["):
            _ = try array { (parser) throws(HeaderSyntaxError) in try parser.skip() }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try boolean()
        case UInt8(ascii: "n") where isNull(): break
        default: _ = try number(Double.self)
        }
    }

    /// Checks that nothing but blanks is left.
    mutating func finish() throws(HeaderSyntaxError) {
        skipBlanks()
        guard position == bytes.endIndex else {
            throw fail("something follows the object")
        }
    }

    /// An error at the present field.
    func fail(_ reason: String) -> HeaderSyntaxError {
        let place = path.isEmpty ? "byte \(position)" : "field \(path.joined(separator: "."))"
        return HeaderSyntaxError(reason: "\(place): \(reason)")
    }

    // MARK: Pieces

    var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    func wrongType(_ wanted: String) -> HeaderSyntaxError {
        if path.isEmpty { return HeaderSyntaxError(reason: "it is not JSON") }
        return HeaderSyntaxError(
            reason: "field \(path.joined(separator: ".")) has the wrong type: \(wanted) is needed")
    }

    private mutating func open(_ byte: UInt8, _ what: String) throws(HeaderSyntaxError) {
        skipBlanks()
        guard peek == byte else { throw wrongType(what) }
        guard depth < Self.deepest else { throw fail("nested more than \(Self.deepest) deep") }
        position += 1
        depth += 1
    }

    /// Whether another member follows: reads the comma before it, or the closing byte.
    private mutating func next(
        _ close: UInt8, _ isFirst: inout Bool
    ) throws(HeaderSyntaxError) -> Bool {
        skipBlanks()
        if peek == close {
            position += 1
            return false
        }
        if !isFirst { try expect(UInt8(ascii: ",")) }
        isFirst = false
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(HeaderSyntaxError) {
        skipBlanks()
        guard peek == byte else {
            throw fail("'\(Character(UnicodeScalar(byte)))' is missing")
        }
        position += 1
    }

    mutating func take(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.endIndex else { return false }
        let text = word.withUTF8Buffer { unsafe Array($0) }
        guard bytes[position..<end].elementsEqual(text) else { return false }
        position = end
        return true
    }

    mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
            position += 1
        }
    }
}
