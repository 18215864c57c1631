// The bytes of a file, as many as may be; used by RoadExtract's reading.
internal import Foundation
private import Glibc

/// Reads whole files.
enum ExtractFile {
    /// The bytes of a file.
    static func bytes(of url: URL, most: Int) throws(RoadExtractDefect) -> [UInt8] {
        guard url.isFileURL else { throw RoadExtractDefect(.notLocal) }
        // A pipe that nobody writes to is not waited for.
        let descriptor = unsafe Glibc.open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw defect(errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw defect(errno) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw RoadExtractDefect(.folder)
        default: throw RoadExtractDefect(.notRegular)
        }
        let size = Int(status.st_size)
        guard size <= most else { throw RoadExtractDefect(.tooLarge(bytes: size, most: most)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1)
        while try append(descriptor, to: &bytes) > 0 {
            guard bytes.count <= most else {
                throw RoadExtractDefect(.tooLarge(bytes: bytes.count, most: most))
            }
        }
        return bytes
    }

    /// Reads on; how many bytes there were.
    private static func append(
        _ descriptor: Int32, to bytes: inout [UInt8]
    ) throws(RoadExtractDefect) -> Int {
        if bytes.count == bytes.capacity { bytes.reserveCapacity(max(blockBytes, 2 * bytes.count)) }
        let room = bytes.capacity - bytes.count
        var (count, code) = (0, Int32(0))
        bytes.append(addingCapacity: room) { block in
            unsafe block.withUnsafeMutableBufferPointer { block, filled in
                repeat {
                    count = unsafe Glibc.read(descriptor, block.baseAddress, room)
                    code = count < 0 ? errno : 0
                } while code == EINTR
                filled = max(0, count)
            }
        }
        guard code == 0 else { throw defect(code) }
        return count
    }

    private static let blockBytes = 1 << 18

    private static func defect(_ code: Int32) -> RoadExtractDefect {
        switch code {
        case ENOENT: RoadExtractDefect(.noSuchFile)
        default: RoadExtractDefect(.unreadable(unsafe String(cString: strerror(code))))
        }
    }
}
