// The bytes of a model file, whole and once; what they mean is ModelContainer's business.
internal import BridgecastCore
import Foundation
private import Glibc

extension ModelFile {
    /// All bytes of a file.
    ///
    /// It is read, not mapped: whatever happens to the file later, even while it is
    /// being checked, cannot reach the model, and a file that shrinks cannot end the program.
    ///
    /// - Parameter longestWaitSeconds: How long the first byte of a pipe is waited for.
    static func bytes(
        of url: URL, longestWaitSeconds: Double = 10
    ) throws(ModelFileError) -> [UInt8] {
        guard url.isFileURL else {
            throw .unreadable(
                reason: "\(printable(url.absoluteString)): is no file; fetch it and give its bytes")
        }
        // Opening a pipe that nobody writes would wait for ever.
        let descriptor = unsafe open(url.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(url, errno) }
        defer { close(descriptor) }
        try awaitBytes(descriptor, url, longestWaitSeconds)
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0, information.st_mode & S_IFMT != S_IFDIR
        else { throw .unreadable(reason: "\(url.path): it is not a file") }
        let limit = ModelFileFormat.largestFileBytes
        // A pipe has no size; what it gives is read up to the limit all the same.
        let expected = max(0, min(Int(information.st_size), limit))
        var bytes: [UInt8] = []
        var room = max(expected, 4096) + 1
        while bytes.count <= limit {
            let (chunk, code) = next(room, of: descriptor)
            guard code == 0 else { throw unreadable(url, code) }
            if chunk.isEmpty { break }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
            if chunk.count < room { break }
            room = 1 << 20
        }
        guard bytes.count <= limit else { throw .tooLong(bytes: bytes.count, most: limit) }
        return bytes
    }

    /// Reads so many bytes, fewer only at the end, and says with which error it stopped, or 0.
    private static func next(_ room: Int, of descriptor: Int32) -> (bytes: [UInt8], error: Int32) {
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            unsafe FreshMemory.prepare(memory)
            while count < room {
                // Safe: no more is read than there is room for.
                let left = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
                let more = unsafe Glibc.read(descriptor, left.baseAddress, left.count)
                if more > 0 { count += more }
                if more == 0 { break }
                if more < 0, errno != EINTR {
                    code = errno
                    break
                }
            }
        }
        return (bytes, code)
    }

    /// Waits until something can be read, or the end.
    private static func awaitBytes(
        _ descriptor: Int32, _ url: URL, _ seconds: Double
    ) throws(ModelFileError) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let left = (deadline - ContinuousClock.now) / .milliseconds(1)
            // Safe: the call fills the one structure it is given, which lives through it.
            let ready = unsafe poll(&wanted, 1, Int32(max(0, left)))
            if ready > 0 { break }
            guard ready < 0, errno == EINTR else {
                if ready < 0 { throw unreadable(url, errno) }
                throw .unreadable(
                    reason: "\(url.path): no byte has come for \(Int(seconds)) s; is it a pipe "
                        + "that nobody writes?")
            }
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    private static func unreadable(_ url: URL, _ code: Int32) -> ModelFileError {
        .unreadable(
            reason: "\(url.path): \(unsafe String(cString: strerror(code)))",
            isMissing: [ENOENT, ENOTDIR, ENAMETOOLONG].contains(code))
    }
}
