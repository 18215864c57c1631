// A private store becomes encrypted, or gets another key, or is no longer encrypted: all of it or nothing.
import Foundation
import BridgecastSupport
import GRDB
import Glibc

extension StoreFile {
    /// Encrypts a store; what was in the file is overwritten.
    ///
    /// No other process may have it open: a program that has would go on writing to the file that was replaced.
    ///
    /// - Parameter isBoundToName: Whether it can then be read by no other file's name.
    /// - Returns: Whether it was encrypted; false if it is already, with this key.
    /// - Throws: ``StoreProblem``, ``StoreProblem/busy`` if another process has it open, or SQLite's error.
    package func encrypt(
        with key: StoreKey, isBoundToName: Bool, as schema: PrivateSchema
    ) throws -> Bool {
        if try isEncrypted() {
            try checkKey(key)
            return false
        }
        guard isThere else { throw StoreProblem.empty }
        _ = try identity(marked: schema.applicationID).version(upTo: schema.currentVersion)
        try checkPages()
        let old = unsafe open(url.path, O_RDWR | O_CLOEXEC)
        guard old >= 0 else { throw StoreProblem.unwritable(LocalFileError.description(of: errno)) }
        // After SQLite's: closing any descriptor of a file releases all locks of the process on it.
        defer { close(old) }
        let queue = try writable()
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { database in
            try Self.leaveWriteAheadLog(database)
            try database.inTransaction(.exclusive) {
                let (_, bytes) = try unsafe database.withImage { image in
                    try unsafe EncryptedImage.encrypt(
                        image, key: key, boundTo: isBoundToName ? url.lastPathComponent : nil)
                }
                try replace(by: bytes)
                do {
                    try Self.overwrite(old)
                } catch {
                    throw StoreProblem.failing(
                        "the store is encrypted, but its old text is still on the disk: it could "
                            + "not be overwritten (\(error)); overwrite the disk's free space")
                }
                return .rollback
            }
        }
        return true
    }

    /// SQLite leaves the log, and removes it, only where no other connection is open.
    private static func leaveWriteAheadLog(_ database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = 0")
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
            throw StoreProblem.busy
        }
        // A program without a log has a lock at most while it reads or writes.
        try database.execute(sql: "PRAGMA busy_timeout = \(Int(busyTimeoutSeconds) * 1000)")
    }

    /// Overwrites a file with zeros, at its length: a program that waits for its lock then finds no database.
    private static func overwrite(_ descriptor: Int32) throws {
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe fstat(descriptor, &status) == 0 else { throw StoreProblem(code: errno) }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var left = Int(status.st_size)
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw StoreProblem(code: errno) }
        while left > 0 {
            do {
                try PrivateFile.write(Array(zeros.prefix(left)), to: descriptor)
            } catch {
                throw StoreProblem(writing: error)
            }
            left -= min(left, zeros.count)
        }
        guard fsync(descriptor) == 0 else { throw StoreProblem(code: errno) }
    }

    /// Writes an encrypted store as an SQLite database.
    ///
    /// - Throws: ``StoreProblem`` or SQLite's error.
    package func decrypt(with key: StoreKey, as schema: PrivateSchema) throws {
        let database = try opened(with: key, as: schema)
        defer { try? database.close() }
        try unsafe database.withImage { image in
            try unsafe StoreFile(url: url.resolvingSymlinksInPath()).replace(by: [Array(image)])
        }
    }

    /// Encrypts an encrypted store with another key.
    ///
    /// - Throws: ``StoreProblem`` or SQLite's error.
    package func changeKey(
        from old: StoreKey, to new: StoreKey, as schema: PrivateSchema
    ) throws {
        let database = try opened(with: old, as: schema)
        defer { try? database.close() }
        try database.changeKey(to: new)
    }

    /// Opens an encrypted store of the current version, or migrates it.
    private func opened(
        with key: StoreKey, as schema: PrivateSchema
    ) throws -> EncryptedDatabase {
        guard isThere else { throw StoreProblem.empty }
        return try EncryptedDatabase(url, .writing, key: key, isBoundToName: false, as: schema)
    }

    /// Checks that a store is encrypted with a key, or is not encrypted if there is none; one that is missing or empty may
    /// become either.
    ///
    /// - Complexity: O(1); only the header is read.
    /// - Throws: ``StoreProblem``.
    package func checkKey(_ key: StoreKey?) throws {
        guard isThere else { return }
        guard let key else {
            guard try !isEncrypted() else { throw StoreProblem.encrypted }
            return
        }
        guard try encryptedHeader().keyID == key.id else { throw StoreProblem.wrongKey }
    }
}
