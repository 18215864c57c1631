// One process at a time delivers from a file of alerts.
internal import BridgecastStore
internal import BridgecastSupport
public import Foundation
private import Glibc

/// The right to deliver from a file of alerts; given back when it is released, or its process ends in any way.
public final class DeliveryClaim: Sendable {
    private let descriptor: Int32

    /// Claims a file of alerts.
    ///
    /// The lock is on a file next to it, FILE.serving: SQLite's own locks would be lost with that of another descriptor.
    ///
    /// - Throws: ``AlertStoreError``; ``AlertStoreProblem/inUse`` if another process has it.
    public init(_ url: URL) throws(AlertStoreError) {
        let path = url.path + ".serving"
        descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = LocalFileError.description(of: errno)
            throw AlertStoreError(path: path, .file(.unwritable(reason)))
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            Glibc.close(descriptor)
            throw AlertStoreError(path: url.path, .inUse)
        }
    }

    deinit { Glibc.close(descriptor) }
}
