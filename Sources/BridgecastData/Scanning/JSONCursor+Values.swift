// Values of JSON as Swift has them, from a text that is whole; used by OwnRoutesReader and
// ForecastRowsReader.
private import BridgecastCore

extension JSONCursor {
    /// Reads the next name of an object and goes to its value; `}` is taken otherwise.
    ///
    /// - Parameter isFirst: Whether the object has yet to be opened.
    mutating func name(
        isFirst: Bool, _ bytes: Span<UInt8>
    ) throws(JSONStop) -> (slice: FieldSlice, hasEscapes: Bool)? {
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

    /// Whether another element of a list follows, whose first byte is then at hand; `]` is taken otherwise.
    ///
    /// - Parameter count: How many of its elements have been read.
    mutating func hasElement(after count: Int, _ bytes: Span<UInt8>) throws(JSONStop) -> Bool {
        try skipBlanks(bytes)
        if try take("]", bytes) { return false }
        if count > 0 {
            try expect(",", bytes)
            try skipBlanks(bytes)
        }
        return true
    }

    /// Takes `null` if it stands here.
    mutating func isNull(_ bytes: Span<UInt8>) throws(JSONStop) -> Bool {
        guard try peek(bytes) == UInt8(ascii: "n") else { return false }
        try skipValue(bytes, depth: 0)
        return true
    }

    /// Reads a text; one that is not UTF-8 is invalid.
    mutating func text(_ bytes: Span<UInt8>) throws(JSONStop) -> String {
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

    /// Reads a number; one beyond what a double holds, or with an exponent and too close to zero for one, is invalid.
    mutating func decimal(_ bytes: Span<UInt8>) throws(JSONStop) -> Double {
        let start = position
        try number(bytes)
        if let number = bytes.shortDecimal(start..<position) { return number }
        guard let text = try? UTF8Span(validating: bytes.extracting(start..<position)),
            let number = Double(String(copying: text)), number.isNormal
        else { throw .invalid }
        return number
    }
}

extension Span<UInt8> {
    /// The number of up to 15 digits and no exponent, exactly as any correct reader has it; nil for another one.
    ///
    /// Its digits are a whole number that a double holds, and so is the power of ten that it is divided by: the one
    /// rounding is that of the quotient.
    fileprivate func shortDecimal(_ range: Range<Int>) -> Double? {
        var (digits, scale, count) = (0, 1, 0)
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
