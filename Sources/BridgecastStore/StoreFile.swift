// A database file of ours on disk: recognised before SQLite opens it, then opened for reading or writing.
import BridgecastSupport
package import Foundation
package import GRDB
import Glibc

package struct StoreFile {
    let url: URL

    package init(url: URL) { self.url = url }

    /// The endings of logs that SQLite keeps next to a database.
    static let logEndings = ["-wal", "-journal"]

    private static let magic = Array("SQLite format 3\0".utf8)
    private static let headerBytes = 100

    /// What the file is; a missing one is empty.
    ///
    /// Opening another program's database with SQLite, even for reading, may create files next to it: a store is
    /// recognised by its header, and a database without that mark is read without locks.
    ///
    /// - Throws: ``StoreProblem`` if it is not a file or cannot be read.
    func identity() throws -> HistorySchema.Identity {
        try identity(marked: HistorySchema.applicationID, unmarked: HistorySchema.identity)
    }

    /// As ``identity()``, of a file of ours of another kind.
    ///
    /// - Parameters:
    ///   - applicationID: The mark of its kind.
    ///   - identity: What a database without any mark is.
    package func identity(
        marked applicationID: Int32,
        unmarked identity: (Database) throws -> HistorySchema.Identity = Self.identityWithoutMark
    ) throws -> HistorySchema.Identity {
        guard let header = try header(), !header.isEmpty else { return .empty }
        guard header.starts(with: Self.magic), header.count == Self.headerBytes else {
            return .foreign
        }
        let id = Self.number(header, at: 68)
        guard id == 0 else {
            return id == applicationID
                ? HistorySchema.marked(version: Int(Self.number(header, at: 60))) : .foreign
        }
        let queue = try Self.readOnly(url, isImmutable: true)
        defer { try? queue.close() }
        let identity = try queue.read(identity)
        // The tables of another program may be only in the log.
        return identity == .empty && adjacentLog != nil ? .foreign : identity
    }

    /// Without our mark a database is empty or of another program.
    package static func identityWithoutMark(
        _ database: Database
    ) throws -> HistorySchema.Identity {
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        return count == 0 && version == 0 ? .empty : .foreign
    }

    /// What an open database is, by its application id.
    ///
    /// - Parameters: As for a file.
    package static func identity(
        of database: Database, marked applicationID: Int32,
        unmarked identity: (Database) throws -> HistorySchema.Identity = Self.identityWithoutMark
    ) throws -> HistorySchema.Identity {
        let id = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        guard id != 0 else { return try identity(database) }
        guard id == applicationID else { return .foreign }
        return HistorySchema.marked(
            version: try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0)
    }

    private static func number(_ header: [UInt8], at offset: Int) -> Int32 {
        header[offset..<offset + 4].reduce(Int32(0)) { $0 << 8 | Int32($1) }
    }

    func isSame(as other: URL) -> Bool {
        guard let one = try? status(), let two = try? StoreFile(url: other).status() else {
            return false
        }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    package func exists() throws -> Bool { try status() != nil }

    /// Whether a file exists and is not empty.
    package var isThere: Bool {
        guard let status = try? status() else { return false }
        return status.st_mode & S_IFMT != S_IFREG || status.st_size > 0
    }

    /// Whether SQLite would use the file as the log of a database next to it.
    var isLogOfDatabase: Bool {
        (Self.logEndings + ["-shm"]).contains { ending in
            guard url.path.hasSuffix(ending) else { return false }
            let database = URL(fileURLWithPath: String(url.path.dropLast(ending.count)))
            return (try? StoreFile(url: database).isDatabase()) == true
        }
    }

    /// Whether the file is a database of any program, a log of one, or an encrypted store.
    var isDatabaseOrItsLog: Bool {
        (try? isDatabase()) == true || (try? isEncrypted()) == true || isLogOfDatabase
    }

    /// Whether the file starts with SQLite's magic bytes.
    func isDatabase() throws -> Bool { try header()?.starts(with: Self.magic) ?? false }

    /// Checks a file that has fewer pages than its header says.
    ///
    /// The others may be in its log, after a crash while they were moved out of it; else it was cut, which SQLite notices
    /// only where it reads them. It is not opened for writing, which would move the log into it.
    ///
    /// - Throws: ``StoreProblem/damaged(_:)``
    package func checkPages() throws {
        guard try isShorterThanItSays() else { return }
        let queue = try Self.readOnly(url, isImmutable: false)
        defer { try? queue.close() }
        let found = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
        guard found == "ok" else { throw StoreProblem.damaged("pages are missing") }
    }

    private func isShorterThanItSays() throws -> Bool {
        guard let header = try header(), header.count == Self.headerBytes,
            let status = try status()
        else { return false }
        // 65536 does not fit and is written as 1 (fileformat2.html, 1.3.2).
        let size = Int(header[16]) << 8 | Int(header[17])
        let pageBytes = size == 1 ? 65_536 : size
        return Int(status.st_size) < Int(Self.number(header, at: 28)) * pageBytes
    }

    /// The name of a log with content next to the file; nil if there is none.
    var adjacentLog: String? {
        let log = Self.logEndings.first { ending in
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + ending)
            return attributes?[.size] as? Int ?? 0 > 0
        }
        return log.map { url.lastPathComponent + $0 }
    }

    /// How long to wait for another writer.
    static let busyTimeoutSeconds = 10.0

    /// Opens for writing; the folder is created if needed.
    ///
    /// - Throws: ``StoreProblem`` if it cannot be created, or SQLite's error.
    func writable() throws -> DatabaseQueue {
        try makeFolder()
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        return try HeaderFiles.opening {
            try DatabaseQueue(path: url.path, configuration: configuration)
        }
    }

    /// Opens for writing, with a write-ahead log that is on the disk when a commit returns; older content is migrated.
    ///
    /// - Parameters:
    ///   - isPrivate: Whether only its owner may read it, from its first byte on.
    ///   - isCurrent: Whether the content needs no migration.
    ///   - migrate: Called in an exclusive transaction if it does.
    /// - Throws: ``StoreProblem``, SQLite's error, or what `migrate` throws.
    package func writable(
        isPrivate: Bool = false, isCurrent: (Database) throws -> Bool,
        migrate: (Database) throws -> Void
    ) throws -> DatabaseQueue {
        if isPrivate { try makePrivate() }
        let queue = try writable()
        try queue.writeWithoutTransaction { database in
            // A commit is on the disk before it returns, not only in the log's buffer.
            try database.execute(sql: "PRAGMA synchronous = FULL")
            if try !isCurrent(database) {
                try database.inTransaction(.exclusive) {
                    try migrate(database)
                    return .commit
                }
            }
            try Self.useWriteAheadLog(database)
        }
        return queue
    }

    /// Makes a file that only its owner reads and writes (mode 0600); an existing one loses all other permissions, and is
    /// refused if its owner has made it read-only.
    ///
    /// SQLite gives a database's mode to its logs too. An existing file is not opened for this: see ``HeaderFiles``.
    private func makePrivate() throws {
        try makeFolder()
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NONBLOCK
        let descriptor = unsafe open(url.path, flags, 0o600)
        if descriptor >= 0 {
            close(descriptor)
        } else if errno != EEXIST {
            throw StoreProblem.unwritable(LocalFileError.description(of: errno))
        }
        try checkMode()
        guard unsafe chmod(url.path, 0o600) == 0 else {
            throw StoreProblem.unwritable(LocalFileError.description(of: errno))
        }
    }

    /// - Throws: ``StoreProblem/unwritable(_:)`` if its owner has made the file read-only.
    private func checkMode() throws {
        guard let mode = try status()?.st_mode, mode & S_IWUSR != 0 else {
            throw StoreProblem.unwritable("the file is read-only, which `chmod u+w` changes")
        }
    }

    /// Checks that this process may write the file and into its folder, which has its logs, or may make what is missing of
    /// them; nothing is made.
    ///
    /// - Throws: ``StoreProblem/unwritable(_:)``.
    package func checkWritable() throws {
        if try exists() {
            try checkMode()
            try Self.checkAccess(url)
        }
        var folder = url.deletingLastPathComponent()
        while try !StoreFile(url: folder).exists(), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        try Self.checkAccess(folder)
    }

    private static func checkAccess(_ url: URL) throws {
        guard unsafe access(url.path, W_OK) == 0 else {
            throw StoreProblem.unwritable(LocalFileError.description(of: errno))
        }
    }

    func makeFolder() throws {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        } catch {
            throw StoreProblem.unwritable("its folder cannot be created")
        }
    }

    /// Opens without writing, and says what the content is; on a read-only or full disk, as a file that does not change.
    package func readable(
        _ identity: (Database) throws -> HistorySchema.Identity
    ) throws -> (queue: DatabaseQueue, identity: HistorySchema.Identity) {
        do {
            let queue = try Self.readOnly(url, isImmutable: false)
            return (queue, try queue.read(identity))
        } catch let error as DatabaseError where error.isWithoutLogIndex {
            // The log's index cannot be created here; without a log, the file is complete.
            guard adjacentLog == nil else { throw error }
            let queue = try Self.readOnly(url, isImmutable: true)
            return (queue, try queue.read(identity))
        }
    }

    /// Switches to the write-ahead log; SQLite does not wait for the exclusive access by itself.
    static func useWriteAheadLog(_ database: Database) throws {
        let deadline = ContinuousClock.now + .seconds(busyTimeoutSeconds)
        while true {
            do {
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
                guard mode == "wal" else {
                    throw StoreProblem.unwritable("a write-ahead log is not possible there")
                }
                return
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }

    /// Opens without writing; an immutable file is read without locks and without files next to it.
    static func readOnly(_ url: URL, isImmutable: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Self.busyTimeoutSeconds)
        guard isImmutable else {
            return try HeaderFiles.opening {
                try DatabaseQueue(path: url.path, configuration: configuration)
            }
        }
        let escaped = url.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        return try DatabaseQueue(
            path: "file:\(escaped ?? url.path)?immutable=1", configuration: configuration)
    }

    /// The first bytes; nil if there is no file.
    func header() throws -> [UInt8]? {
        guard let status = try status() else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw StoreProblem.notAFile("a folder")
        case S_IFIFO: throw StoreProblem.notAFile("a pipe")
        default: throw StoreProblem.notAFile("a device or socket")
        }
        return try HeaderFiles.firstBytes(Self.headerBytes, of: url.path, status)
    }

    /// The status of the file; nil if there is none.
    func status() throws -> stat? {
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        if unsafe stat(url.path, &status) == 0 { return status }
        let code = errno
        guard code == ENOENT else {
            throw StoreProblem.unreadable(LocalFileError.description(of: code))
        }
        return nil
    }
}
