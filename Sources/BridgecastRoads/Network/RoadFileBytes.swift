// The bytes of a network file in their order: of a file that is read as one goes, or of memory; used by RoadSections
// and by those who tell a file by its digest.
import BridgecastDigest
package import Foundation
private import Glibc

/// Bytes that are read once, from first to last; of a file no more is kept than is asked for.
@safe package final class RoadFileBytes {
    /// For messages.
    let file: String
    /// How many there are.
    let count: Int
    /// How many were read.
    private(set) var position = 0
    private let source: Source

    private enum Source {
        case memory(Data)
        case descriptor(Int32)
    }

    init(_ bytes: Data, file: String) throws(RoadNetworkError) {
        (self.file, count, source) = (file, bytes.count, .memory(bytes))
        guard count <= RoadFileFormat.mostBytes else { throw tooLarge }
    }

    /// Opens a file, and checks that it is one of a size that may be read.
    init(_ url: URL) throws(RoadNetworkError) {
        file = url.isFileURL ? url.path : url.absoluteString
        guard url.isFileURL else {
            throw .unreadable(
                file: file, reason: "is no file; fetch it and give its bytes", isMissing: false)
        }
        // A pipe that nobody writes would have us wait.
        let descriptor = unsafe open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let problem = descriptor < 0 ? errno : 0
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        let isKnown = unsafe descriptor >= 0 && fstat(descriptor, &status) == 0
        (count, source) = (Int(status.st_size), .descriptor(descriptor))
        guard isKnown else {
            let reason = "cannot be read (\(Self.words(problem)))"
            throw .unreadable(
                file: file, reason: problem == ENOENT ? "there is no such file" : reason,
                isMissing: problem == ENOENT)
        }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG else {
            let noFile = kind == S_IFDIR ? "a folder" : "a pipe or device"
            throw .unreadable(file: file, reason: "is \(noFile), not a file", isMissing: false)
        }
        guard count <= RoadFileFormat.mostBytes else { throw tooLarge }
    }

    deinit {
        if case .descriptor(let descriptor) = source, descriptor >= 0 { _ = close(descriptor) }
    }

    /// The next bytes, as many as the buffer has.
    ///
    /// - Precondition: So many are left by `count`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(RoadNetworkError) {
        precondition(buffer.count <= count - position)
        switch source {
        case .memory(let data):
            let start = data.startIndex + position
            unsafe data.copyBytes(to: buffer, from: start..<start + buffer.count)
        case .descriptor(let descriptor):
            var filled = 0
            while filled < buffer.count {
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                let read = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
                if read < 0, errno == EINTR { continue }
                guard read >= 0 else {
                    throw .unreadable(
                        file: file, reason: "cannot be read (\(Self.words(errno)))",
                        isMissing: false)
                }
                guard read > 0 else {
                    throw .damaged(
                        file: file,
                        problem: "it was cut short while it was read, to "
                            + "\(position + filled) bytes")
                }
                filled += read
            }
        }
        position += buffer.count
    }

    /// The next bytes, so many of them.
    ///
    /// - Precondition: So many are left by `count`.
    func next(_ count: Int) throws(RoadNetworkError) -> [UInt8] {
        var failure: RoadNetworkError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            do throws(RoadNetworkError) {
                try unsafe read(
                    into: UnsafeMutableRawBufferPointer(start: bytes.baseAddress, count: count))
                filled = count
            } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }

    /// How long a file is, and its SHA-256 from the first byte on.
    package static func digest(
        of url: URL
    ) throws(RoadNetworkError) -> (count: Int, sha256: [UInt8]) {
        let bytes = try RoadFileBytes(url)
        var digest = SHA256()
        while bytes.position < bytes.count {
            let window = min(RoadFileFormat.windowBytes, bytes.count - bytes.position)
            let part = try bytes.next(window)
            digest.update(part.span)
        }
        return (bytes.count, digest.finish())
    }

    private var tooLarge: RoadNetworkError {
        .format(file: file, problem: "it is larger than a gigabyte")
    }

    private static func words(_ error: Int32) -> String { unsafe String(cString: strerror(error)) }
}
