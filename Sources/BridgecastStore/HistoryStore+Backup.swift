// A sound copy of the store beside whoever reads and writes it; used by `history backup`.
public import Foundation
private import GRDB
private import Glibc

extension HistoryStore {
    /// Writes a copy of the store as it is at this moment, while others read and write.
    ///
    /// A copy on a fresh place is complete or not there: it is written beside its place and renamed. An older
    /// copy is replaced in one transaction of its own, so that who reads it sees the old one or the new one.
    /// Nothing but a store is replaced.
    ///
    /// - Throws: ``HistoryStoreError``.
    public func backUp(to url: URL) throws(HistoryStoreError) {
        let target = url.resolvingSymlinksInPath()
        if let problem = try integrityProblems().first {
            throw HistoryStoreError(path: path, .damaged(problem))
        }
        try HistoryStoreError.about(url.path, .writing) {
            guard (try? FileManager.default.destinationOfSymbolicLink(atPath: target.path)) == nil
            else { throw StoreProblem.noFile("a link that leads nowhere") }
            let file = StoreFile(url: target)
            guard !file.isLogOfDatabase else { throw StoreProblem.foreign }
            guard !file.isSame(as: URL(fileURLWithPath: path)) else { throw StoreProblem.itself }
            switch try file.identity() {
            case .foreign: throw StoreProblem.foreign
            case .store:
                do {
                    try replace(target)
                } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                    // A copy that is no good any more is nobody's to keep.
                    guard file.logBeside == nil else { throw error }
                    try copy(to: target)
                }
            case .empty:
                if let log = file.logBeside { throw StoreProblem.strayLog(log) }
                try copy(to: target)
            }
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
        // SQLite leaves it to us that the copy is on the disk before it has its name.
        try FileHandle(forUpdating: partial).synchronize()
        guard unsafe Glibc.rename(partial.path, target.path) == 0 else {
            throw StoreProblem.unwritable(unsafe String(cString: strerror(errno)))
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
            // The copy has no name of its own yet.
            throw error.problem
        }
    }
}
