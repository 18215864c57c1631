// Packing of answers by gzip (RFC 1952), in one call of zlib; used for shared documents and large answers.
internal import CZlib

enum Gzip {
    /// What is shorter is not worth packing.
    static let leastBytes = 860
    /// The largest window, and 16 more for the gzip form.
    private static let windowBits: Int32 = 15 + 16

    /// Bytes packed; nil if they are few or would not become less.
    ///
    /// - Parameter level: 1 is quick, 9 is small.
    static func packed(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
        guard bytes.count >= leastBytes, bytes.count <= UInt32.max else { return nil }
        var stream = unsafe z_stream()
        let begun = unsafe deflateInit2_(
            &stream, level, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { return nil }
        defer { unsafe _ = deflateEnd(&stream) }
        // Safe: zlib reads no more than the count it is given, and writes no more than the room it is given.
        let result = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe [UInt8](unsafeUninitializedCapacity: input.count) { room, count in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = room.baseAddress
                unsafe stream.avail_out = UInt32(room.count)
                // What does not fit into the room of the original is not worth it.
                let isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = unsafe isWhole ? room.count - Int(stream.avail_out) : 0
            }
        }
        return result.isEmpty ? nil : result
    }
}
