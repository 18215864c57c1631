// Strings, numbers and truth values of a header's JSON.
private import BridgecastCore

extension HeaderParser {
    /// Reads a string.
    mutating func string() throws(HeaderSyntaxError) -> String {
        skipBlanks()
        guard peek == UInt8(ascii: "\"") else { throw wrongType("a string") }
        let start = position + 1
        var end = start
        var union: UInt8 = 0
        while end < bytes.endIndex {
            let byte = bytes[end]
            union |= byte
            if byte == UInt8(ascii: "\"") {
                position = end + 1
                // Most are ASCII, for which there is nothing to validate.
                if union < 0x80 { return String(decoding: bytes[start..<end], as: UTF8.self) }
                guard let text = String(validating: bytes[start..<end], as: UTF8.self) else {
                    throw fail("a string is not UTF-8")
                }
                return text
            }
            guard byte >= 0x20 else { throw fail("a string holds a control character") }
            if byte == UInt8(ascii: "\\") { return try escapedString(from: start, at: end) }
            end += 1
        }
        throw fail("a string does not end")
    }

    /// Reads a number as `Value` understands its text.
    mutating func number<Value: LosslessStringConvertible>(
        _ type: Value.Type
    ) throws(HeaderSyntaxError) -> Value {
        skipBlanks()
        let start = position
        guard let end = endOfNumber() else { throw wrongType("a number") }
        position = end
        guard let value = Value(String(decoding: bytes[start..<end], as: UTF8.self)) else {
            throw fail("the number is not a possible \(Value.self)")
        }
        return value
    }

    /// Reads a whole number, written without fraction and exponent.
    mutating func integer<Value: FixedWidthInteger & LosslessStringConvertible>(
        _ type: Value.Type
    ) throws(HeaderSyntaxError) -> Value {
        skipBlanks()
        // Most have few digits.
        if let first = peek, (0x31...0x39).contains(first) {
            var value = 0
            var end = position
            while end < bytes.endIndex, end - position < 9, (0x30...0x39).contains(bytes[end]) {
                value = value * 10 + Int(bytes[end] - 0x30)
                end += 1
            }
            let isWhole = end == bytes.endIndex || !Self.continuesNumber(bytes[end])
            if isWhole, let small = Value(exactly: value) {
                position = end
                return small
            }
        }
        return try number(type)
    }

    /// Reads true or false.
    mutating func boolean() throws(HeaderSyntaxError) -> Bool {
        skipBlanks()
        if take("true") { return true }
        if take("false") { return false }
        throw wrongType("true or false")
    }

    /// Whether null comes next; if so, it is read.
    mutating func isNull() -> Bool {
        skipBlanks()
        return take("null")
    }

    // MARK: Parts of values

    private static func continuesNumber(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".")
            || byte | 0x20 == UInt8(ascii: "e")
    }

    /// Where the number that begins here ends, by JSON's grammar.
    private func endOfNumber() -> Int? {
        var end = position
        func digits() -> Int {
            var count = 0
            while end + count < bytes.endIndex, (0x30...0x39).contains(bytes[end + count]) {
                count += 1
            }
            return count
        }
        func at(_ byte: UInt8) -> Bool { end < bytes.endIndex && bytes[end] == byte }
        if at(UInt8(ascii: "-")) { end += 1 }
        let whole = digits()
        guard whole > 0, whole == 1 || bytes[end] != UInt8(ascii: "0") else { return nil }
        end += whole
        if at(UInt8(ascii: ".")) {
            end += 1
            guard digits() > 0 else { return nil }
            end += digits()
        }
        if at(UInt8(ascii: "e")) || at(UInt8(ascii: "E")) {
            end += 1
            if at(UInt8(ascii: "+")) || at(UInt8(ascii: "-")) { end += 1 }
            guard digits() > 0 else { return nil }
            end += digits()
        }
        return end
    }

    private mutating func escapedString(
        from start: Int, at first: Int
    ) throws(HeaderSyntaxError) -> String {
        var units = Array(bytes[start..<first])
        position = first
        while let byte = peek {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: units, as: UTF8.self) else {
                    throw fail("a string is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"): units += Array(String(try escape()).utf8)
            case 0..<0x20: throw fail("a string holds a control character")
            default: units.append(byte)
            }
        }
        throw fail("a string does not end")
    }

    private mutating func escape() throws(HeaderSyntaxError) -> Character {
        do throws(JSONEscape.Problem) {
            return Character(try JSONEscape.character(of: bytes, at: &position))
        } catch {
            let words =
                switch error {
                case .ended: "a string does not end"
                case .unknown: "an escape that JSON does not have"
                case .cutShort: "an escape is cut short"
                case .notHexadecimal: "an escape is not hexadecimal"
                case .halfCharacter: "half a character in an escape"
                }
            throw fail(words)
        }
    }
}
