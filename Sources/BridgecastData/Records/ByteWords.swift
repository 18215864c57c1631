// Eight bytes of a text at a time: the one unsafe step of the record readers.

extension Span<UInt8> {
    /// Eight bytes from an index on; the index must leave room for them.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index + 8 <= count, "eight bytes have to be there")
        // In bounds: checked above.
        return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
    }

    /// Whether a part of this text is the same as another whole one.
    @inline(__always)
    func holds(_ text: Span<UInt8>, at start: Int) -> Bool {
        let length = text.count
        guard length >= 8 else {
            for index in 0..<length where self[start + index] != text[index] { return false }
            return true
        }
        var index = 0
        while index + 8 <= length {
            guard word(at: start + index) == text.word(at: index) else { return false }
            index += 8
        }
        return word(at: start + length - 8) == text.word(at: length - 8)
    }
}
