// Recognises this program's own list of inputs in a header: 58 of its 60 kB, of which no name is made.
private import BridgecastCore

extension HeaderParser {
    /// Reads the list of inputs if it is this program's own as its writer writes it.
    ///
    /// Anything else, be it other inputs, other spacing or no JSON at all, is left where it is: the
    /// reader of any list has to say what it is.
    /// - Returns: Whether it was read.
    mutating func takeOwnFeatures() -> Bool {
        skipBlanks()
        let rest = bytes[position...]
        guard let length = Self.lengthOfOwnFeatures(rest.span) else { return false }
        position += length
        return true
    }

    /// How many bytes a text begins with that are this program's own list, or nil.
    ///
    /// The list is known by its number and by the hash of `name|unit|low|high\n` of each input, in
    /// which numbers stand as in the text: where these are not written as they are hashed, the hash
    /// is another.
    private static func lengthOfOwnFeatures(_ text: Span<UInt8>) -> Int? {
        var (position, count, hash) = (0, 0, FeatureSchema.emptyHash)
        guard take("[", text, &position) else { return nil }
        repeat {
            guard take("{\"high\":", text, &position),
                let high = number(text, &position), take(",\"low\":", text, &position),
                let low = number(text, &position), take(",\"name\":\"", text, &position),
                addString(text, &position, to: &hash), take(",\"unit\":\"", text, &position),
                addString(text, &position, to: &hash), take("}", text, &position)
            else { return nil }
            add(text, low, to: &hash)
            FeatureSchema.add(UInt8(ascii: "|"), to: &hash)
            add(text, high, to: &hash)
            FeatureSchema.add(UInt8(ascii: "\n"), to: &hash)
            count += 1
        } while take(",", text, &position)
        guard take("]", text, &position), count == FeatureSchema.count, hash == FeatureSchema.hash
        else { return nil }
        return position
    }

    @inline(__always)
    private static func take(
        _ word: StaticString, _ text: Span<UInt8>, _ position: inout Int
    ) -> Bool {
        let count = word.utf8CodeUnitCount
        guard count <= text.count - position else { return false }
        let start = unsafe word.utf8Start
        for index in 0..<count where unsafe text[position + index] != start[index] { return false }
        position += count
        return true
    }

    /// Where the digits, signs and points are that stand here.
    private static func number(_ text: Span<UInt8>, _ position: inout Int) -> Range<Int>? {
        let start = position
        while position < text.count,
            (UInt8(ascii: "-")...UInt8(ascii: "9")).contains(text[position])
        {
            position += 1
        }
        return start == position ? nil : start..<position
    }

    /// Adds a number as Swift prints a Float: whole ones have a point in the hash alone.
    private static func add(_ text: Span<UInt8>, _ range: Range<Int>, to hash: inout UInt64) {
        var isWhole = true
        for index in range {
            FeatureSchema.add(text[index], to: &hash)
            if text[index] == UInt8(ascii: ".") { isWhole = false }
        }
        guard isWhole else { return }
        FeatureSchema.add(UInt8(ascii: "."), to: &hash)
        FeatureSchema.add(UInt8(ascii: "0"), to: &hash)
    }

    /// Adds the plain letters up to the next quotation mark, and the separator that follows them.
    private static func addString(
        _ text: Span<UInt8>, _ position: inout Int, to hash: inout UInt64
    ) -> Bool {
        while position < text.count {
            let byte = text[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                FeatureSchema.add(UInt8(ascii: "|"), to: &hash)
                return true
            case UInt8(ascii: "|"), UInt8(ascii: "\\"), 0..<0x20, 0x7f...: return false
            default: FeatureSchema.add(byte, to: &hash)
            }
        }
        return false
    }
}
