// What can be wrong with a store.
public import BridgecastCore
private import Foundation
internal import GRDB

/// What can be wrong with a store.
public enum StoreProblem: Failure, Equatable {
    /// A file of another program, or no database at all.
    case foreign
    /// Nothing is in it yet.
    case empty
    /// Of an older version, and opened for reading.
    case outdated
    /// Of a newer version.
    case newer
    /// Its pages contradict each other; what SQLite says of it.
    case damaged(String)
    /// A folder, a device or a pipe; which.
    case noFile(String)
    /// The system does not let us read; why.
    case unreadable(String)
    /// The system does not let us write; why.
    case unwritable(String)
    /// Another process writes for longer than we wait.
    case busy
    /// No room.
    case full
    /// A copy of the store was to be put in its own place.
    case itself
    /// The log of a store that is gone lies beside the place.
    case strayLog(String)
    /// Something else, in the system's words.
    case failing(String)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .foreign:
            "not a history store of bridgecast, and left as it is; choose another file"
        case .empty: "nothing is in it yet; `bridgecast sync` or `ingest` makes it a store"
        case .outdated:
            "a store of an older version; `bridgecast sync` or `ingest` brings it up to date"
        case .newer: "a store of a newer version of bridgecast; use that one"
        case .damaged(let what): "the store is damaged: \(what); restore a backup"
        case .noFile(let what): "is \(what), not a file; name a file, such as history.sqlite"
        case .unreadable(let why): "cannot be read (\(why)); check path and permissions"
        case .unwritable(let why): "cannot be written (\(why)); check path and permissions"
        case .busy: "another process is writing to the store; try again"
        case .full: "the disk is full; nothing was stored"
        case .itself: "is the store itself; name another file"
        case .strayLog(let name):
            "\(name) of another store lies beside it; move that away first"
        case .failing(let why): why
        }
    }

    /// Whose matter it is.
    public var kind: FailureKind {
        switch self {
        case .itself: .usage
        case .foreign, .empty, .outdated, .newer, .damaged: .data
        case .busy: .busy
        case .noFile, .unreadable, .unwritable, .full, .strayLog, .failing: .io
        }
    }

    init(_ error: DatabaseError, _ access: HistoryStore.Access) {
        let words = error.message ?? "SQLite error \(error.resultCode)"
        self =
            switch error.resultCode {
            case .SQLITE_NOTADB: .foreign
            case .SQLITE_CORRUPT: .damaged(words)
            case .SQLITE_FULL: .full
            case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK:
                .failing("a write was cut off; `bridgecast sync` or `ingest` takes it back")
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
                access == .reading ? .unreadable(words) : .unwritable(words)
            case .SQLITE_BUSY: .busy
            case .SQLITE_IOERR: .failing("the disk does not read or write (SQLite I/O error)")
            case .SQLITE_ERROR where words.hasPrefix("no such table"): .damaged(words)
            default: .failing(words)
            }
    }
}
