// Reading after a write that was interrupted, and on a full disk: what a command that only reads does to the file then.
import BridgecastSupport
import Foundation
import GRDB
import Glibc

extension StoreFile {
    /// As ``readable(_:)``, of a file that may be opened for writing where it cannot be read otherwise.
    ///
    /// A write that was interrupted is rolled back; this needs no more than the file's owner could do with any command that
    /// writes. On a full disk the log's index, which is otherwise a file, is in memory.
    ///
    /// - Throws: ``StoreProblem`` or SQLite's error.
    func recoverable(
        _ identity: (Database) throws -> HistorySchema.Identity
    ) throws -> (queue: DatabaseQueue, identity: HistorySchema.Identity) {
        do {
            return try readable(identity)
        } catch let error as DatabaseError where error.isInterruptedWrite {
            try rollBack()
            return try readable(identity)
        } catch let error as DatabaseError where error.isWithoutLogIndex {
            guard let found = try? readableByOneConnection(identity) else { throw error }
            return found
        }
    }

    /// Rolls back a write that was interrupted, which SQLite does for a connection that can write.
    private func rollBack() throws {
        do {
            let queue = try writable()
            defer { try? queue.close() }
            _ = try queue.writeWithoutTransaction {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlite_master")
            }
        } catch let error as DatabaseError where error.resultCode != .SQLITE_BUSY {
            throw isDiskFull ? StoreProblem.full : .interrupted
        }
    }

    /// Reads with the log's index in memory (wal.html, section 8), which takes the file from all other connections.
    private func readableByOneConnection(
        _ identity: (Database) throws -> HistorySchema.Identity
    ) throws -> (queue: DatabaseQueue, identity: HistorySchema.Identity) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON")
        }
        let queue = try HeaderFiles.opening {
            try DatabaseQueue(path: url.path, configuration: configuration)
        }
        return (queue, try queue.read(identity))
    }

    /// Whether the file system has no room for the index of a log, or for another file.
    var isDiskFull: Bool {
        var status = statvfs()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe statvfs(url.deletingLastPathComponent().path, &status) == 0 else {
            return false
        }
        let freeBytes = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        return freeBytes < Self.indexBytes || (status.f_files > 0 && status.f_favail == 0)
    }

    /// The length of a log's index at its start (walformat.html, section 2).
    private static let indexBytes: UInt64 = 32 << 10
}

extension DatabaseError {
    /// Whether only a connection that can write may go on: a write has to be rolled back first.
    var isInterruptedWrite: Bool { extendedResultCode == .SQLITE_READONLY_ROLLBACK }

    /// Whether the index of the log cannot be made: on a read-only disk, or on a full one.
    var isWithoutLogIndex: Bool {
        switch resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_FULL: true
        case .SQLITE_READONLY: !isInterruptedWrite
        default: extendedResultCode == .SQLITE_IOERR_SHMSIZE
        }
    }
}
