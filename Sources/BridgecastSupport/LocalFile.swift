// The bytes of a local file, bounded; readers wrap the errors in their own.
package import Foundation
private import Glibc

/// Why the bytes of a local file cannot be read.
package enum LocalFileError: Error, Equatable {
    /// The URL is not that of a file.
    case notLocal
    case missing
    case folder
    case pipeOrDevice
    case tooLarge(bytes: Int, maxBytes: Int)
    /// A pipe to which nothing was written.
    case silent(seconds: Double)
    /// Opening or reading failed with an error code of the system.
    case system(code: Int32)

    /// What is wrong and what to do about it, to follow the name of the file.
    package var message: String {
        switch self {
        case .notLocal: "is not a local file; download it first"
        case .missing: "there is no such file"
        case .folder: "is a folder, not a file"
        case .pipeOrDevice: "is a pipe or device, not a file"
        case .tooLarge(let bytes, let maxBytes): "has \(bytes) bytes; the maximum is \(maxBytes)"
        case .silent(let seconds):
            "nothing was written to this pipe within \(Int(seconds)) s; does it have a writer?"
        case .system(let code): "cannot be read (\(Self.description(of: code)))"
        }
    }

    /// Content that is too large is wrong content, whatever it is.
    package var kind: FailureKind {
        switch self {
        case .tooLarge: .data
        case .silent: .missing
        case _ where isMissing: .missing
        default: .io
        }
    }

    /// Whether the file, or a folder on the way to it, does not exist.
    package var isMissing: Bool {
        switch self {
        case .missing: true
        case .system(let code): code == ENOTDIR || code == ENAMETOOLONG
        default: false
        }
    }

    package static func description(of code: Int32) -> String {
        unsafe String(cString: strerror(code))
    }
}

/// An open local file, read from its start to its end.
package final class LocalFile: Sendable {
    /// What to do with a file that has no length of its own.
    package enum Pipes: Sendable {
        /// Only regular files are opened.
        case refused
        /// Opening and reading block until something is written.
        case awaited
        /// Opening fails if nothing is written within `seconds`.
        case awaitedAtMost(seconds: Double)

        /// For a file that a user names: a pipe with a name may have no writer at all, while one that the system made
        /// (`/dev/stdin`, `/dev/fd/63`) has one, however slow.
        package static func named(_ url: URL) -> Self {
            let isOpen = ["/dev/", "/proc/"].contains { url.path.hasPrefix($0) }
            return isOpen ? .awaited : .awaitedAtMost(seconds: maxSeconds)
        }

        private static let maxSeconds = 10.0
    }

    /// For calls of the system; closed with this object.
    package let descriptor: Int32
    /// The length when it was opened; 0 for a pipe.
    package let byteCount: Int

    /// - Parameter maxBytes: Longer files are refused; a reader counts the bytes of a pipe.
    package init(_ url: URL, maxBytes: Int = .max, pipes: Pipes = .refused) throws(LocalFileError) {
        guard url.isFileURL else { throw .notLocal }
        var flags = O_RDONLY | O_CLOEXEC
        // Opening a pipe without a writer would block.
        if case .awaited = pipes {} else { flags |= O_NONBLOCK }
        let descriptor = unsafe Glibc.open(url.path, flags)
        let openError = errno
        self.descriptor = descriptor
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        let isKnown = unsafe descriptor >= 0 && fstat(descriptor, &status) == 0
        byteCount = max(0, Int(status.st_size))
        // Everything is set: deinit closes what was opened, whatever is thrown from here on.
        guard descriptor >= 0 else {
            throw openError == ENOENT ? .missing : .system(code: openError)
        }
        guard isKnown else { throw .system(code: errno) }
        let type = status.st_mode & S_IFMT
        guard type != S_IFDIR else { throw .folder }
        guard byteCount <= maxBytes else { throw .tooLarge(bytes: byteCount, maxBytes: maxBytes) }
        guard type != S_IFREG else { return }
        switch pipes {
        case .refused: throw .pipeOrDevice
        case .awaited: break
        case .awaitedAtMost(let seconds): try awaitBytes(seconds)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends `wanted` bytes, or fewer at the end of the file; returns how many.
    package func append(_ wanted: Int, to bytes: inout [UInt8]) throws(LocalFileError) -> Int {
        var result: Result<Int, LocalFileError> = .success(0)
        bytes.append(addingCapacity: wanted) { block in
            unsafe block.withUnsafeMutableBufferPointer { block, filled in
                let room = unsafe UnsafeMutableRawBufferPointer(
                    start: block.baseAddress, count: wanted)
                unsafe result = fill(room)
                filled = (try? result.get()) ?? 0
            }
        }
        return try result.get()
    }

    /// Fills a buffer, except at the end of the file; returns the number of bytes read.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(LocalFileError) -> Int {
        try unsafe fill(buffer).get()
    }

    /// All bytes from the current position to the end.
    package func readToEnd(maxBytes: Int = .max) throws(LocalFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        // One byte more than a regular file has, to find its end at the first reading.
        var wanted = max(byteCount + 1, Self.minCapacity)
        bytes.reserveCapacity(wanted)
        while try append(wanted, to: &bytes) == wanted {
            guard bytes.count <= maxBytes else { break }
            wanted = Self.blockBytes
        }
        guard bytes.count <= maxBytes else {
            throw .tooLarge(bytes: bytes.count, maxBytes: maxBytes)
        }
        return bytes
    }

    package static func read(
        _ url: URL, maxBytes: Int, pipes: Pipes = .refused
    ) throws(LocalFileError) -> [UInt8] {
        try LocalFile(url, maxBytes: maxBytes, pipes: pipes).readToEnd(maxBytes: maxBytes)
    }

    private static let blockBytes = 1 << 18
    private static let minCapacity = 1 << 12

    private func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Result<Int, LocalFileError> {
        var filled = 0
        while filled < buffer.count {
            // Safe: no more is read than there is room for.
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
            if count == 0 { break }
            if count > 0 { filled += count }
            if count < 0, errno != EINTR { return .failure(.system(code: errno)) }
        }
        return .success(filled)
    }

    /// Waits until something can be read, or the end.
    private func awaitBytes(_ seconds: Double) throws(LocalFileError) {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            let milliseconds = (deadline - ContinuousClock.now) / .milliseconds(1)
            // Safe: the call fills the structure it is given, which lives through it.
            let ready = unsafe poll(&wanted, 1, Int32(max(0, milliseconds)))
            if ready > 0 { break }
            if ready == 0 { throw .silent(seconds: seconds) }
            if errno != EINTR { throw .system(code: errno) }
        }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }
}

/// Which file something was read from.
public struct FileIdentity: Sendable, Equatable {
    /// Where it came from.
    public let path: String
    /// SHA-256 of the file, hexadecimal, as `sha256sum` prints it; of a gzip file, of what it holds.
    public let sha256: String

    /// The file name without folders.
    public var name: String { String(path.split(separator: "/").last ?? Substring(path)) }
}
