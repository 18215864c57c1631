// The escapes of JSON's strings (RFC 8259), said once for both who read JSON without Foundation: the parser of model
// headers and the scanner of records.

/// Reads escapes.
package enum JSONEscape {
    /// Why an escape cannot be read.
    package enum Problem: Error {
        /// The text ends behind the backslash.
        case ended
        case unknown
        case cutShort
        case notHexadecimal
        case halfCharacter
    }

    /// The character of an escape.
    ///
    /// - Parameter position: Behind the backslash; moved behind what is understood.
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

    /// The character with a number, or with the two numbers that are its halves.
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
