// The blocks of an open file, read into memory that is at hand; used by TextWindow.
internal import BridgecastCore
internal import Foundation
private import Glibc

/// An open file, read from its start to its end.
struct FileBlocks {
    private let handle: FileHandle

    init(_ handle: FileHandle) { self.handle = handle }

    /// Appends the next bytes: as many as are wanted, or what is left.
    ///
    /// - Returns: How many there were.
    func append(
        _ wanted: Int, to bytes: inout [UInt8], _ path: String
    ) throws(DocumentError) -> Int {
        var (count, code) = (0, Int32(0))
        let descriptor = handle.fileDescriptor
        bytes.append(addingCapacity: wanted) { block in
            unsafe block.withUnsafeMutableBufferPointer { block, filled in
                while filled < wanted, let start = block.baseAddress {
                    let got = unsafe Glibc.read(descriptor, start + filled, wanted - filled)
                    guard got != 0 else { break }
                    if got > 0 { filled += got } else if errno != EINTR { code = errno; break }
                }
                count = filled
            }
        }
        guard code == 0 else { throw InputFile.unreadable(path, code: code) }
        return count
    }
}
