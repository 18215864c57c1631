// A text that mostly stands in a document again and again, made once; used by OwnRoutesReader.

/// The last text of a field: where the next one is the same, they share their memory.
struct RepeatedText {
    private var bytes: [UInt8] = []
    private var text = ""

    /// Reads a text.
    mutating func read(
        _ cursor: inout JSONCursor, _ document: Span<UInt8>
    ) throws(JSONStop) -> String {
        var ahead = cursor
        let (slice, hasEscapes) = try ahead.string(document)
        if !hasEscapes, !bytes.isEmpty, slice.end - slice.start == bytes.count,
            document.holds(bytes.span, at: slice.start)
        {
            cursor = ahead
            return text
        }
        text = try cursor.text(document)
        // An empty one is made anew.
        bytes = hasEscapes ? [] : slice.range.map { document[$0] }
        return text
    }
}
