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
    /// Opening somebody's database with SQLite, even for reading, may put files beside it: it is opened only
    /// where its header leaves a doubt, and then so that it leaves none.
    ///
    /// - Throws: ``StoreProblem`` where it is no file or cannot be read.
    func identity() throws -> HistorySchema.Identity {
        guard let header = try header(), !header.isEmpty else { return .empty }
        guard header.starts(with: Self.magic), header.count == Self.headerBytes else {
            return .foreign
        }
        let id = header[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        guard id == 0 || id == HistorySchema.applicationID else { return .foreign }
        // Files that switch to a log of their own carry a 2 here; a store is marked before it switches.
        let mayHaveLog = header[18] == 2
        let isAlone = mayHaveLog && strayLog == nil
        let queue = try Self.readOnly(url, isUnchanging: isAlone)
        defer { try? queue.close() }
        return try queue.read(HistorySchema.identity)
    }

    /// Whether the file begins as SQLite's do.
    func isDatabase() throws -> Bool { try header()?.starts(with: Self.magic) ?? false }

    /// The name of a log beside the place; nil if there is none.
    var strayLog: String? {
        Self.logEndings.map { url.lastPathComponent + $0 }.first { name in
            FileManager.default.fileExists(
                atPath: url.deletingLastPathComponent().appendingPathComponent(name).path)
        }
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
        var status = stat()
        // Safe: the call fills the structure it is given, which lives through it.
        guard unsafe stat(url.path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw StoreProblem.unreadable(systemReason())
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw StoreProblem.noFile("a folder")
        case S_IFIFO: throw StoreProblem.noFile("a pipe")
        default: throw StoreProblem.noFile("a device or socket")
        }
        guard let handle = FileHandle(forReadingAtPath: url.path) else {
            throw StoreProblem.unreadable(systemReason())
        }
        defer { try? handle.close() }
        return try (handle.read(upToCount: Self.headerBytes) ?? Data()).map { $0 }
    }

    private func systemReason() -> String { unsafe String(cString: strerror(errno)) }
}
