// Files that commands write: complete or not at all, and never replacing a device, a pipe or a link.
import BridgecastStore
import BridgecastSupport
package import Foundation
import Glibc

/// A file that a command writes.
package struct OutputFile {
    /// As the user named it.
    package let path: String
    private let isPrivate: Bool

    /// - Parameter isPrivate: Whether a new file is for its owner only (mode 0600).
    package init(_ path: String, isPrivate: Bool = false) {
        self.path = path
        self.isPrivate = isPrivate
    }

    /// Whether both paths are the same file.
    package func isSame(as other: String) -> Bool {
        var first = stat()
        var second = stat()
        // Safe: each call fills the structure it is given, which lives through it.
        guard unsafe stat(path, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Checks that the file can be written, without writing it; before long work.
    ///
    /// - Throws: ``CommandFailure``.
    package func check() throws {
        switch try kind() {
        case .stream(nil): guard unsafe access(path, W_OK) == 0 else { throw failure(.last) }
        case .stream: break
        case .file:
            let folder = target.deletingLastPathComponent().path
            guard unsafe access(folder, W_OK | X_OK) == 0 else { throw failure(.last) }
        }
    }

    /// Writes the file; an existing one is replaced atomically and its permissions are kept.
    ///
    /// Devices and pipes such as `/dev/stdout` are written to. A link stays, and its target is replaced.
    ///
    /// - Throws: ``CommandFailure`` with the path and the system's reason.
    package func write(_ content: Data) throws { try write { try $0(content) } }

    /// Writes the file in pieces; if making one fails, an existing file stays as it was.
    ///
    /// - Parameter make: Gets a function that writes the next piece.
    /// - Throws: As ``write(_:)-(Data)``, and a `Failure` that `make` throws.
    func write(_ make: (_ write: @escaping (Data) throws -> Void) throws -> Void) throws {
        let kind = try kind()
        do {
            switch kind {
            case .stream(let descriptor?): try make { try Self.append($0, to: descriptor) }
            case .stream(nil):
                let descriptor = try Self.opened(path, O_WRONLY)
                defer { close(descriptor) }
                try make { try Self.append($0, to: descriptor) }
            case .file(let permissions): try replace(permissions, make)
            }
        } catch let error as any Failure {
            throw error
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw failure("cannot be written: \(systemReason(error))")
        }
    }

    /// Writes text as UTF-8.
    ///
    /// - Throws: As ``write(_:)-(Data)``.
    func write(_ text: String) throws { try write(Data(text.utf8)) }

    /// Opens the file for appending; it is created if needed.
    ///
    /// - Throws: As ``write(_:)-(Data)``.
    func appending() throws -> FileHandle {
        try refuseDatabase()
        do {
            let descriptor = try Self.opened(path, O_WRONLY | O_APPEND | O_CREAT)
            return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        } catch {
            throw failure("cannot be written: \(systemReason(error))")
        }
    }

    private enum Kind {
        /// A file or nothing yet, and its permissions.
        case file(permissions: mode_t?)
        /// A device or pipe, and its descriptor if it is open already.
        case stream(Int32?)
    }

    private func kind() throws -> Kind {
        guard !path.isEmpty else {
            throw CommandFailure(.usage, "an empty name is not a file to write")
        }
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure(.last) }
            try refuseDatabase()
            return .file(permissions: nil)
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw failure("is a folder; name a file in it") }
        // Standard output may be a file, which other programs write to as well.
        let open = [STDOUT_FILENO, STDERR_FILENO].first { descriptor in
            var other = stat()
            return unsafe fstat(descriptor, &other) == 0 && other.st_dev == status.st_dev
                && other.st_ino == status.st_ino
        }
        if let open { return .stream(open) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .stream(nil) }
        try refuseDatabase()
        return .file(permissions: status.st_mode & 0o7777)
    }

    /// Refuses to overwrite any SQLite database, such as the store, and its -wal or -shm file.
    ///
    /// - Throws: ``CommandFailure``.
    private func refuseDatabase() throws {
        guard HistoryStore.isDatabaseOrItsLog(target) else { return }
        throw CommandFailure(
            .usage,
            "\(path): is a database or belongs to one; it is not overwritten, name another file"
        )
    }

    /// The target of links; it need not exist yet.
    private var target: URL {
        var url = URL(fileURLWithPath: path)
        for _ in 0..<Self.maxLinks {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
            else { break }
            url = URL(fileURLWithPath: next, relativeTo: url.deletingLastPathComponent())
        }
        return url.absoluteURL
    }

    /// As many as Linux follows.
    private static let maxLinks = 40

    private func replace(
        _ permissions: mode_t?, _ make: (_ write: @escaping (Data) throws -> Void) throws -> Void
    ) throws {
        let target = target
        let partial = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString).part").path
        let descriptor = try Self.opened(partial, O_WRONLY | O_CREAT | O_EXCL)
        do {
            defer { close(descriptor) }
            if let permissions = permissions ?? (isPrivate ? 0o600 : nil),
                fchmod(descriptor, permissions) != 0
            {
                throw POSIXError.last
            }
            try make { try Self.append($0, to: descriptor) }
            guard fsync(descriptor) == 0, unsafe rename(partial, target.path) == 0 else {
                throw POSIXError.last
            }
        } catch {
            unsafe unlink(partial)
            throw error
        }
    }

    private static func opened(_ path: String, _ flags: Int32) throws -> Int32 {
        // A pipe without a reader must not block.
        let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw POSIXError.last }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
    }

    private static func append(_ content: Data, to descriptor: Int32) throws {
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: content)
    }

    private func failure(_ error: POSIXError) -> CommandFailure {
        failure("cannot be written: \(systemReason(error))")
    }

    private func failure(_ reason: String) -> CommandFailure {
        CommandFailure(.io, "\(path): \(reason)")
    }
}

// MARK: - Folders

/// A folder that a command writes files to.
struct OutputFolder {
    /// As the user named it.
    let path: String

    /// Creates the folder if needed and checks that it can be written; before long work.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            // Foundation has no reason: a second attempt gets the system's.
            let reason = unsafe mkdir(path, 0o755) == 0 ? error : POSIXError.last
            throw CommandFailure(
                .io, "\(path): the folder cannot be created: \(systemReason(reason))")
        }
        guard unsafe access(path, W_OK | X_OK) == 0 else {
            throw CommandFailure(
                .io, "\(path): cannot be written: \(systemReason(POSIXError.last))")
        }
    }

    /// A file of the folder.
    func file(_ name: String) -> OutputFile { OutputFile("\(path)/\(name)") }

    /// Removes a file of the folder if it exists; of a link, the link.
    ///
    /// - Throws: ``CommandFailure`` with the path and the system's reason.
    func remove(_ name: String) throws {
        guard unsafe unlink("\(path)/\(name)") != 0 else { return }
        let error = POSIXError.last
        guard error.code != .ENOENT else { return }
        throw CommandFailure(
            .io, "\(path)/\(name): cannot be removed: \(systemReason(error))")
    }

    /// A folder in the folder.
    ///
    /// - Throws: As ``init(_:)``.
    func folder(_ name: String) throws -> OutputFolder { try OutputFolder("\(path)/\(name)") }
}

/// A lock on a folder; held until it is released or the process ends.
///
/// The folder itself is locked, so that no lock file is left in it.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Locks a folder; nil if it does not exist.
    ///
    /// On a file system without locks nothing is locked.
    ///
    /// - Parameter remedy: What to do if another run has the lock.
    /// - Throws: ``CommandFailure`` if another run has it, or if the folder cannot be opened.
    init?(_ path: String, remedy: String) throws {
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = POSIXError.last
            guard error.code != .ENOENT else { return nil }
            throw CommandFailure(.io, "\(path): cannot be opened: \(systemReason(error))")
        }
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw CommandFailure(
                .io, "\(path): another run is writing to it now; \(remedy)")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
