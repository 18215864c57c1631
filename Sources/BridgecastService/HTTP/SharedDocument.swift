// Compression of answers, and documents that are encoded and compressed once for many requests.
internal import BridgecastSupport
internal import CZlib
package import NIOCore

/// Bytes with their compressed form and an entity tag of each.
package struct SharedDocument: Sendable {
    package let identity: ByteBuffer
    /// The same compressed by gzip; nil where that saves too little.
    package let packed: ByteBuffer?
    /// A strong ETag of the bytes, with its quotes.
    package let tag: String
    package let packedTag: String

    /// - Parameter level: Of its compression: 1 is fast, 9 is small; nil for bytes that are compressed already.
    package init(_ bytes: [UInt8], level: Int32? = 6) {
        identity = ByteBuffer(bytes: bytes)
        packed = level.flatMap { Gzip.packed(bytes, level: $0) }
        let digest = hexadecimal(SHA256.hash(bytes).prefix(12))
        tag = "\"\(digest)\""
        packedTag = "\"\(digest)-gzip\""
    }
}

/// Compression by gzip (RFC 1952).
enum Gzip {
    /// Shorter answers are not compressed.
    static let minBytes = 860

    /// Bytes compressed; nil if they are few or would not become fewer.
    ///
    /// - Parameter level: 1 is fast, 9 is small.
    static func packed(_ bytes: [UInt8], level: Int32 = 6) -> ByteBuffer? {
        guard bytes.count >= minBytes else { return nil }
        // A result that is longer than the original is useless.
        return Deflate.packed(bytes, in: .gzip, level: level, maxBytes: bytes.count)
    }
}

/// Compression in one call of zlib.
enum Deflate {
    /// What is around the compressed bytes: a head and a checksum.
    enum Frame: Int32 {
        /// RFC 1950.
        case zlib = 0
        /// RFC 1952.
        case gzip = 16
    }

    private static let largestWindowBits: Int32 = 15

    /// Bytes compressed; nil if they would be longer than they may be.
    ///
    /// - Parameters:
    ///   - level: 1 is fast, 9 is small.
    ///   - maxBytes: Of the result; nil for what any bytes can take.
    static func packed(
        _ bytes: [UInt8], in frame: Frame, level: Int32, maxBytes: Int? = nil
    ) -> ByteBuffer? {
        guard bytes.count <= UInt32.max else { return nil }
        var stream = unsafe z_stream()
        let begun = unsafe deflateInit2_(
            &stream, level, Z_DEFLATED, largestWindowBits + frame.rawValue, 8, Z_DEFAULT_STRATEGY,
            ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard begun == Z_OK else { return nil }
        defer { unsafe _ = deflateEnd(&stream) }
        let limit = unsafe maxBytes ?? Int(deflateBound(&stream, UInt(bytes.count)))
        var packed = ByteBuffer()
        // Safe: zlib reads and writes no more than the counts that it is given.
        let count = unsafe bytes.withUnsafeBytes { input in
            unsafe packed.writeWithUnsafeMutableBytes(minimumWritableBytes: limit) { room in
                unsafe stream.next_in = UnsafeMutablePointer(
                    mutating: input.assumingMemoryBound(to: UInt8.self).baseAddress)
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = room.assumingMemoryBound(to: UInt8.self).baseAddress
                unsafe stream.avail_out = UInt32(limit)
                let isWhole = unsafe deflate(&stream, Z_FINISH) == Z_STREAM_END
                return unsafe isWhole ? limit - Int(stream.avail_out) : 0
            }
        }
        return count > 0 ? packed : nil
    }
}
