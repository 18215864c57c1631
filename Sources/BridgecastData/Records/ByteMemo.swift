// What texts were found to mean, remembered because records repeat them; used by SDOTRecordParser.

/// Values by the stretch of fields they were computed from; remembers one in each of 256 places.
struct ByteMemo<Value> {
    private var texts = [UInt8](repeating: 0, count: places * longestText)
    private var entries = [(length: Int, shape: UInt32, value: Value)?](
        repeating: nil, count: places)

    private static var places: Int { 256 }
    /// Longer texts are not remembered.
    private static var longestText: Int { FieldStretch.longest }

    /// The value of a stretch, or nil if it is not remembered.
    @inline(__always)
    func value(of stretch: FieldStretch, _ bytes: Span<UInt8>) -> Value? {
        let slice = stretch.slice
        let place = place(of: slice, bytes)
        guard let entry = entries[place], entry.length == slice.end - slice.start,
            entry.shape == stretch.shape
        else { return nil }
        let start = place * Self.longestText
        let text = texts.span.extracting(start..<start + entry.length)
        return bytes.holds(text, at: slice.start) ? entry.value : nil
    }

    mutating func remember(_ value: Value, of stretch: FieldStretch, _ bytes: Span<UInt8>) {
        let slice = stretch.slice
        let length = slice.end - slice.start
        guard length <= Self.longestText else { return }
        let place = place(of: slice, bytes)
        entries[place] = (length, stretch.shape, value)
        for index in 0..<length {
            texts[place * Self.longestText + index] = bytes[slice.start + index]
        }
    }

    /// Names and coordinates differ in their last letters.
    @inline(__always)
    private func place(of slice: FieldSlice, _ bytes: Span<UInt8>) -> Int {
        guard slice.end - slice.start >= 8 else { return Int(bytes[slice.end - 1]) }
        return Int((bytes.word(at: slice.end - 8) &* 0x9e37_79b9_7f4a_7c15) >> 56)
    }
}

extension ByteMemo: Sendable where Value: Sendable {}
