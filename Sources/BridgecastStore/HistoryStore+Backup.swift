// Consistent copies of a store while others read and write it, also from one kind of database to the other.
internal import BridgecastSupport
public import Foundation
internal import GRDB
private import Glibc

extension HistoryStore {
    /// Writes a copy of the current store to a file of SQLite, while others may read and write.
    ///
    /// A new copy is complete or missing: it is written to a temporary file and renamed. An older copy is replaced in one
    /// transaction, so that its readers see the old one or the new one. Only stores are replaced.
    ///
    /// - Throws: ``HistoryStoreError``.
    public func backUp(to url: URL) throws(HistoryStoreError) {
        try requireIntegrity()
        try HistoryStoreError.about(url.path, .writing) {
            try BackupFile(target: url.resolvingSymlinksInPath()).take(backend)
        }
    }

    /// Copies everything to another store in one transaction.
    ///
    /// - Throws: ``HistoryStoreError``, also if the other one is not empty.
    package func copy(to other: HistoryStore) throws(HistoryStoreError) {
        try requireIntegrity()
        try HistoryStoreError.about(other.path, .writing) {
            try other.backend.write(commits: true) { target in
                for table in StoreTable.allCases {
                    guard try target.firstRow("SELECT 1 FROM \(table.rawValue) LIMIT 1") == nil
                    else { throw StoreProblem.usedOtherwise("the store is not empty") }
                }
                try backend.read { try target.insertAll(of: $0) }
            }
        }
    }

    private func requireIntegrity() throws(HistoryStoreError) {
        if let problem = try integrityProblems().first {
            throw HistoryStoreError(path: path, .damaged(problem))
        }
    }

    /// What is damaged, a line each; empty if nothing is.
    func integrityProblems() throws(HistoryStoreError) -> [String] {
        try HistoryStoreError.about(path, access) { try backend.integrityProblems() }
    }
}

/// The file of a backup.
private struct BackupFile {
    let target: URL

    func take(_ store: any HistoryBackend) throws {
        guard (try? FileManager.default.destinationOfSymbolicLink(atPath: target.path)) == nil
        else { throw StoreProblem.notAFile("a link to a missing file") }
        let file = StoreFile(url: target)
        guard !file.isLogOfDatabase else { throw StoreProblem.foreign }
        guard !file.isSame(as: URL(fileURLWithPath: store.name)) else { throw StoreProblem.itself }
        switch try file.identity() {
        case .foreign: throw StoreProblem.foreign
        case .store:
            do {
                try store.replaceContent(of: target)
                try Self.check(target)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                // A damaged copy is of no use.
                guard file.adjacentLog == nil else { throw error }
                try create(from: store)
            }
        case .empty:
            if let log = file.adjacentLog { throw StoreProblem.strayLog(log) }
            try create(from: store)
        }
    }

    private func create(from store: any HistoryBackend) throws {
        let partial = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString).part")
        defer { try? FileManager.default.removeItem(at: partial) }
        try store.writeCopy(to: partial)
        try Self.check(partial)
        // SQLite does not ensure that the copy is on the disk before it is renamed.
        try FileHandle(forUpdating: partial).synchronize()
        guard unsafe Glibc.rename(partial.path, target.path) == 0 else {
            throw StoreProblem.unwritable(LocalFileError.description(of: errno))
        }
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

// MARK: - Ways of copying

extension SQLiteHistory {
    package func writeCopy(to url: URL) throws {
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM INTO ?", arguments: [url.path])
        }
    }

    package func replaceContent(of url: URL) throws {
        let copy = try Self.openForWriting(url)
        defer { try? copy.close() }
        try database.backup(to: copy)
    }
}

extension HistoryBackend {
    package func writeCopy(to url: URL) throws { try replaceContent(of: url) }

    package func replaceContent(of url: URL) throws {
        let copy = try SQLiteHistory(url, .writing)
        defer { copy.close() }
        try copy.write(commits: true) { target in
            for table in StoreTable.allCases.reversed() {
                try target.execute("DELETE FROM \(table.rawValue)", [])
            }
            try read { try target.insertAll(of: $0) }
        }
    }
}

extension HistoryDatabase {
    /// Inserts all rows of another store; the tables are empty.
    fileprivate func insertAll(of source: any HistoryDatabase) throws {
        let blockRows = 5_000
        for table in StoreTable.allCases {
            var block: [[StoreValue]] = []
            let columns = table.columns.joined(separator: ", ")
            try source.rows("SELECT \(columns) FROM \(table.rawValue)").forEach { row in
                block.append(try table.columns.indices.map { try row.anyValue($0) })
                if block.count == blockRows {
                    try insert(block, into: table)
                    block.removeAll(keepingCapacity: true)
                }
            }
            try insert(block, into: table)
        }
    }
}
