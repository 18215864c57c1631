// What texts were found to mean, remembered because records repeat them; used by SDOTRecordParser.

/// Values by the text they were computed from; remembers one text in each of 64 places.
struct ByteMemo<Value> {
    private var entries: [(text: [UInt8], value: Value)?] = Array(repeating: nil, count: 64)

    /// The value of a text that is not empty, or nil if it is not remembered.
    func value(of slice: FieldSlice, _ bytes: Span<UInt8>) -> Value? {
        guard let entry = entries[place(of: slice, bytes)],
            entry.text.count == slice.end - slice.start,
            bytes.holds(entry.text.span, at: slice.start)
        else { return nil }
        return entry.value
    }

    mutating func remember(_ value: Value, of slice: FieldSlice, _ bytes: Span<UInt8>) {
        entries[place(of: slice, bytes)] = (slice.range.map { bytes[$0] }, value)
    }

    /// Names and coordinates differ in their last letters.
    private func place(of slice: FieldSlice, _ bytes: Span<UInt8>) -> Int {
        let (last, next) = (bytes[slice.end - 1], bytes[max(slice.start, slice.end - 2)])
        return Int((last ^ (next &* 8)) & 63)
    }
}

extension ByteMemo: Sendable where Value: Sendable {}
