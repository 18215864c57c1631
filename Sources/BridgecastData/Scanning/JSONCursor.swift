// A place in JSON text and the steps that read its grammar (RFC 8259); used by JSONRecordScanner.
//
// The parser of model headers has steps of its own: its text is whole and not yet known to be UTF-8, and it says what
// is wrong where. On this cursor it took twice as long; what both share are the escapes.
internal import BridgecastCore

/// Why a step did not succeed.
package enum JSONStop: Error {
    /// The text breaks the grammar.
    case invalid
    /// The bytes at hand end before the step does.
    case incomplete
}

/// A position in the bytes of a window.
package struct JSONCursor {
    package var position: Int
    let end: Int
    /// Whether nothing follows `end`.
    let isAtEnd: Bool

    /// A cursor at the start of a text that is whole.
    package init(of text: Span<UInt8>) { self.init(position: 0, end: text.count, isAtEnd: true) }

    init(position: Int, end: Int, isAtEnd: Bool) {
        (self.position, self.end, self.isAtEnd) = (position, end, isAtEnd)
    }

    package func peek(_ bytes: Span<UInt8>) throws(JSONStop) -> UInt8 {
        guard position < end else { throw .incomplete }
        return bytes[position]
    }

    package mutating func skipBlanks(_ bytes: Span<UInt8>) throws(JSONStop) {
        while position < end {
            switch bytes[position] {
            case 32, 10, 13, 9: position += 1
            default: return
            }
        }
        throw .incomplete
    }

    package func isOnlyBlankLeft(_ bytes: Span<UInt8>) throws(JSONStop) -> Bool {
        for index in position..<end where ![32, 10, 13, 9].contains(bytes[index]) { return false }
        guard isAtEnd else { throw .incomplete }
        return true
    }

    package mutating func take(
        _ character: Unicode.Scalar, _ bytes: Span<UInt8>
    ) throws(JSONStop) -> Bool {
        guard try peek(bytes) == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    package mutating func expect(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) throws(JSONStop)
    {
        guard try take(character, bytes) else { throw .invalid }
    }

    /// Reads a string; the slice leaves the quotes out.
    package mutating func string(
        _ bytes: Span<UInt8>
    ) throws(JSONStop) -> (slice: FieldSlice, hasEscapes: Bool) {
        try expect("\"", bytes)
        let start = position
        var hasEscapes = false
        while position < end {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return (FieldSlice(start: start, end: position - 1), hasEscapes)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                position += 1
            case 0..<32: throw .invalid
            default: break
            }
        }
        throw .incomplete
    }

    /// Reads a number.
    package mutating func number(_ bytes: Span<UInt8>) throws(JSONStop) {
        _ = try take("-", bytes)
        if try !take("0", bytes) { try digits(bytes) }
        if position < end, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try digits(bytes)
        }
        if position < end, [UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[position]) {
            position += 1
            if try !take("+", bytes) { _ = try take("-", bytes) }
            try digits(bytes)
        }
        guard position < end || isAtEnd else { throw .incomplete }
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(JSONStop) {
        let start = position
        while position < end, (48...57).contains(bytes[position]) { position += 1 }
        guard position > start else {
            if position < end { throw .invalid }
            throw .incomplete
        }
    }

    /// Skips any value.
    ///
    /// - Parameter depth: How many containers it stands in.
    package mutating func skipValue(_ bytes: Span<UInt8>, depth: Int) throws(JSONStop) {
        guard depth <= JSONRecordScanner.mostDepth else { throw .invalid }
        switch try peek(bytes) {
        case UInt8(ascii: "\""):
            let (slice, hasEscapes) = try string(bytes)
            if hasEscapes { _ = try Self.decoded(slice.range.map { bytes[$0] }[...]) }
        case UInt8(ascii: "-"), 48...57: try number(bytes)
        case UInt8(ascii: "t"): try literal("true", bytes)
        case UInt8(ascii: "f"): try literal("false", bytes)
        case UInt8(ascii: "n"): try literal("null", bytes)
        case UInt8(ascii: "["): try skipContainer(bytes, until: "]", hasNames: false, depth: depth)
        case UInt8(ascii: "{"): try skipContainer(bytes, until: "}", hasNames: true, depth: depth)
        default: throw .invalid
        }
    }

    private mutating func skipContainer(
        _ bytes: Span<UInt8>, until close: Unicode.Scalar, hasNames: Bool, depth: Int
    ) throws(JSONStop) {
        position += 1
        try skipBlanks(bytes)
        if try take(close, bytes) { return }
        while true {
            try skipBlanks(bytes)
            if hasNames {
                _ = try string(bytes)
                try skipBlanks(bytes)
                try expect(":", bytes)
                try skipBlanks(bytes)
            }
            try skipValue(bytes, depth: depth + 1)
            try skipBlanks(bytes)
            if try take(close, bytes) { return }
            try expect(",", bytes)
        }
    }

    private mutating func literal(_ word: String, _ bytes: Span<UInt8>) throws(JSONStop) {
        for byte in word.utf8 {
            guard try peek(bytes) == byte else { throw .invalid }
            position += 1
        }
    }

    /// The text of a string with escapes.
    package static func decoded(_ slice: ArraySlice<UInt8>) throws(JSONStop) -> [UInt8] {
        var text: [UInt8] = []
        var position = slice.startIndex
        while position < slice.endIndex {
            let byte = slice[position]
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            do throws(JSONEscape.Problem) {
                text += String(try JSONEscape.character(of: slice, at: &position)).utf8
            } catch {
                throw .invalid
            }
        }
        return text
    }
}
