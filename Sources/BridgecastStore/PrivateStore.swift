// Stores that only their owner may read: what marks each kind, how its tables come about, and how its file is opened.
package import Foundation
package import GRDB

/// The database of a private store, in a file that SQLite writes or in an encrypted one.
package enum PrivateDatabase: Sendable {
    case plain(DatabaseQueue)
    case encrypted(EncryptedDatabase)

    /// Opens a store; for writing, file and folder are created if missing.
    ///
    /// A file of another kind is recognised before anything is written, and is not changed.
    ///
    /// - Parameters:
    ///   - key: The key of an encrypted store; a new one is encrypted with it. Nil for a store that is not.
    ///   - isBoundToName: Whether an encrypted store can be read by no other file's name.
    ///   - missing: What is thrown where there is no file to read.
    /// - Throws: ``StoreProblem``, SQLite's error, or `missing`.
    package init(
        _ url: URL, _ access: HistoryStore.Access, key: StoreKey?, isBoundToName: Bool,
        as schema: PrivateSchema, missing: any Error
    ) throws {
        let file = StoreFile(url: url)
        guard let key else {
            self = .plain(try file.opened(access, as: schema, missing: missing))
            return
        }
        if access == .reading, try !file.exists() { throw missing }
        self = .encrypted(
            try EncryptedDatabase(
                url, access, key: key, isBoundToName: isBoundToName, as: schema))
    }

    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        switch self {
        case .plain(let queue): try queue.read(body)
        case .encrypted(let database): try database.read(body)
        }
    }

    /// Changes in one transaction; an error leaves the store as it was.
    ///
    /// The log is moved into the file and emptied then, so that nothing that was removed or replaced stays in it.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        switch self {
        case .encrypted(let database): return try database.write(body)
        case .plain(let queue):
            let result = try queue.write(body)
            do {
                try queue.emptyLog()
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
                // The change is on the disk, in the log; the next one that finds room empties it.
            }
            return result
        }
    }

    package func close() {
        switch self {
        case .plain(let queue): try? queue.close()
        case .encrypted(let database): try? database.close()
        }
    }
}

extension DatabaseQueue {
    /// Moves the log into the file and empties it, unless others still read what is in it.
    ///
    /// - Parameter waits: Whether it waits for them, ``StoreFile/busyTimeoutSeconds`` at most.
    /// - Returns: Whether the log is empty.
    @discardableResult
    package func emptyLog(waits: Bool = true) throws -> Bool {
        try writeWithoutTransaction { database in
            if !waits { try database.execute(sql: "PRAGMA busy_timeout = 0") }
            defer {
                if !waits {
                    let milliseconds = Int(StoreFile.busyTimeoutSeconds * 1000)
                    try? database.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
                }
            }
            let row = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            return row?[0] == 0
        }
    }
}

/// The schema of a kind of private store.
package struct PrivateSchema: Sendable {
    /// SQLite's application id of its kind, four letters in the file's header.
    let applicationID: Int32
    /// What makes the tables, one step a version; the number of the last is kept in `user_version`.
    let steps: [String]
    /// Fills the tables of a new file.
    let fill: @Sendable (Database) throws -> Void

    package init(
        applicationID: Int32, steps: [String],
        fill: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) {
        self.applicationID = applicationID
        self.steps = steps
        self.fill = fill
    }

    /// The version that this program reads and writes.
    var currentVersion: Int { steps.count }

    func identity(of database: Database) throws -> HistorySchema.Identity {
        try StoreFile.identity(of: database, marked: applicationID)
    }

    /// Whether a database is of the current version.
    func isCurrent(_ database: Database) throws -> Bool {
        try identity(of: database) == .store(version: currentVersion)
    }

    /// Creates the tables of an empty file, or migrates an older one.
    ///
    /// Call it in an exclusive transaction.
    ///
    /// - Throws: `StoreProblem` for a newer file or a database of another program.
    func migrate(_ database: Database) throws {
        let version = try identity(of: database).version(upTo: currentVersion)
        for step in steps.dropFirst(version) { try database.execute(sql: step) }
        if version == 0 { try fill(database) }
        try database.execute(
            sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(currentVersion)"
        )
    }
}

extension StoreFile {
    /// Opens a private store; for writing, file and folder are created if missing.
    ///
    /// A file of another kind is recognised before anything is written, and is not changed. Reading rolls back a write that
    /// was interrupted.
    ///
    /// - Parameter missing: What is thrown where there is no file to read.
    /// - Throws: ``StoreProblem``, SQLite's error, or `missing`.
    package func opened(
        _ access: HistoryStore.Access, as schema: PrivateSchema, missing: any Error
    ) throws -> DatabaseQueue {
        guard try !isEncrypted() else { throw StoreProblem.encrypted }
        _ = try identity(marked: schema.applicationID).version(upTo: schema.currentVersion)
        switch access {
        case .writing: return try openedForWriting(schema)
        case .reading:
            guard try exists() else { throw missing }
            guard isThere else { throw StoreProblem.empty }
            let (queue, identity) = try recoverable(schema.identity)
            try identity.requireVersion(schema.currentVersion)
            return queue
        }
    }

    private func openedForWriting(_ schema: PrivateSchema) throws -> DatabaseQueue {
        try checkPages()
        let queue = try writable(
            isPrivate: true, isCurrent: schema.isCurrent, migrate: schema.migrate)
        // What is deleted is overwritten.
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
        return queue
    }
}
