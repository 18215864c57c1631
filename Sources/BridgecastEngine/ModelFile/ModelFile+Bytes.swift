// The bytes of a model file, whole and once; what they mean is ModelFileReader's business.
import Foundation
private import Glibc

extension ModelFile {
    /// All bytes of a file.
    ///
    /// It is read, not mapped: whatever happens to the file later, even while it is
    /// being checked, cannot reach the model, and a file that shrinks cannot end the program.
    static func bytes(of url: URL) throws(ModelFileError) -> [UInt8] {
        // Opening a pipe that nobody writes would wait for ever.
        let descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK)
        guard descriptor >= 0, let file = unsafe fdopen(descriptor, "rb") else {
            if descriptor >= 0 { close(descriptor) }
            throw unreadable(url)
        }
        defer { unsafe fclose(file) }
        try awaitBytes(descriptor, url)
        var information = stat()
        guard unsafe fstat(fileno(file), &information) == 0,
            information.st_mode & S_IFMT != S_IFDIR
        else { throw .unreadable(reason: "\(url.path): it is not a file") }
        let limit = ModelFileFormat.largestFileBytes
        // A pipe has no size; what it gives is read up to the limit all the same.
        let expected = max(0, min(Int(information.st_size), limit))
        var bytes: [UInt8] = []
        var room = max(expected, 4096) + 1
        while bytes.count <= limit {
            let before = bytes.count
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                unsafe count = fread(buffer.baseAddress, 1, buffer.count, file)
            }
            if chunk.isEmpty { break }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            if bytes.count - before < room { break }
            room = 1 << 20
        }
        guard unsafe ferror(file) == 0 else { throw unreadable(url) }
        guard bytes.count <= limit else { throw .tooLong(bytes: bytes.count, most: limit) }
        return bytes
    }

    /// Waits until something can be read, or the end; a pipe's writer has so many seconds to begin.
    private static func awaitBytes(_ descriptor: Int32, _ url: URL) throws(ModelFileError) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&wanted, 1, pipeSeconds * 1000) > 0 else {
            throw .unreadable(
                reason: "\(url.path): a pipe into which nobody has written for \(pipeSeconds) s")
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    private static let pipeSeconds: Int32 = 5

    private static func unreadable(_ url: URL) -> ModelFileError {
        .unreadable(reason: "\(url.path): \(unsafe String(cString: strerror(errno)))")
    }
}
