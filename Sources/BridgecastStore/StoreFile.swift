// What lies at a store's path, told without a trace; used before SQLite is let near it.
import Foundation
import GRDB
import Glibc

/// The file of a store, or what lies in its place.
struct StoreFile {
    let url: URL

    /// Beside a database SQLite keeps its log under these endings.
    static let logEndings = ["-wal", "-journal"]

    private static let magic = Array("SQLite format 3\0".utf8)
    private static let headerBytes = 100

    /// What the file is; one that is not there is empty.
    ///
    /// Opening somebody's database with SQLite, even for reading, may put files beside it: the header tells a
    /// store by its mark, and what has none is looked into without locks, so that nothing is left.
    ///
    /// - Throws: ``StoreProblem`` where it is no file or cannot be read.
    func identity() throws -> HistorySchema.Identity {
        guard let header = try header(), !header.isEmpty else { return .empty }
        guard header.starts(with: Self.magic), header.count == Self.headerBytes else {
            return .foreign
        }
        let id = Self.number(header, at: 68)
        guard id == 0 else {
            return id == HistorySchema.applicationID
                ? HistorySchema.marked(version: Int(Self.number(header, at: 60))) : .foreign
        }
        let queue = try Self.readOnly(url, isUnchanging: true)
        defer { try? queue.close() }
        let identity = try queue.read(HistorySchema.identity)
        // Somebody's tables may be in the log alone.
        return identity == .empty && logBeside != nil ? .foreign : identity
    }

    private static func number(_ header: [UInt8], at offset: Int) -> Int32 {
        header[offset..<offset + 4].reduce(Int32(0)) { $0 << 8 | Int32($1) }
    }

    /// Whether another path leads to the same file.
    func isSame(as other: URL) -> Bool {
        guard let one = try? status(), let two = try? StoreFile(url: other).status() else {
            return false
        }
        return one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// Whether anything lies here, if the system tells.
    func exists() throws -> Bool { try status() != nil }

    /// Whether something lies here; a file of no length is none yet.
    var isThere: Bool {
        guard let status = try? status() else { return false }
        return status.st_mode & S_IFMT != S_IFREG || status.st_size > 0
    }

    /// Whether SQLite would take the file for the log of a database beside it.
    var isLogOfDatabase: Bool {
        (Self.logEndings + ["-shm"]).contains { ending in
            guard url.path.hasSuffix(ending) else { return false }
            let database = URL(fileURLWithPath: String(url.path.dropLast(ending.count)))
            return (try? StoreFile(url: database).isDatabase()) == true
        }
    }

    /// Whether the file is a database, anybody's, or belongs to one.
    var isDatabaseOrItsLog: Bool { (try? isDatabase()) == true || isLogOfDatabase }

    /// Whether the file begins as SQLite's do.
    func isDatabase() throws -> Bool { try header()?.starts(with: Self.magic) ?? false }

    /// The name of a log with something in it beside the place; nil if there is none.
    var logBeside: String? {
        let log = Self.logEndings.first { ending in
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path + ending)
            return attributes?[.size] as? Int ?? 0 > 0
        }
        return log.map { url.lastPathComponent + $0 }
    }

    /// Opens without writing; what is told to be unchanging is read without locks and leaves nothing beside it.
    static func readOnly(_ url: URL, isUnchanging: Bool) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(HistoryStore.patienceSeconds)
        guard isUnchanging else {
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
        case S_IFDIR: throw StoreProblem.noFile("a folder")
        case S_IFIFO: throw StoreProblem.noFile("a pipe")
        default: throw StoreProblem.noFile("a device or socket")
        }
        let descriptor = unsafe open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreProblem.unreadable(Self.words(errno)) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return try (handle.read(upToCount: Self.headerBytes) ?? Data()).map { $0 }
    }

    /// What the path leads to; nil if nothing is there.
    private func status() throws -> stat? {
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        if unsafe stat(url.path, &status) == 0 { return status }
        let reason = errno
        guard reason == ENOENT else { throw StoreProblem.unreadable(Self.words(reason)) }
        return nil
    }

    private static func words(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
