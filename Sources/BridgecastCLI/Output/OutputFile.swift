// Files that commands write: complete or not there, and never in the place of a device, a pipe or a link.
import BridgecastStore
package import Foundation
import Glibc

/// A file that a command was asked to write.
package struct OutputFile {
    /// As the user named it.
    package let path: String

    /// Names a file.
    package init(_ path: String) { self.path = path }

    /// Whether writing the file would replace another that is read.
    package func isSame(as other: String) -> Bool {
        var (one, two) = (stat(), stat())
        // Safe: each call fills the structure it is given, which lives through it.
        guard unsafe stat(path, &one) == 0, unsafe stat(other, &two) == 0 else { return false }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// Checks that the file can be written, without writing it; for work that takes long.
    ///
    /// - Throws: ``CommandFailure``.
    package func check() throws {
        switch try place() {
        case .stream(nil): guard unsafe access(path, W_OK) == 0 else { throw failure(.last) }
        case .stream: break
        case .file:
            let folder = target.deletingLastPathComponent().path
            guard unsafe access(folder, W_OK | X_OK) == 0 else { throw failure(.last) }
        }
    }

    /// Writes the file; one that is there is replaced by the new one in one step and leaves it its permissions.
    ///
    /// What is no file, such as `/dev/stdout` or a pipe, is written to. A link stays and what it points to is
    /// replaced.
    ///
    /// - Throws: ``CommandFailure`` with the path and the system's reason.
    package func write(_ content: Data) throws {
        let place = try place()
        do {
            switch place {
            case .stream(let descriptor?): try Self.put(content, into: descriptor)
            case .stream(nil):
                let descriptor = try Self.opened(path, O_WRONLY)
                defer { close(descriptor) }
                try Self.put(content, into: descriptor)
            case .file(let permissions): try replace(content, permissions)
            }
        } catch {
            throw failure("cannot be written: \(systemReason(error))")
        }
    }

    /// Writes text as UTF-8.
    ///
    /// - Throws: As ``write(_:)-(Data)``.
    func write(_ text: String) throws { try write(Data(text.utf8)) }

    /// Opens the file to add to its end; it is made if need be.
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

    private enum Place {
        /// A file, or nothing yet, and the permissions it has.
        case file(permissions: mode_t?)
        /// Something that is written to, and its descriptor if we have it open.
        case stream(Int32?)
    }

    private func place() throws -> Place {
        guard !path.isEmpty else {
            throw CommandFailure(.usage, "an empty name is no file to write")
        }
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw failure(.last) }
            try refuseDatabase()
            return .file(permissions: nil)
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw failure("is a folder; name a file in it") }
        // What standard output goes to may be a file, of which others write the rest.
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

    /// A database, such as the store, and what SQLite keeps beside one are nobody's to overwrite.
    ///
    /// - Throws: ``CommandFailure``.
    private func refuseDatabase() throws {
        guard HistoryStore.isDatabaseOrItsLog(target) else { return }
        throw CommandFailure(
            .usage,
            "\(path): is a database or belongs to one; it is not overwritten, name another file"
        )
    }

    /// The file itself, behind links, which need not be there yet.
    private var target: URL {
        var url = URL(fileURLWithPath: path)
        for _ in 0..<Self.mostLinks {
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)
            else { break }
            url = URL(fileURLWithPath: next, relativeTo: url.deletingLastPathComponent())
        }
        return url.absoluteURL
    }

    /// As many as Linux follows.
    private static let mostLinks = 40

    private func replace(_ content: Data, _ permissions: mode_t?) throws {
        let target = target
        let partial = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString).part").path
        let descriptor = try Self.opened(partial, O_WRONLY | O_CREAT | O_EXCL)
        do {
            defer { close(descriptor) }
            if let permissions, fchmod(descriptor, permissions) != 0 { throw POSIXError.last }
            try Self.put(content, into: descriptor)
            guard fsync(descriptor) == 0, unsafe rename(partial, target.path) == 0 else {
                throw POSIXError.last
            }
        } catch {
            unsafe unlink(partial)
            throw error
        }
    }

    private static func opened(_ path: String, _ flags: Int32) throws -> Int32 {
        // A pipe that nobody reads is not waited for.
        let descriptor = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o644)
        guard descriptor >= 0 else { throw POSIXError.last }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
        return descriptor
    }

    private static func put(_ content: Data, into descriptor: Int32) throws {
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: content)
    }

    private func failure(_ error: POSIXError) -> CommandFailure {
        failure("cannot be written: \(systemReason(error))")
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure(.io, "\(path): \(what)")
    }
}
