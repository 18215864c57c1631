// Why the history store could not do its work, in words a person can act on.
private import Foundation
internal import GRDB

/// Why the store could not do its work.
public struct HistoryStoreError: Error, Sendable, CustomStringConvertible {
    /// The store's file.
    public let path: String
    /// What is wrong and what to do.
    public let reason: String
    /// Whether the file is there but is no store (exit code 65 instead of 74).
    public let isContent: Bool

    /// File and reason.
    public var description: String { "\(path): \(reason)" }

    init(path: String, reason: String, isContent: Bool) {
        (self.path, self.reason, self.isContent) = (path, reason, isContent)
    }

    /// The error that another one stands for.
    init(_ error: any Error, path: String) {
        if let error = error as? HistoryStoreError {
            self = error
            return
        }
        guard let database = error as? DatabaseError else {
            self.init(path: path, reason: error.localizedDescription, isContent: false)
            return
        }
        let (reason, isContent): (String, Bool) =
            switch database.resultCode {
            case .SQLITE_NOTADB: ("not a history store; choose another file or move it away", true)
            case .SQLITE_CORRUPT:
                ("the store is damaged; `bridgecast doctor` says how far, restore a backup", true)
            case .SQLITE_FULL: ("the disk is full; nothing was stored", false)
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
                ("the store cannot be written; check the path and its permissions", false)
            case .SQLITE_BUSY: ("another process is writing to the store; try again", false)
            case .SQLITE_IOERR:
                ("the disk does not read or write (SQLite I/O error); nothing was stored", false)
            default: (database.message ?? "SQLite error \(database.resultCode)", false)
            }
        self.init(path: path, reason: reason, isContent: isContent)
    }
}
