// How long the first line of a request is while it is still coming; tells a long address from long fields.
import NIOCore

/// The beginning of a head that has not come to its end.
struct FirstLine {
    /// Bytes up to the end of the line, or so far.
    private(set) var byteCount = 0
    /// Whether nothing has come since the request before.
    ///
    /// Bytes that come in one packet with the request before count for that one.
    var isFresh = true

    private var isEnded = false

    /// Counts bytes.
    mutating func add(_ bytes: ByteBuffer) {
        guard !isFresh, !isEnded else { return }
        let view = bytes.readableBytesView
        if let end = view.firstIndex(of: UInt8(ascii: "\n")) {
            byteCount += end - view.startIndex
            isEnded = true
        } else {
            byteCount += view.count
        }
    }
}
