// gzip and zlib within bounds, so that a small file cannot fill the memory.
private import CZlib

package enum Unpacking {
    /// Why bytes were not unpacked.
    package enum Failure: Error, Equatable {
        /// They end before the packed data do.
        case cutShort
        /// They hold more than the maximum.
        case tooMuch
        /// zlib's message, and the offset of a packed byte.
        case damaged(String, at: Int)
    }

    /// The format, as zlib's window bits.
    private enum Frame: Int32 {
        case zlib = 15
        case gzip = 31
    }

    /// Whether bytes begin as a gzip file (RFC 1952, 2.3.1).
    package static func isGzip(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.starts(with: [0x1f, 0x8b])
    }

    /// The content of a gzip file, which may consist of several members.
    package static func gzip(_ packed: [UInt8], maxBytes: Int) throws(Failure) -> [UInt8] {
        var unpacked: [UInt8] = []
        var position = 0
        while true {
            position = try append(
                packed, from: position, .gzip, to: &unpacked, maxBytes: maxBytes,
                expected: packed.count * 4)
            // Tapes fill their last block with zeros.
            if packed[position...].allSatisfy({ $0 == 0 }) { return unpacked }
        }
    }

    /// The content of the first member of a gzip file.
    package static func firstGzip(_ packed: [UInt8], maxBytes: Int) throws(Failure) -> [UInt8] {
        var unpacked: [UInt8] = []
        _ = try append(
            packed, from: 0, .gzip, to: &unpacked, maxBytes: maxBytes, expected: packed.count * 4)
        return unpacked
    }

    package static func zlib(_ packed: [UInt8], maxBytes: Int) throws(Failure) -> [UInt8] {
        var unpacked: [UInt8] = []
        _ = try append(
            packed, from: 0, .zlib, to: &unpacked, maxBytes: maxBytes, expected: maxBytes)
        return unpacked
    }

    /// Unpacks one stream.
    ///
    /// - Parameter expected: The number of bytes to reserve.
    /// - Returns: The index after it.
    private static func append(
        _ packed: [UInt8], from start: Int, _ frame: Frame, to unpacked: inout [UInt8],
        maxBytes: Int, expected: Int
    ) throws(Failure) -> Int {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(&stream, frame.rawValue, zlibVersion(), size) == Z_OK else {
            throw .damaged("zlib does not start", at: start)
        }
        defer { unsafe inflateEnd(&stream) }
        var consumed = start
        while true {
            guard unpacked.count <= maxBytes else { throw .tooMuch }
            if unpacked.count == unpacked.capacity {
                unpacked.reserveCapacity(
                    min(maxBytes + 1, max(2 * unpacked.count, expected, minCapacity)))
            }
            let result = unsafe step(&stream, from: packed, at: &consumed, to: &unpacked)
            switch result {
            case Z_STREAM_END:
                guard unpacked.count <= maxBytes else { throw .tooMuch }
                return consumed
            case Z_OK where consumed < packed.count || unpacked.count == unpacked.capacity: continue
            case Z_OK, Z_BUF_ERROR: throw .cutShort
            default:
                let message = unsafe stream.msg.map { unsafe String(cString: $0) }
                throw .damaged(message ?? "zlib's error \(result)", at: consumed)
            }
        }
    }

    /// Unpacks as much as fits into the reserved capacity; returns zlib's result.
    private static func step(
        _ stream: inout z_stream, from packed: [UInt8], at consumed: inout Int,
        to unpacked: inout [UInt8]
    ) -> Int32 {
        var result = Z_OK
        let room = min(unpacked.capacity - unpacked.count, Int(UInt32.max))
        let available = min(packed.count - consumed, Int(UInt32.max))
        unsafe packed.withUnsafeBufferPointer { source in
            unpacked.append(addingCapacity: room) { block in
                unsafe block.withUnsafeMutableBufferPointer { block, filled in
                    guard let from = source.baseAddress, let to = block.baseAddress else { return }
                    // zlib reads from next_in and does not write there.
                    unsafe stream.next_in = UnsafeMutablePointer(mutating: from + consumed)
                    unsafe stream.avail_in = UInt32(available)
                    unsafe stream.next_out = to
                    unsafe stream.avail_out = UInt32(room)
                    result = unsafe inflate(&stream, Z_NO_FLUSH)
                    unsafe filled = room - Int(stream.avail_out)
                }
            }
        }
        consumed += available - Int(unsafe stream.avail_in)
        return result
    }

    private static let minCapacity = 4096
}
