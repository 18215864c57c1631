// Where a field lies in a text; found by the scanners, read by who understands fields.

/// A field in the bytes of a window.
struct FieldSlice: Equatable {
    var start: Int
    var end: Int

    static let absent = FieldSlice(start: 0, end: 0)

    var range: Range<Int> { start..<end }
}
