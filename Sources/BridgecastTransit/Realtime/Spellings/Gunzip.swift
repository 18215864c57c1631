// A feed that a server or a person packed by gzip, unpacked within bounds.
internal import BridgecastCore
private import CZlib

/// Unpacks gzip (RFC 1952).
enum Gunzip {
    /// Whether bytes begin as gzip does.
    static func isPacked(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

    /// What is packed; only of the first part where there are several, which no server sends.
    ///
    /// - Throws: `DocumentProblem` if it is damaged, or larger than `most`.
    static func unpacked(_ packed: [UInt8], most: Int) throws(DocumentProblem) -> [UInt8] {
        guard packed.count <= most else { throw tooMuch(most) }
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        // 16 more than the largest window: with the header of gzip.
        guard unsafe inflateInit2_(&stream, 31, zlibVersion(), size) == Z_OK else {
            throw DocumentProblem("", "gzip, and zlib does not start")
        }
        defer { unsafe inflateEnd(&stream) }
        var unpacked: [UInt8] = []
        var taken = 0
        while true {
            let (before, from) = (unpacked.count, taken)
            let result = unsafe step(&stream, packed, &taken, &unpacked)
            guard unpacked.count <= most else { throw tooMuch(most) }
            if result == Z_STREAM_END { return unpacked }
            guard result == Z_OK, unpacked.count > before || taken > from else {
                throw DocumentProblem(
                    "byte \(taken)", "gzip that is damaged or cut short; fetch it again")
            }
        }
    }

    /// Unpacks up to a quarter of a megabyte; zlib's result.
    private static func step(
        _ stream: inout z_stream, _ packed: [UInt8], _ taken: inout Int, _ unpacked: inout [UInt8]
    ) -> Int32 {
        var result = Z_OK
        let given = packed.count - taken
        unsafe packed.withUnsafeBufferPointer { source in
            unpacked.append(addingCapacity: blockBytes) { block in
                unsafe block.withUnsafeMutableBufferPointer { block, filled in
                    guard let from = source.baseAddress, let to = block.baseAddress else { return }
                    // zlib reads from next_in and does not write there; both counts are below 2^31.
                    unsafe stream.next_in = UnsafeMutablePointer(mutating: from + taken)
                    unsafe stream.avail_in = UInt32(given)
                    unsafe stream.next_out = to
                    unsafe stream.avail_out = UInt32(blockBytes)
                    result = unsafe inflate(&stream, Z_NO_FLUSH)
                    unsafe filled = blockBytes - Int(stream.avail_out)
                }
            }
        }
        taken += given - Int(unsafe stream.avail_in)
        return result
    }

    private static let blockBytes = 1 << 18

    private static func tooMuch(_ most: Int) -> DocumentProblem {
        DocumentProblem("", "gzip of more than \(most >> 20) MiB: no feed is as large")
    }
}
