// An encrypted store: its database is in memory, and each change replaces the file by an encrypted image.
import BridgecastSupport
import Foundation
package import GRDB
import GRDBSQLite
import Glibc
import Synchronization

/// A database in memory that is read from an encrypted file and written to it with each change.
///
/// Only ciphertext is ever written: to a file next to the store, which is renamed once it is on the disk. A change is made
/// with a lock on the file, after another process's changes were read; readers need no lock.
package final class EncryptedDatabase: Sendable {
    private let file: StoreFile
    private let key: StoreKey
    private let isBoundToName: Bool
    private let schema: PrivateSchema
    private let access: HistoryStore.Access
    private let queue: DatabaseQueue
    /// The header of the image that is in memory; nil before the first and after a failure.
    private let loaded = Mutex<EncryptedImage?>(nil)

    /// Opens a store; for writing, the file and its folder are created if missing.
    ///
    /// - Parameter isBoundToName: Whether a new store is bound to its file's name, and an existing one must be.
    /// - Throws: ``StoreProblem`` or SQLite's error.
    init(
        _ url: URL, _ access: HistoryStore.Access, key: StoreKey, isBoundToName: Bool,
        as schema: PrivateSchema
    ) throws {
        // A link would be replaced by the rename, not its target.
        file = StoreFile(url: url.resolvingSymlinksInPath())
        self.access = access
        self.key = key
        self.isBoundToName = isBoundToName
        self.schema = schema
        queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { try access == .writing ? prepare($0) : refresh($0) }
    }

    package func close() throws { try queue.close() }

    /// Reads, after another process's changes.
    package func read<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.writeWithoutTransaction { database in
            try refresh(database)
            return try body(database)
        }
    }

    /// Changes in one transaction, which is on the disk when this returns; an error leaves the store as it was.
    package func write<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try queue.writeWithoutTransaction { database in
            let lock = try StoreLock(file)
            defer { lock.release() }
            try refresh(database, isLocked: true)
            let before = database.totalChangesCount
            var result: Result?
            try database.inTransaction(.immediate) {
                result = try body(database)
                return .commit
            }
            guard let result else { throw StoreProblem.failing("the change has no result") }
            if database.totalChangesCount != before { try save(database) }
            return result
        }
    }

    /// Encrypts the database in memory anew, with another key.
    func changeKey(to new: StoreKey) throws {
        try queue.writeWithoutTransaction { database in
            let lock = try StoreLock(file)
            defer { lock.release() }
            try refresh(database, isLocked: true)
            try save(database, key: new)
        }
    }

    /// Calls a closure with the database's image, with a lock on the file.
    func withImage(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try queue.writeWithoutTransaction { database in
            let lock = try StoreLock(file)
            defer { lock.release() }
            try refresh(database, isLocked: true)
            try unsafe database.withImage(body)
        }
    }

    // MARK: Loading

    /// Loads the file if it is not what is in memory; one that is gone is made anew if the store is open for writing.
    private func refresh(_ database: Database, isLocked: Bool = false) throws {
        guard file.isThere else {
            guard access == .writing else { throw StoreProblem.empty }
            return isLocked ? try create(database) : try prepare(database)
        }
        let header = try file.encryptedHeader()
        if loaded.withLock({ $0 == header }) { return }
        let image = try load(database)
        try schema.identity(of: database).requireVersion(schema.currentVersion)
        loaded.withLock { $0 = image }
    }

    /// Loads a store, creates it where there is none, and migrates one of an older version.
    private func prepare(_ database: Database) throws {
        let lock = try StoreLock(file)
        defer { lock.release() }
        guard file.isThere else { return try create(database) }
        let image = try load(database)
        loaded.withLock { $0 = image }
        guard try !schema.isCurrent(database) else { return }
        try migrate(database)
    }

    private func create(_ database: Database) throws {
        loaded.withLock { $0 = nil }
        try database.load([])
        try migrate(database)
    }

    private func migrate(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            try schema.migrate(database)
            return .commit
        }
        try save(database)
    }

    /// Loads the file, of this version or an older one; its header, which the caller keeps once the image can be used.
    private func load(_ database: Database) throws -> EncryptedImage {
        loaded.withLock { $0 = nil }
        let bytes = try file.bytes(max: EncryptedImage.maxFileBytes)
        guard EncryptedImage.isBegun(by: bytes) else {
            throw try file.isDatabase() ? StoreProblem.notEncrypted : .foreign
        }
        let (header, image) = try EncryptedImage.decrypt(
            bytes, key: key, name: file.url.lastPathComponent)
        guard header.isBoundToName || !isBoundToName else {
            throw StoreProblem.damaged("it was not encrypted as a file of this name")
        }
        try database.load(image)
        _ = try schema.identity(of: database).version(upTo: schema.currentVersion)
        return header
    }

    // MARK: Saving

    private func save(_ database: Database, key: StoreKey? = nil) throws {
        let isBound = loaded.withLock { $0?.isBoundToName } ?? isBoundToName
        // Until the file is replaced, memory has what the disk does not.
        loaded.withLock { $0 = nil }
        let (header, bytes) = try unsafe database.withImage { image in
            try unsafe EncryptedImage.encrypt(
                image, key: key ?? self.key,
                boundTo: isBound ? file.url.lastPathComponent : nil)
        }
        try file.replace(by: bytes)
        if key == nil { loaded.withLock { $0 = header } }
    }
}

extension Database {
    /// Replaces the whole database, which is in memory, by an image; by none, it becomes empty.
    func load(_ image: [UInt8]) throws {
        // SQLite frees it, also if the call fails; a database without pages needs an address, too.
        guard let copy = unsafe sqlite3_malloc64(UInt64(max(1, image.count))) else {
            throw StoreProblem.failing("there is not enough memory for the store")
        }
        unsafe image.withUnsafeBytes { image in
            if let source = image.baseAddress {
                unsafe copy.copyMemory(from: source, byteCount: image.count)
            }
        }
        let bytes = unsafe copy.assumingMemoryBound(to: UInt8.self)
        let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE)
        let code = unsafe sqlite3_deserialize(
            sqliteConnection, "main", bytes, Int64(image.count), Int64(max(1, image.count)), flags)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code))
        }
        clearSchemaCache()
        // What is deleted is overwritten, and what is sorted is never in a file.
        try execute(sql: "PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
    }

    /// Calls a closure with the image of the database.
    func withImage<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        var count: Int64 = 0
        // Safe: the connection is open within the queue's closure, and the bytes are SQLite's own, valid until it is used again.
        if let bytes = unsafe sqlite3_serialize(
            sqliteConnection, "main", &count, UInt32(SQLITE_SERIALIZE_NOCOPY))
        {
            return try unsafe body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        }
        guard let copy = unsafe sqlite3_serialize(sqliteConnection, "main", &count, 0) else {
            throw StoreProblem.failing("there is not enough memory for the store")
        }
        defer { unsafe sqlite3_free(copy) }
        return try unsafe body(UnsafeRawBufferPointer(start: copy, count: Int(count)))
    }
}

// MARK: - Files

/// An exclusive lock on a store's file, which is created if missing; the end of the process releases it.
///
/// The file itself is locked, so that no lock file is left next to it. As a change replaces it, a lock counts only if the
/// path still leads to the locked file.
struct StoreLock {
    private let descriptor: Int32

    /// Waits for the lock as long as SQLite does.
    ///
    /// - Throws: ``StoreProblem``.
    init(_ file: StoreFile) throws {
        let deadline = ContinuousClock.now + .seconds(StoreFile.busyTimeoutSeconds)
        try file.makeFolder()
        while true {
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW
            let descriptor = unsafe open(file.url.path, flags, 0o600)
            guard descriptor >= 0 else {
                throw StoreProblem.unwritable(LocalFileError.description(of: errno))
            }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, Self.leads(file, to: descriptor) {
                self.descriptor = descriptor
                return
            }
            Glibc.close(descriptor)
            guard ContinuousClock.now < deadline else { throw StoreProblem.busy }
            Thread.sleep(forTimeInterval: 0.002)
        }
    }

    private static func leads(_ file: StoreFile, to descriptor: Int32) -> Bool {
        guard let found = try? file.status() else { return false }
        return FileIdentity(found) == FileIdentity(descriptor: descriptor)
    }

    func release() { Glibc.close(descriptor) }
}

extension StoreFile {
    /// The header of an encrypted store.
    ///
    /// - Throws: ``StoreProblem``, ``StoreProblem/notEncrypted`` for a database.
    func encryptedHeader() throws -> EncryptedImage {
        guard let bytes = try header() else { throw StoreProblem.empty }
        guard try !isDatabase() else { throw StoreProblem.notEncrypted }
        return try EncryptedImage(bytes)
    }

    /// Whether the file begins as an encrypted store does.
    func isEncrypted() throws -> Bool { try header().map(EncryptedImage.isBegun) ?? false }

    func bytes(max: Int) throws -> [UInt8] {
        do {
            return try LocalFile.read(url, maxBytes: max)
        } catch {
            throw StoreProblem.unreadable(error.message)
        }
    }

    /// Replaces the file by bytes with mode 0600; after a crash it has all of them or is as it was.
    ///
    /// Call it with the file's lock: the file next to it has always the same name, so that a killed process leaves at most one.
    ///
    /// - Throws: ``StoreProblem``.
    func replace(by pieces: [[UInt8]]) throws {
        do {
            try PrivateFile.replace(url, by: pieces, through: url.path + ".part")
        } catch {
            throw StoreProblem(writing: error)
        }
    }
}

extension StoreProblem {
    /// Why the system did not write.
    init(code: Int32) {
        self =
            [ENOSPC, EDQUOT, EFBIG].contains(code)
            ? .full : .unwritable(LocalFileError.description(of: code))
    }

    /// Why a file was not written.
    init(writing error: LocalFileError) {
        if case .system(let code) = error {
            self.init(code: code)
        } else {
            self = .unwritable(error.message)
        }
    }
}
