// A consistent copy of the store while others read and write it.
internal import BridgecastSupport
public import Foundation
internal import GRDB
private import Glibc

extension HistoryStore {
    /// Writes a copy of the current store, while others may read and write.
    ///
    /// A new copy is complete or missing: it is written to a temporary file and renamed. An older copy is replaced in one
    /// transaction, so that its readers see the old one or the new one. Only stores are replaced.
    ///
    /// - Throws: ``HistoryStoreError``.
    public func backUp(to url: URL) throws(HistoryStoreError) {
        if let problem = try integrityProblems().first {
            throw HistoryStoreError(path: path, .damaged(problem))
        }
        try HistoryStoreError.about(url.path, .writing) { try backend.backUp(to: url) }
    }

    /// What is damaged, a line each; empty if nothing is.
    func integrityProblems() throws(HistoryStoreError) -> [String] {
        try HistoryStoreError.about(path, access) { try backend.integrityProblems() }
    }
}

extension SQLiteHistory {
    package func backUp(to url: URL) throws {
        let target = url.resolvingSymlinksInPath()
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: target.path)) == nil
        else { throw StoreProblem.notAFile("a link to a missing file") }
        let file = StoreFile(url: target)
        guard !file.isLogOfDatabase else { throw StoreProblem.foreign }
        guard !file.isSame(as: URL(fileURLWithPath: name)) else { throw StoreProblem.itself }
        switch try file.identity() {
        case .foreign: throw StoreProblem.foreign
        case .store:
            do {
                try replace(target)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // A damaged copy is of no use.
                guard file.adjacentLog == nil else { throw error }
                try copy(to: target)
            }
        case .empty:
            if let log = file.adjacentLog { throw StoreProblem.strayLog(log) }
            try copy(to: target)
        }
    }

    private func copy(to target: URL) throws {
        let partial = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString).part")
        defer { try? FileManager.default.removeItem(at: partial) }
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM INTO ?", arguments: [partial.path])
        }
        try Self.check(partial)
        // SQLite does not ensure that the copy is on the disk before it is renamed.
        try FileHandle(forUpdating: partial).synchronize()
        guard unsafe Glibc.rename(partial.path, target.path) == 0 else {
            throw StoreProblem.unwritable(LocalFileError.description(of: errno))
        }
    }

    private func replace(_ target: URL) throws {
        let copy = try Self.openForWriting(target)
        defer { try? copy.close() }
        try database.backup(to: copy)
        try Self.check(target)
    }

    private static func check(_ url: URL) throws {
        do {
            let copy = try HistoryStore(url, .reading)
            defer { copy.close() }
            if let problem = try copy.integrityProblems().first {
                throw StoreProblem.damaged(problem)
            }
        } catch let error as HistoryStoreError {
            // The path of the error would be the temporary file's.
            throw error.problem
        }
    }
}
