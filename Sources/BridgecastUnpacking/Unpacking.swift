// What zlib makes of packed bytes, in pieces, so that a small file cannot fill the memory; used for extracts in gzip, for
// the blocks of PBF, and for realtime feeds in gzip.
// Belongs here: packed bytes into bytes, within bounds; not: what they mean.
private import CZlib

/// Unpacks gzip and zlib.
package enum Unpacking {
    /// Why bytes were not unpacked.
    package enum Stop: Error, Equatable {
        /// They end before what is packed does.
        case cutShort
        /// They hold more than is wanted.
        case tooMuch
        /// In zlib's words, at a packed byte.
        case damaged(String, at: Int)
    }

    /// How the bytes are framed.
    enum Frame: Int32 {
        case zlib = 15
        case gzip = 31
    }

    /// What a gzip file holds, which may be of several parts one behind another.
    package static func gzip(_ packed: [UInt8], most: Int) throws(Stop) -> [UInt8] {
        var unpacked: [UInt8] = []
        var position = 0
        repeat {
            position = try append(
                packed, from: position, .gzip, to: &unpacked, most: most, expected: packed.count * 4
            )
            // Tapes fill their last block with zeros.
            if packed[position...].allSatisfy({ $0 == 0 }) { return unpacked }
        } while position < packed.count
        return unpacked
    }

    /// What the first part of a gzip file holds.
    package static func firstGzip(_ packed: [UInt8], most: Int) throws(Stop) -> [UInt8] {
        var unpacked: [UInt8] = []
        _ = try append(
            packed, from: 0, .gzip, to: &unpacked, most: most, expected: packed.count * 4)
        return unpacked
    }

    /// What a zlib stream holds.
    package static func zlib(_ packed: [UInt8], most: Int) throws(Stop) -> [UInt8] {
        var unpacked: [UInt8] = []
        _ = try append(packed, from: 0, .zlib, to: &unpacked, most: most, expected: most)
        return unpacked
    }

    /// Unpacks one stream.
    ///
    /// - Returns: The place behind it.
    private static func append(
        _ packed: [UInt8], from start: Int, _ frame: Frame, to unpacked: inout [UInt8], most: Int,
        expected: Int
    ) throws(Stop) -> Int {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        guard unsafe inflateInit2_(&stream, frame.rawValue, zlibVersion(), size) == Z_OK else {
            throw .damaged("zlib does not start", at: start)
        }
        defer { unsafe inflateEnd(&stream) }
        var consumed = start
        while true {
            guard unpacked.count <= most else { throw .tooMuch }
            if unpacked.count == unpacked.capacity {
                unpacked.reserveCapacity(
                    min(most + 1, max(2 * unpacked.count, expected, leastBytes)))
            }
            let result = unsafe step(&stream, packed, &consumed, &unpacked)
            switch result {
            case Z_STREAM_END: return consumed
            case Z_OK where consumed < packed.count || unpacked.count == unpacked.capacity: continue
            case Z_OK, Z_BUF_ERROR: throw .cutShort
            default:
                let words = unsafe stream.msg.map { unsafe String(cString: $0) }
                throw .damaged(words ?? "zlib's error \(result)", at: consumed)
            }
        }
    }

    /// Unpacks as much as the room at hand takes; zlib's result.
    private static func step(
        _ stream: inout z_stream, _ packed: [UInt8], _ consumed: inout Int,
        _ unpacked: inout [UInt8]
    ) -> Int32 {
        var result = Z_OK
        let room = min(unpacked.capacity - unpacked.count, Int(UInt32.max))
        let given = min(packed.count - consumed, Int(UInt32.max))
        unsafe packed.withUnsafeBufferPointer { source in
            unpacked.append(addingCapacity: room) { block in
                unsafe block.withUnsafeMutableBufferPointer { block, filled in
                    guard let from = source.baseAddress, let to = block.baseAddress else { return }
                    // zlib reads from next_in and does not write there.
                    unsafe stream.next_in = UnsafeMutablePointer(mutating: from + consumed)
                    unsafe stream.avail_in = UInt32(given)
                    unsafe stream.next_out = to
                    unsafe stream.avail_out = UInt32(room)
                    result = unsafe inflate(&stream, Z_NO_FLUSH)
                    unsafe filled = room - Int(stream.avail_out)
                }
            }
        }
        consumed += given - Int(unsafe stream.avail_in)
        return result
    }

    private static let leastBytes = 4096
}
