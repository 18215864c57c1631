// Folders that commands write files to.
import Foundation
import Glibc

/// A folder that a command was asked to write files to.
struct OutputFolder {
    /// As the user named it.
    let path: String

    /// Makes the folder if need be and checks that it can be written; before work that takes long.
    ///
    /// - Throws: ``CommandFailure``.
    init(_ path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            // Foundation does not say why: asked once more, the system does.
            let reason = unsafe mkdir(path, 0o755) == 0 ? error : POSIXError.last
            throw CommandFailure(.io, "\(path): the folder cannot be made: \(systemReason(reason))")
        }
        guard unsafe access(path, W_OK | X_OK) == 0 else {
            throw CommandFailure(
                .io, "\(path): cannot be written: \(systemReason(POSIXError.last))")
        }
    }

    /// A file of the folder.
    func file(_ name: String) -> OutputFile { OutputFile("\(path)/\(name)") }

    /// Removes a file of the folder if it is there; of a link, the link.
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
