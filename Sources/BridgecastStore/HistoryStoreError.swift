internal import BridgecastCore
public import BridgecastSupport
private import Foundation
internal import GRDB

/// Why the store could not do its work.
public struct HistoryStoreError: Failure {
    /// The store's file.
    public let path: String
    /// What is wrong.
    public let problem: StoreProblem

    /// What is wrong and what to do.
    public var reason: String { problem.description }
    /// The kind of ``problem``.
    public var kind: FailureKind { problem.kind }
    /// What to do about ``problem``.
    public var recovery: String { problem.recovery }
    /// File and reason.
    public var description: String { "\(path): \(reason)" }

    init(path: String, _ problem: StoreProblem) {
        self.path = path
        self.problem = problem
    }

    /// - Parameter access: What the store is open for.
    private init(_ error: any Error, path: String, _ access: HistoryStore.Access) {
        switch error {
        case let error as HistoryStoreError: self = error
        case let problem as StoreProblem: self.init(path: path, problem)
        case let error as DatabaseError:
            let file = StoreFile(url: URL(fileURLWithPath: path))
            self.init(path: path, StoreProblem(error, access, isDiskFull: file.isDiskFull))
        default: self.init(path: path, .failing(error.localizedDescription))
        }
    }

    /// - Parameter access: What the store is open for.
    package static func about<Result>(
        _ path: String, _ access: HistoryStore.Access, _ body: () throws -> Result
    ) throws(HistoryStoreError) -> Result {
        do { return try body() } catch { throw HistoryStoreError(error, path: path, access) }
    }

    /// Runs a body of another kind of store, whose errors become that kind's problems.
    ///
    /// - Parameters:
    ///   - own: The problem that an error is, if it is one of that kind.
    ///   - file: The problem of any store's file as one of that kind.
    package static func about<Result, Problem: Error>(
        _ path: String, _ access: HistoryStore.Access, own: (any Error) -> Problem?,
        file: (StoreProblem) -> Problem, _ body: () throws -> Result
    ) throws(Problem) -> Result {
        var found: Problem?
        do throws(HistoryStoreError) {
            return try about(path, access) {
                do {
                    return try body()
                } catch {
                    found = own(error)
                    throw error
                }
            }
        } catch {
            throw found ?? file(error.problem)
        }
    }
}

extension HistoryStore {
    func reading<Result>(
        _ body: (any HistoryDatabase) throws -> Result
    ) throws(HistoryStoreError) -> Result {
        try HistoryStoreError.about(path, access) { try backend.read(body) }
    }

    /// Writes in one transaction; an error leaves the store unchanged.
    ///
    /// - Parameter commits: Whether what was written is kept.
    @discardableResult
    func writing<Result>(
        commits: Bool = true, _ body: (any HistoryDatabase) throws -> Result
    ) throws(HistoryStoreError) -> Result {
        try HistoryStoreError.about(path, access) {
            try backend.write(commits: commits, body)
        }
    }
}

/// What can be wrong with a store.
public enum StoreProblem: Failure, Equatable {
    /// A file of another program, or not a database.
    case foreign
    /// No store has been created yet.
    case empty
    /// Of an older version, and opened for reading.
    case outdated
    /// Of a newer version.
    case newer
    /// Encrypted, and no key was given.
    case encrypted
    /// Not encrypted, though a key was given.
    case notEncrypted
    /// Encrypted with another key.
    case wrongKey
    /// Damaged, with SQLite's message.
    case damaged(String)
    /// It is used for something else, with the reason.
    case usedOtherwise(String)
    /// A folder, a device or a pipe.
    case notAFile(String)
    /// Reading is not possible, with the reason.
    case unreadable(String)
    /// Writing is not possible, with the reason.
    case unwritable(String)
    /// Another process writes for longer than the timeout.
    case busy
    /// The disk is full.
    case full
    /// The disk is full, and what is kept cannot be read without room for a log.
    case fullForReading
    /// A write was interrupted, and cannot be rolled back here.
    case interrupted
    /// The target of a copy is the store itself.
    case itself
    /// The log of a deleted store is next to the path.
    case strayLog(String)
    /// The server of a database cannot be reached, or the connection to it is lost, with the reason.
    case unreachable(String)
    /// The server of a database takes no connection, with the reason and what to do.
    case refused(String)
    /// The schema of a database belongs to others, with the reason and what to do.
    case otherSchema(String)
    /// Another problem, with the system's message.
    case failing(String)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .foreign: "not a history store of bridgecast, and not changed; choose another file"
        case .empty: "nothing is in it yet; `bridgecast sync` or `ingest` creates the store"
        case .outdated: "a store of an older version; `bridgecast sync` or `ingest` updates it"
        case .newer: "a store of a newer version of bridgecast; use that one"
        case .encrypted: "the store is encrypted; name the file of its key"
        case .notEncrypted: "the store is not encrypted; leave out the key"
        case .wrongKey: "the store is encrypted with another key; name the file of that one"
        case .damaged(let what): "the store is damaged: \(what); restore a backup"
        case .usedOtherwise(let reason): "\(reason); name another file"
        case .notAFile(let what): "is \(what), not a file; name a file, such as history.sqlite"
        case .unreadable(let reason): "cannot be read (\(reason)); check path and permissions"
        case .unwritable(let reason): "cannot be written (\(reason)); check path and permissions"
        case .busy: "another process is writing to the store; try again"
        case .full: "the disk is full; nothing was stored"
        case .fullForReading:
            "the disk is full, and reading needs 32 KiB for a log; make room and try again"
        case .interrupted: "a write was interrupted; `bridgecast sync` or `ingest` rolls it back"
        case .itself: "is the store itself; name another file"
        case .strayLog(let name): "\(name) of another store is next to it; move that away first"
        case .unreachable(let reason): "the database cannot be reached: \(reason)"
        case .refused(let reason): "the database refuses the connection: \(reason)"
        case .otherSchema(let reason), .failing(let reason): reason
        }
    }

    /// What to do about it, as a sentence.
    public var recovery: String {
        switch self {
        case .full: "Make room on the disk; what is kept can be read."
        case .fullForReading: "Make room on the disk."
        case .damaged: "Restore a backup, or export what can be read to a new file."
        case .busy: "Wait; it is tried again."
        case .unwritable, .unreadable, .failing, .interrupted:
            "Check the disk and the permissions of the file."
        case .newer: "Use the newer version of bridgecast."
        case .unreachable: "Check the server and the network; the next access connects again."
        case .refused: "Correct the URL of the database, or the password."
        default: kind.recovery
        }
    }

    /// Decides exit codes and statuses.
    public var kind: FailureKind {
        switch self {
        case .itself, .refused: .usage
        case .otherSchema, .foreign, .empty, .outdated, .newer, .damaged, .usedOtherwise,
            .notEncrypted,
            .wrongKey:
            .data
        case .encrypted: .missing
        case .busy: .busy
        case .notAFile, .unreadable, .unwritable, .full, .fullForReading, .interrupted, .strayLog,
            .unreachable, .failing:
            .io
        }
    }

    /// - Parameters:
    ///   - access: What the store is open for.
    ///   - isDiskFull: Whether its file system is, of which SQLite says no more than that something failed.
    init(_ error: DatabaseError, _ access: HistoryStore.Access, isDiskFull: Bool) {
        let message = error.message ?? "SQLite error \(error.resultCode)"
        self =
            switch error.resultCode {
            case .SQLITE_NOTADB: .foreign
            case .SQLITE_CORRUPT: .damaged(message)
            case .SQLITE_FULL: .full
            case .SQLITE_IOERR where isDiskFull, .SQLITE_CANTOPEN where isDiskFull:
                access == .reading ? .fullForReading : .full
            case .SQLITE_READONLY where error.isInterruptedWrite: .interrupted
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
                access == .reading ? .unreadable(message) : .unwritable(message)
            case .SQLITE_BUSY: .busy
            case .SQLITE_IOERR: .failing("the disk does not read or write (SQLite I/O error)")
            case .SQLITE_ERROR where message.hasPrefix("no such table"): .damaged(message)
            default: .failing(message)
            }
    }
}
