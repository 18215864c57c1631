// Stores that only their owner may read: what marks each kind, how its tables come about, and how its file is opened.
package import GRDB

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
    /// A file of another kind is recognised before anything is written, and is not changed.
    ///
    /// - Parameter missing: What is thrown where there is no file to read.
    /// - Throws: ``StoreProblem``, SQLite's error, or `missing`.
    package func opened(
        _ access: HistoryStore.Access, as schema: PrivateSchema, missing: any Error
    ) throws -> DatabaseQueue {
        _ = try identity(marked: schema.applicationID).version(upTo: schema.currentVersion)
        switch access {
        case .writing: return try openedForWriting(schema)
        case .reading:
            guard try exists() else { throw missing }
            guard isThere else { throw StoreProblem.empty }
            let (queue, identity) = try readable(schema.identity)
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
