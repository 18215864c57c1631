// A record as bytes, before anybody has understood it; filled by RecordReader, read by SDOTRecordParser.

/// Where the fields of a record lie in the bytes of a window; a missing or empty field is absent.
struct RawRecord {
    private var slices: [FieldSlice] = Array(repeating: .absent, count: SDOTField.allCases.count)

    /// Creates a record without fields.
    init() {}

    subscript(field: SDOTField) -> FieldSlice? {
        let slice = slices[field.rawValue]
        return slice.start < slice.end ? slice : nil
    }

    /// The text from a field to one not far behind it, what stands between them included; nil if
    /// one is absent or they stand in another order.
    func stretch(from first: SDOTField, to last: SDOTField) -> FieldSlice? {
        guard let first = self[first], let last = self[last], first.end < last.start,
            last.end - first.start <= Self.longestStretch
        else { return nil }
        return FieldSlice(start: first.start, end: last.end)
    }

    private static let longestStretch = 160

    /// Takes over fields, blanks around them and the word "null" left out.
    mutating func set(_ fields: [FieldSlice], places: [Int?], _ bytes: Span<UInt8>) {
        for index in slices.indices { slices[index] = .absent }
        for index in fields.indices {
            guard let place = places[index] else { continue }
            slices[place] = Self.trimmed(fields[index], bytes)
        }
    }

    /// A slice as text.
    static func text(_ slice: FieldSlice, _ bytes: Span<UInt8>) -> String {
        String(decoding: slice.range.map { bytes[$0] }, as: UTF8.self)
    }

    @inline(__always)
    private static func trimmed(_ slice: FieldSlice, _ bytes: Span<UInt8>) -> FieldSlice {
        var slice = slice
        while slice.start < slice.end, isBlank(bytes[slice.start]) { slice.start += 1 }
        while slice.end > slice.start, isBlank(bytes[slice.end - 1]) { slice.end -= 1 }
        if slice.end - slice.start == 4, bytes[slice.start] | 32 == UInt8(ascii: "n"),
            text(slice, bytes).lowercased() == "null"
        {
            return .absent
        }
        return slice
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}
