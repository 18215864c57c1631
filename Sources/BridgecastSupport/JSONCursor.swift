// Reading JSON (RFC 8259) step by step, where decoding is too slow or too strict; everything else is decoded (JSONDocuments).
/// Why a step did not succeed.
package enum JSONReadingError: Error {
    /// The text breaks the grammar.
    case invalid
    /// The available bytes end before the step does.
    case incomplete
    /// A number is too large for a double, or has an exponent and is too close to zero for one.
    case unrepresentable

    /// ``unrepresentable`` for people.
    package static let unrepresentableText = "the number is too large, or too close to zero"
}

/// A position in the bytes of a window and the steps that read JSON there.
package struct JSONCursor {
    /// Deeper nesting is refused.
    package static let maxNestingDepth = 32

    package var position: Int
    package let end: Int
    /// Whether nothing follows `end`.
    package let isAtEnd: Bool

    /// A cursor at the start of a complete text.
    package init(of text: Span<UInt8>) { self.init(position: 0, end: text.count, isAtEnd: true) }

    package init(position: Int, end: Int, isAtEnd: Bool) {
        self.position = position
        self.end = end
        self.isAtEnd = isAtEnd
    }

    /// The line and the column in characters of the position, from 1 on; O(position).
    package func location(_ bytes: Span<UInt8>) -> (line: Int, column: Int) {
        var line = 1
        var start = 0
        // An escape at the end of a text leads beyond it.
        let position = min(position, bytes.count)
        for index in 0..<position where bytes[index] == UInt8(ascii: "\n") {
            line += 1
            start = index + 1
        }
        let before = (start..<position).map { bytes[$0] }
        return (line, String(decoding: before, as: UTF8.self).count + 1)
    }

    package func peek(_ bytes: Span<UInt8>) throws(JSONReadingError) -> UInt8 {
        guard position < end else { throw .incomplete }
        return bytes[position]
    }

    package mutating func skipBlanks(_ bytes: Span<UInt8>) throws(JSONReadingError) {
        while position < end {
            switch bytes[position] {
            case 32, 10, 13, 9: position += 1
            default: return
            }
        }
        throw .incomplete
    }

    package func isOnlyBlankLeft(_ bytes: Span<UInt8>) throws(JSONReadingError) -> Bool {
        for index in position..<end where ![32, 10, 13, 9].contains(bytes[index]) { return false }
        guard isAtEnd else { throw .incomplete }
        return true
    }

    package mutating func take(
        _ character: Unicode.Scalar, _ bytes: Span<UInt8>
    ) throws(JSONReadingError) -> Bool {
        guard try peek(bytes) == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    package mutating func expect(
        _ character: Unicode.Scalar, _ bytes: Span<UInt8>
    ) throws(JSONReadingError) {
        guard try take(character, bytes) else { throw .invalid }
    }

    /// Reads a string; the slice is without the quotes.
    package mutating func string(
        _ bytes: Span<UInt8>
    ) throws(JSONReadingError) -> (slice: FieldSlice, hasEscapes: Bool) {
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

    package mutating func number(_ bytes: Span<UInt8>) throws(JSONReadingError) {
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

    private mutating func digits(_ bytes: Span<UInt8>) throws(JSONReadingError) {
        let start = position
        while position < end, (48...57).contains(bytes[position]) { position += 1 }
        guard position > start else {
            if position < end { throw .invalid }
            throw .incomplete
        }
    }

    /// - Parameter depth: The number of containers around it.
    package mutating func skipValue(_ bytes: Span<UInt8>, depth: Int) throws(JSONReadingError) {
        guard depth <= Self.maxNestingDepth else { throw .invalid }
        switch try peek(bytes) {
        case UInt8(ascii: "\""):
            let (slice, hasEscapes) = try string(bytes)
            if hasEscapes { _ = try Self.decoded(slice.range.map { bytes[$0] }[...]) }
        case UInt8(ascii: "-"), 48...57: try number(bytes)
        case UInt8(ascii: "t"): try literal("true", bytes)
        case UInt8(ascii: "f"): try literal("false", bytes)
        case UInt8(ascii: "n"): try literal("null", bytes)
        case UInt8(ascii: "["):
            position += 1
            var count = 0
            while try hasElement(after: count, bytes) {
                try skipValue(bytes, depth: depth + 1)
                count += 1
            }
        case UInt8(ascii: "{"):
            var isFirst = true
            while try name(isFirst: isFirst, bytes) != nil {
                isFirst = false
                try skipValue(bytes, depth: depth + 1)
            }
        default: throw .invalid
        }
    }

    private mutating func literal(_ word: String, _ bytes: Span<UInt8>) throws(JSONReadingError) {
        for byte in word.utf8 {
            guard try peek(bytes) == byte else { throw .invalid }
            position += 1
        }
    }

    package static func decoded(_ slice: ArraySlice<UInt8>) throws(JSONReadingError) -> [UInt8] {
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

    /// Reads the next name of an object and moves to its value; nil after `}`.
    ///
    /// - Parameter isFirst: Whether the object's `{` has yet to be read.
    package mutating func name(
        isFirst: Bool, _ bytes: Span<UInt8>
    ) throws(JSONReadingError) -> (slice: FieldSlice, hasEscapes: Bool)? {
        if isFirst { try expect("{", bytes) }
        try skipBlanks(bytes)
        if try take("}", bytes) { return nil }
        if !isFirst {
            try expect(",", bytes)
            try skipBlanks(bytes)
        }
        let name = try string(bytes)
        try skipBlanks(bytes)
        try expect(":", bytes)
        try skipBlanks(bytes)
        return name
    }

    /// Whether another element of a list follows, and moves to it; false after `]`.
    ///
    /// - Parameter count: The number of its elements that have been read.
    package mutating func hasElement(
        after count: Int, _ bytes: Span<UInt8>
    ) throws(JSONReadingError) -> Bool {
        try skipBlanks(bytes)
        if try take("]", bytes) { return false }
        if count > 0 {
            try expect(",", bytes)
            try skipBlanks(bytes)
        }
        return true
    }

    package mutating func isNull(_ bytes: Span<UInt8>) throws(JSONReadingError) -> Bool {
        guard try peek(bytes) == UInt8(ascii: "n") else { return false }
        try skipValue(bytes, depth: 0)
        return true
    }

    /// Reads a string; one that is not UTF-8 is invalid.
    package mutating func text(_ bytes: Span<UInt8>) throws(JSONReadingError) -> String {
        let (slice, hasEscapes) = try string(bytes)
        guard !hasEscapes else {
            let decoded = try Self.decoded(slice.range.map { bytes[$0] }[...])
            guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalid }
            return text
        }
        guard let text = try? UTF8Span(validating: bytes.extracting(slice.range)) else {
            throw .invalid
        }
        return String(copying: text)
    }

    /// Reads a number; one that no double holds is unrepresentable.
    package mutating func decimal(_ bytes: Span<UInt8>) throws(JSONReadingError) -> Double {
        let start = position
        try number(bytes)
        if let number = bytes.shortDecimal(start..<position) { return number }
        guard let text = try? UTF8Span(validating: bytes.extracting(start..<position)),
            let number = Double(String(copying: text)), number.isNormal
        else { throw .unrepresentable }
        return number
    }
}

extension Span<UInt8> {
    /// The number of up to 15 digits without exponent, correctly rounded; nil for any other number.
    ///
    /// A double holds both its digits and the power of ten that they are divided by: only the quotient is rounded.
    fileprivate func shortDecimal(_ range: Range<Int>) -> Double? {
        var digits = 0
        var scale = 1
        var count = 0
        let isNegative = self[range.lowerBound] == UInt8(ascii: "-")
        var isFraction = false
        for index in (isNegative ? range.lowerBound + 1 : range.lowerBound)..<range.upperBound {
            let byte = self[index]
            if byte == UInt8(ascii: ".") {
                isFraction = true
                continue
            }
            guard byte >= 48, byte <= 57, count < 15 else { return nil }
            digits = digits * 10 + Int(byte) - 48
            count += 1
            if isFraction { scale *= 10 }
        }
        let number = Double(digits) / Double(scale)
        return isNegative ? -number : number
    }
}

/// The names of fields that an object may have, and which of them the current object had.
package struct FieldNameMatcher<Name: CodingKey & CaseIterable & Sendable> {
    private let names: [(name: Name, bytes: [UInt8])]
    /// The index of the name that is likely next: objects mostly have their fields in one order.
    private var expected = 0
    /// A bit for each name that was found.
    private var found: UInt64 = 0
    /// Whether no field of the current object has been read.
    private var isFirst = true

    package init() { names = Name.allCases.map { ($0, Array($0.stringValue.utf8)) } }

    /// Prepares for the next object.
    package mutating func begin() {
        expected = 0
        found = 0
        isFirst = true
    }

    /// Moves to the next value; nil after the last; unknown, repeated, escaped names are invalid.
    package mutating func next(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(JSONReadingError) -> Name? {
        guard let (slice, hasEscapes) = try cursor.name(isFirst: isFirst, bytes) else { return nil }
        isFirst = false
        guard !hasEscapes, case .field(let name) = match(slice, bytes) else { throw .invalid }
        return name
    }

    package enum Match {
        /// A field that the current object did not have yet.
        case field(Name)
        case repeated
        case unknown
    }

    /// The meaning of a name without escapes.
    package mutating func match(_ slice: FieldSlice, _ bytes: Span<UInt8>) -> Match {
        for offset in names.indices {
            let sum = expected + offset
            let index = sum < names.count ? sum : sum - names.count
            let (name, spelling) = names[index]
            guard spelling.count == slice.end - slice.start,
                bytes.holds(spelling.span, at: slice.start)
            else { continue }
            let bit: UInt64 = 1 << UInt64(index)
            guard found & bit == 0 else { return .repeated }
            found |= bit
            expected = index + 1 < names.count ? index + 1 : 0
            return .field(name)
        }
        return .unknown
    }
}

package enum JSONEscape {
    /// Why an escape cannot be read.
    package enum Problem: Error {
        /// The text ends after the backslash.
        case ended
        case unknown
        case cutShort
        case notHexadecimal
        case halfCharacter
    }

    /// The character of an escape.
    ///
    /// - Parameter position: The index after the backslash; moved past the escape.
    package static func character(
        of text: ArraySlice<UInt8>, at position: inout Int
    ) throws(Problem) -> Unicode.Scalar {
        guard position < text.endIndex else { throw .ended }
        let kind = text[position]
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try numbered(text, &position)
        default: throw .unknown
        }
    }

    /// The character of `\\uXXXX`, or of two of them that are a surrogate pair.
    private static func numbered(
        _ text: ArraySlice<UInt8>, _ position: inout Int
    ) throws(Problem) -> Unicode.Scalar {
        let high = try unit(text, &position)
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard (0xd800..<0xdc00).contains(high), text[position...].starts(with: [0x5c, 0x75]) else {
            throw .halfCharacter
        }
        position += 2
        let low = try unit(text, &position)
        guard (0xdc00..<0xe000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xd800) << 10 + (low - 0xdc00))
        else { throw .halfCharacter }
        return scalar
    }

    private static func unit(
        _ text: ArraySlice<UInt8>, _ position: inout Int
    ) throws(Problem) -> UInt32 {
        guard position + 4 <= text.endIndex else { throw .cutShort }
        var unit: UInt32 = 0
        for byte in text[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw .notHexadecimal
            }
            unit = unit << 4 | UInt32(digit)
        }
        position += 4
        return unit
    }
}
