// The history on disk: records, what a feed gave and what we saw, in one SQLite file.
// Belongs here: all that touches SQLite; not: what openings mean (BridgecastCore).
internal import BridgecastCore
public import Foundation
internal import GRDB

/// Openings and coverage, kept for good.
///
/// Rows are stored as recorded; joining openings recorded in pieces, and reconciling records with
/// observations, happens on reading, so that rules stay a choice. Everything that belongs together is
/// one transaction in SQLite's write-ahead log, synchronised to the disk before it counts as
/// committed: a process that is killed, or a machine that loses power, leaves the last commit. One
/// process writes at a time, others wait up to ten seconds; any number may read meanwhile.
public final class HistoryStore: Sendable {
    let database: DatabaseQueue
    /// The store's file.
    public let path: String
    let access: Access

    /// How a store is opened.
    public enum Access: Sendable {
        /// The store must be there and stays as it is.
        case reading
        /// File and folder are created if missing.
        case writing
    }

    /// The place of the user's store: `$XDG_DATA_HOME/bridgecast/history.sqlite`, by default under
    /// `~/.local/share`; nil if the environment names neither an absolute XDG_DATA_HOME nor such a HOME.
    package static func defaultURL(environment: [String: String]) -> URL? {
        func folder(_ name: String) -> String? {
            environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let data = folder("XDG_DATA_HOME") ?? folder("HOME").map { $0 + "/.local/share" }
        return data.map {
            URL(fileURLWithPath: $0).appendingPathComponent("bridgecast/history.sqlite")
        }
    }

    /// Whether something lies at a place; a file of no length is none yet.
    package static func isThere(_ url: URL) -> Bool { StoreFile(url: url).isThere }

    /// Whether anything lies at a place, a file of no length too.
    ///
    /// - Throws: ``HistoryStoreError`` where the system does not tell.
    package static func liesSomething(at url: URL) throws(HistoryStoreError) -> Bool {
        try HistoryStoreError.about(url.path, .reading) { try StoreFile(url: url).exists() }
    }

    /// Whether a file is a database, anybody's, or what SQLite keeps beside one.
    package static func isDatabaseOrItsLog(_ url: URL) -> Bool {
        StoreFile(url: url).isDatabaseOrItsLog
    }

    /// Whether a file is a database, not a text.
    ///
    /// - Throws: ``HistoryStoreError`` where it cannot be read.
    package static func isDatabase(_ url: URL) throws(HistoryStoreError) -> Bool {
        try HistoryStoreError.about(url.path, .reading) { try StoreFile(url: url).isDatabase() }
    }

    /// Opens a store; one of an older version is brought up to date when opened for writing.
    ///
    /// A file that is no store is recognised before anything is written, and stays as it is. Of several
    /// programs that start on a fresh place one makes the store, the others wait for it.
    ///
    /// - Throws: ``HistoryStoreError``.
    public init(_ url: URL, _ access: Access) throws(HistoryStoreError) {
        (path, self.access) = (url.path, access)
        database = try HistoryStoreError.about(url.path, access) {
            guard try StoreFile(url: url).identity() != .foreign else { throw StoreProblem.foreign }
            return switch access {
            case .writing: try Self.openForWriting(url)
            case .reading: try Self.openForReading(url)
            }
        }
    }

    /// A store in memory, for a replay that must leave nothing behind.
    public init(inMemoryNamed name: String) throws(HistoryStoreError) {
        (path, access) = (name, .writing)
        database = try HistoryStoreError.about(name, .writing) {
            let queue = try DatabaseQueue()
            try queue.write(HistorySchema.bringUpToDate)
            return queue
        }
    }

    /// Closes the store; nothing may be asked of it afterwards.
    public func close() {
        try? database.close()
    }

    /// How long another writer is waited for.
    static let patienceSeconds = 10.0

    static func openForWriting(_ url: URL) throws -> DatabaseQueue {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw StoreProblem.unwritable("its folder cannot be made")
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(patienceSeconds)
        let queue = try DatabaseQueue(path: url.path, configuration: configuration)
        try queue.writeWithoutTransaction { database in
            // A commit is on the disk before it counts, not only in the log's buffer.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            if try !HistorySchema.isCurrent(database) {
                try database.inTransaction(.exclusive) {
                    try HistorySchema.bringUpToDate(database)
                    return .commit
                }
            }
            try keepLog(database)
        }
        return queue
    }

    /// Switches to the write-ahead log, for which the file must be nobody else's for a moment; SQLite does not
    /// wait for that by itself.
    private static func keepLog(_ database: Database) throws {
        let deadline = ContinuousClock.now + .seconds(patienceSeconds)
        while true {
            do {
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
                guard mode == "wal" else {
                    throw StoreProblem.unwritable("no write-ahead log can be kept there")
                }
                return
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// Opens without writing; on a disk that cannot be written, as a file that nobody changes.
    private static func openForReading(_ url: URL) throws -> DatabaseQueue {
        guard isThere(url) else { throw StoreProblem.empty }
        let (queue, identity) = try readable(url)
        switch identity {
        case .empty: throw StoreProblem.empty
        case .foreign: throw StoreProblem.foreign
        case .store(let version):
            guard version <= HistorySchema.currentVersion else { throw StoreProblem.newer }
            guard version == HistorySchema.currentVersion else { throw StoreProblem.outdated }
        }
        return queue
    }

    private static func readable(
        _ url: URL
    ) throws -> (queue: DatabaseQueue, identity: HistorySchema.Identity) {
        do {
            let queue = try StoreFile.readOnly(url, isUnchanging: false)
            return (queue, try queue.read(HistorySchema.identity))
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
        {
            // The log's index cannot be made here; without a log, nothing is missing in the file.
            guard StoreFile(url: url).logBeside == nil else { throw error }
            let queue = try StoreFile.readOnly(url, isUnchanging: true)
            return (queue, try queue.read(HistorySchema.identity))
        }
    }
}
