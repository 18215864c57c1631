// Files that commands write: complete or not there, and never in the place of a device, a pipe or a link.
import Foundation
import Glibc

/// A file that a command was asked to write.
struct OutputFile {
    /// As the user named it.
    let path: String

    /// Names a file.
    init(_ path: String) { self.path = path }

    /// Checks that the file can be written, without writing it; for work that takes long.
    ///
    /// - Throws: ``CommandFailure``.
    func check() throws {
        guard try kind() != .folder else { throw failure("is a folder; name a file in it") }
        let place = FileManager.default.fileExists(atPath: path) ? path : folder
        guard unsafe access(place, W_OK) == 0 else { throw failure() }
    }

    /// Writes the file; one that is there is replaced by the new one in one step.
    ///
    /// What is no file, such as `/dev/stdout` or a pipe, is written to. A link stays and what it points to is
    /// replaced.
    ///
    /// - Throws: ``CommandFailure`` with the path and the system's reason.
    func write(_ content: Data) throws {
        switch try kind() {
        case .folder: throw failure("is a folder; name a file in it")
        case .stream: try append(content)
        case .file, .nothing:
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            let partial = target.deletingLastPathComponent()
                .appendingPathComponent(".\(target.lastPathComponent).\(getpid()).part").path
            do {
                let descriptor = try Self.opened(partial, O_WRONLY | O_CREAT | O_EXCL)
                defer { close(descriptor) }
                try Self.put(content, into: descriptor)
                guard fsync(descriptor) == 0 else { throw POSIXError.last }
                if unsafe rename(partial, target.path) != 0 { throw POSIXError.last }
            } catch {
                unsafe unlink(partial)
                throw failure(error)
            }
        }
    }

    /// Writes text as UTF-8.
    ///
    /// - Throws: As ``write(_:)-(Data)``.
    func write(_ text: String) throws { try write(Data(text.utf8)) }

    private enum Kind { case nothing, file, folder, stream }

    private func kind() throws -> Kind {
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe stat(path, &status) == 0 else {
            if errno == ENOENT { return .nothing }
            throw failure()
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file
        case S_IFDIR: return .folder
        default: return .stream
        }
    }

    private var folder: String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent().path
    }

    private func append(_ content: Data) throws {
        do {
            let descriptor = try Self.opened(path, O_WRONLY)
            defer { close(descriptor) }
            try Self.put(content, into: descriptor)
        } catch {
            throw failure(error)
        }
    }

    private static func opened(_ path: String, _ flags: Int32) throws -> Int32 {
        let descriptor = unsafe open(path, flags, 0o644)
        guard descriptor >= 0 else { throw POSIXError.last }
        return descriptor
    }

    private static func put(_ content: Data, into descriptor: Int32) throws {
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(contentsOf: content)
    }

    private func failure(_ error: any Error = POSIXError.last) -> CommandFailure {
        failure("cannot be written: \(systemReason(error))")
    }

    private func failure(_ what: String) -> CommandFailure {
        CommandFailure(.io, "\(path): \(what)")
    }
}

/// A folder that a command was asked to write files to.
struct OutputFolder {
    private let path: String

    /// Makes the folder if need be and checks that it can be written; before work that takes long.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.io, "\(path): the folder cannot be made: \(systemReason(error))")
        }
        guard unsafe access(path, W_OK | X_OK) == 0 else {
            throw CommandFailure(
                .io, "\(path): cannot be written: \(systemReason(POSIXError.last))")
        }
    }

    /// A file of the folder.
    func file(_ name: String) -> OutputFile { OutputFile("\(path)/\(name)") }

    /// A folder in the folder.
    ///
    /// - Throws: As ``init(_:)``.
    func folder(_ name: String) throws -> OutputFolder { try OutputFolder("\(path)/\(name)") }
}

extension POSIXError {
    /// The error of the last call that failed.
    static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

/// What the system says of a stream or file that fails.
func systemReason(_ error: any Error) -> String {
    guard let code = systemErrorCode(error) else { return error.localizedDescription }
    return unsafe String(cString: strerror(code))
}

/// The system's number of an error, if it has one.
func systemErrorCode(_ error: any Error) -> Int32? {
    if let error = error as? POSIXError { return error.code.rawValue }
    let whole = error as NSError
    let inner = whole.userInfo[NSUnderlyingErrorKey] as? NSError
    return [whole, inner].compactMap { $0 }.first { $0.domain == NSPOSIXErrorDomain }
        .map { Int32($0.code) }
}
