import BridgecastSupport
import Foundation
import GRDB
import Glibc

struct StoreFile {
    let url: URL

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
    func identity(
        marked applicationID: Int32, unmarked identity: (Database) throws -> HistorySchema.Identity
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

    private static func number(_ header: [UInt8], at offset: Int) -> Int32 {
        header[offset..<offset + 4].reduce(Int32(0)) { $0 << 8 | Int32($1) }
    }

    func isSame(as other: URL) -> Bool {
        guard let one = try? status(), let two = try? StoreFile(url: other).status() else {
            return false
        }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    func exists() throws -> Bool { try status() != nil }

    /// Whether a file exists and is not empty.
    var isThere: Bool {
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

    /// Whether the file is a database of any program, or a log of one.
    var isDatabaseOrItsLog: Bool { (try? isDatabase()) == true || isLogOfDatabase }

    /// Whether the file starts with SQLite's magic bytes.
    func isDatabase() throws -> Bool { try header()?.starts(with: Self.magic) ?? false }

    /// Checks a file that has fewer pages than its header says.
    ///
    /// The others may be in its log, after a crash while they were moved out of it; else it was cut, which SQLite notices
    /// only where it reads them. It is not opened for writing, which would move the log into it.
    ///
    /// - Throws: ``StoreProblem/damaged(_:)``
    func checkPages() throws {
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

    /// Opens without writing; an immutable file is read without locks and without files next to it.
    static func readOnly(_ url: URL, isImmutable: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(HistoryStore.busyTimeoutSeconds)
        guard isImmutable else {
            return try DatabaseQueue(path: url.path, configuration: configuration)
        }
        let escaped = url.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        return try DatabaseQueue(
            path: "file:\(escaped ?? url.path)?immutable=1", configuration: configuration)
    }

    /// The first bytes; nil if there is no file.
    private func header() throws -> [UInt8]? {
        guard let status = try status() else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw StoreProblem.notAFile("a folder")
        case S_IFIFO: throw StoreProblem.notAFile("a pipe")
        default: throw StoreProblem.notAFile("a device or socket")
        }
        let descriptor = unsafe open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreProblem.unreadable(LocalFileError.description(of: errno))
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return try (handle.read(upToCount: Self.headerBytes) ?? Data()).map { $0 }
    }

    /// The status of the file; nil if there is none.
    private func status() throws -> stat? {
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
