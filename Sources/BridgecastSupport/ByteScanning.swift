// What scanners of texts share: ranges of fields, and bytes compared and found eight at a time.

/// The range of a field in the bytes of a text, in 8 bytes: a record has ten of them.
package struct FieldSlice: Equatable {
    private var lowerBound: UInt32
    private var upperBound: UInt32

    package static let absent = FieldSlice(start: 0, end: 0)

    /// - Precondition: Texts are shorter than 4 GiB.
    @inline(__always)
    package init(start: Int, end: Int) {
        lowerBound = UInt32(start)
        upperBound = UInt32(end)
    }

    @inline(__always)
    package var start: Int {
        get { Int(lowerBound) }
        set { lowerBound = UInt32(newValue) }
    }
    @inline(__always)
    package var end: Int {
        get { Int(upperBound) }
        set { upperBound = UInt32(newValue) }
    }
    @inline(__always)
    package var range: Range<Int> { start..<end }
}

// MARK: - Eight bytes at a time

extension Span<UInt8> {
    /// - Precondition: All eight bytes are in the span.
    @inline(__always)
    package func word(at index: Int) -> UInt64 {
        precondition(index >= 0 && index + 8 <= count, "eight bytes have to be there")
        // In bounds: checked above.
        return unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
    }

    @inline(__always)
    package func holds(_ text: Span<UInt8>, at start: Int) -> Bool {
        let length = text.count
        guard length >= 8 else {
            for index in 0..<length where self[start + index] != text[index] { return false }
            return true
        }
        // Five times eight bytes without a branch, because lengths vary; then the rest, if there is one.
        let last = length - 8
        var different: UInt64 = 0
        for step in 0..<5 {
            let index = min(step * 8, last)
            different |= word(at: start + index) ^ text.word(at: index)
        }
        var index = 40
        while index < length {
            let offset = min(index, last)
            different |= word(at: start + offset) ^ text.word(at: offset)
            index += 8
        }
        return different == 0
    }

    /// The value of up to six digits; nil if there are none, more, or other bytes.
    @inline(__always)
    package func wholeNumber(_ range: Range<Int>) -> Int? {
        guard range.count <= 6, !range.isEmpty else { return nil }
        guard range.upperBound >= 8 else {
            var number = 0
            for index in range {
                guard (48...57).contains(self[index]) else { return nil }
                number = number * 10 + Int(self[index]) - 48
            }
            return number
        }
        // The digits are the word's last bytes; those before them become zeros.
        let others = UInt64(64 - 8 * range.count)
        let bytes = word(at: range.upperBound - 8).littleEndian ^ UInt64(everyByte: 0x30)
        let digits = (bytes &>> others) &<< others
        guard ((digits &+ UInt64(everyByte: 0x76)) | digits) & UInt64(everyByte: 0x80) == 0 else {
            return nil
        }
        // Pairs of digits, then fours, then eight.
        let pairs = (digits &* 10 &+ (digits >> 8)) & 0x00ff_00ff_00ff_00ff
        let fours = (pairs &* 100 &+ (pairs >> 16)) & 0x0000_ffff_0000_ffff
        return Int((fours &* 10_000 &+ (fours >> 32)) & 0xffff_ffff)
    }

    /// The first index that may hold a quote or a line end, found eight bytes at a time.
    ///
    /// LF and CR are found as any of the bytes 8 to 15, which the caller distinguishes; up to seven bytes before the
    /// end are left to the caller as well.
    @inline(__always)
    package func firstQuoteOrLineEnd(from start: Int, to end: Int) -> Int {
        var position = start
        while position + 8 <= end {
            let word = word(at: position)
            let found =
                word.bytesEqual(to: UInt8(ascii: "\""))
                | (word & UInt64(everyByte: 0xf8)).bytesEqual(to: 0x08)
            if found != 0 { return position + found.littleEndian.trailingZeroBitCount / 8 }
            position += 8
        }
        return position
    }
}

extension UInt64 {
    /// The same byte eight times.
    @inline(__always)
    package init(everyByte byte: UInt8) { self = UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// The high bit of each byte that equals a byte; bytes above the first match may be wrong.
    @inline(__always)
    package func bytesEqual(to byte: UInt8) -> UInt64 {
        let difference = self ^ UInt64(everyByte: byte)
        return (difference &- UInt64(everyByte: 0x01)) & ~difference & UInt64(everyByte: 0x80)
    }
}
