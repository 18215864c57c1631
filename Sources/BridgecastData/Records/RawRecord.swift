// A record as bytes, before anybody has understood it; filled by RecordReader, read by SDOTRecordParser.

/// Where the fields of a record lie in the bytes of a window; a missing or empty field is absent.
///
/// It is filled and read a million times a file, and never copied.
struct RawRecord: ~Copyable {
    private var slices = Slices(repeating: .absent)

    /// A slice for each of ``SDOTField/allCases``.
    private typealias Slices = [10 of FieldSlice]

    /// Creates a record without fields.
    init() {
        assert(slices.count == SDOTField.allCases.count, "a slice for each field")
    }

    @inline(__always)
    subscript(field: SDOTField) -> FieldSlice? {
        let slice = slices[field.rawValue]
        return slice.start < slice.end ? slice : nil
    }

    /// The text from a field to one not far behind it, what stands between them included; nil if
    /// one is absent or they stand in another order.
    @inline(__always)
    func stretch(from first: SDOTField, to last: SDOTField) -> FieldStretch? {
        guard let first = self[first], let last = self[last], first.end < last.start,
            last.end - first.start <= FieldStretch.longest
        else { return nil }
        return FieldStretch(
            slice: FieldSlice(start: first.start, end: last.end),
            shape: UInt32(first.end - first.start) | UInt32(last.start - first.start) << 8)
    }

    /// The same with a third field between the two.
    @inline(__always)
    func stretch(
        from first: SDOTField, over middle: SDOTField, to last: SDOTField
    ) -> FieldStretch? {
        guard let whole = stretch(from: first, to: last),
            let start = stretch(from: first, to: middle), let end = stretch(from: middle, to: last)
        else { return nil }
        return FieldStretch(slice: whole.slice, shape: start.shape | end.shape << 16)
    }

    /// Takes over fields, blanks around them and the word "null" left out.
    mutating func set(_ fields: [FieldSlice], places: [Int?], _ bytes: Span<UInt8>) {
        slices = Slices(repeating: .absent)
        for index in fields.indices {
            guard let place = places[index] else { continue }
            slices[place] = Self.trimmed(fields[index], bytes)
        }
    }

    /// Takes over the fields of a row that has as many as there are places.
    @inline(__always)
    mutating func set(
        _ row: Int, of rows: borrowing RegularRows, places: [Int?], _ bytes: Span<UInt8>
    ) {
        slices = Slices(repeating: .absent)
        var start = rows.start(of: row)
        for column in places.indices {
            let slice = rows.nextField(column, of: row, bytes, start: &start)
            if let place = places[column] { slices[place] = Self.trimmed(slice, bytes) }
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
