// Where a field lies in a text; found by the scanners, read by who understands fields.

/// A field in the bytes of a window, in 8 bytes: a record has ten of them.
package struct FieldSlice: Equatable {
    private var first: UInt32
    private var behind: UInt32

    static let absent = FieldSlice(start: 0, end: 0)

    /// - Precondition: Texts are shorter than 4 GiB.
    @inline(__always)
    init(start: Int, end: Int) { (first, behind) = (UInt32(start), UInt32(end)) }

    @inline(__always)
    var start: Int {
        get { Int(first) }
        set { first = UInt32(newValue) }
    }
    @inline(__always)
    var end: Int {
        get { Int(behind) }
        set { behind = UInt32(newValue) }
    }
    @inline(__always)
    package var range: Range<Int> { start..<end }
}
