// A file that is open for reading, and closed when nobody needs it any more; used by ZipFile and FeedFiles.
internal import Foundation
private import Glibc

/// An open regular file.
final class OpenFile: Sendable {
    let descriptor: Int32
    /// Its size when it was opened.
    let bytes: Int

    /// Opens a file; a pipe that nobody writes to is not waited for.
    init(_ url: URL) throws(TransitFeedError.Problem) {
        descriptor = unsafe Glibc.open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .noSuchFile : .unreadable(Self.words(errno))
        }
        var status = stat()
        let isKnown = unsafe fstat(descriptor, &status) == 0
        bytes = Int(status.st_size)
        // All is set by now: whoever throws from here on leaves the closing to deinit.
        guard isKnown else { throw .unreadable(Self.words(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable("it is a pipe or device, not a file")
        }
    }

    deinit { close(descriptor) }

    /// Its first bytes, at most so many.
    func firstBytes(_ most: Int) throws(TransitFeedError.Problem) -> [UInt8] {
        var bytes: [UInt8] = []
        lseek(descriptor, 0, SEEK_SET)
        while bytes.count < most, try append(most - bytes.count, to: &bytes) > 0 {}
        return bytes
    }

    /// Appends the next bytes, at most so many; how many there were, 0 at the end.
    func append(
        _ wanted: Int, to bytes: inout [UInt8]
    ) throws(TransitFeedError.Problem) -> Int {
        var (count, code) = (0, Int32(0))
        bytes.append(addingCapacity: wanted) { block in
            unsafe block.withUnsafeMutableBufferPointer { block, filled in
                repeat {
                    count = unsafe Glibc.read(descriptor, block.baseAddress, wanted)
                    code = count < 0 ? errno : 0
                } while code == EINTR
                filled = max(0, count)
            }
        }
        guard code == 0 else { throw .unreadable(Self.words(code)) }
        return count
    }

    private static func words(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
