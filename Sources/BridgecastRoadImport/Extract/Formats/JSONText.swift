// A JSON text that is whole, with the steps that OverpassReader takes and one way of saying why not.
internal import BridgecastData

/// A place in a JSON text.
struct JSONText {
    private let bytes: [UInt8]
    private var cursor: JSONCursor
    private var texts = SharedTexts()

    /// A text from a place on.
    init(_ bytes: [UInt8], from start: Int) {
        self.bytes = bytes
        cursor = JSONCursor(of: bytes.span)
        cursor.position = start
    }

    /// The byte that is read next.
    var position: Int { min(cursor.position, bytes.count) }

    /// Whether a value begins here that is of a kind told by its first character.
    mutating func begins(with character: Unicode.Scalar) throws(RoadExtractProblem) -> Bool {
        try step { cursor, bytes throws(JSONStop) in try cursor.peek(bytes) }
            == UInt8(ascii: character)
    }

    /// Opens an object or list, which has to be here.
    mutating func open(
        _ character: Unicode.Scalar, _ field: String
    ) throws(RoadExtractProblem) {
        guard try begins(with: character) else {
            throw .wrong(field: field, wanted: character == "{" ? "an object" : "a list")
        }
        cursor.position += 1
    }

    /// Moves to the next entry of what was opened; false behind its end.
    mutating func goesOn(
        until close: Unicode.Scalar, _ isFirst: inout Bool
    ) throws(RoadExtractProblem) -> Bool {
        let wasFirst = isFirst
        isFirst = false
        return try step { cursor, bytes throws(JSONStop) in
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
        try step { cursor, bytes throws(JSONStop) in
            try cursor.skipBlanks(bytes)
            try cursor.expect(":", bytes)
            try cursor.skipBlanks(bytes)
        }
        return name
    }

    /// Reads a string that is a field's value.
    mutating func string(_ field: String) throws(RoadExtractProblem) -> String {
        guard try begins(with: "\"") else { throw .wrong(field: field, wanted: "text") }
        return try text()
    }

    /// Reads a whole number that is a field's value.
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

    /// Reads a number that is a field's value; one that is too large is infinite.
    mutating func decimal(_ field: String) throws(RoadExtractProblem) -> Double {
        let range = try number(field)
        guard let number = Double(String(decoding: bytes[range], as: UTF8.self)) else {
            throw .wrong(field: field, wanted: "a number")
        }
        return number
    }

    /// Moves behind a value.
    mutating func skipValue() throws(RoadExtractProblem) {
        try step { cursor, bytes throws(JSONStop) in try cursor.skipValue(bytes, depth: 1) }
    }

    /// Checks that nothing follows.
    mutating func end() throws(RoadExtractProblem) {
        let isOver = try step { cursor, bytes throws(JSONStop) in
            try cursor.isOnlyBlankLeft(bytes)
        }
        guard isOver else { throw .brokenJSON }
    }

    private mutating func number(_ field: String) throws(RoadExtractProblem) -> Range<Int> {
        let first = try step { cursor, bytes throws(JSONStop) in try cursor.peek(bytes) }
        guard first == UInt8(ascii: "-") || (48...57).contains(first) else {
            throw .wrong(field: field, wanted: "a number")
        }
        let start = cursor.position
        try step { cursor, bytes throws(JSONStop) in try cursor.number(bytes) }
        return start..<cursor.position
    }

    private mutating func text() throws(RoadExtractProblem) -> String {
        let (slice, hasEscapes) = try step { cursor, bytes throws(JSONStop) in
            try cursor.string(bytes)
        }
        guard hasEscapes else { return try texts.text(bytes[slice.range]) }
        let escaped = bytes[slice.range]
        let text = try step { _, _ throws(JSONStop) in try JSONCursor.decoded(escaped) }
        return try texts.text(text[...])
    }

    /// Takes a step of the grammar.
    private mutating func step<Value>(
        _ step: (inout JSONCursor, Span<UInt8>) throws(JSONStop) -> Value
    ) throws(RoadExtractProblem) -> Value {
        var next = cursor
        defer { cursor = next }
        do throws(JSONStop) {
            return try step(&next, bytes.span)
        } catch {
            switch error {
            case .invalid: throw .brokenJSON
            case .incomplete: throw .cutShort
            }
        }
    }
}
