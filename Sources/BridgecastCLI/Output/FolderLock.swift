// A folder that one run at a time writes to; used by `origins`.
import Foundation
import Glibc

/// A lock on a folder; held until it is given up or the process ends, however it ends.
///
/// The folder itself is locked, so that nothing is left in it.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// Locks a folder; nil if it is not there.
    ///
    /// Where the file system knows no locks nothing is locked.
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
                .io, "\(path): another run is writing to it at this moment; \(remedy)")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}
