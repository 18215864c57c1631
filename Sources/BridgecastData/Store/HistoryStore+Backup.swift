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
        do {
            guard !isSame(target) else { throw StoreProblem.failing("it is the store itself") }
            guard let soundness = try integrityProblems().first else {
                let file = StoreFile(url: target)
                switch try file.identity() {
                case .foreign: throw StoreProblem.foreign
                case .store: try replace(target)
                case .empty:
                    if let log = file.strayLog { throw StoreProblem.strayLog(log) }
                    try copy(to: target)
                }
                return
            }
            throw HistoryStoreError(path: path, .damaged(soundness))
        } catch {
            throw HistoryStoreError(error, path: url.path)
        }
    }

    /// Whether a file is this store's, by whatever name.
    private func isSame(_ other: URL) -> Bool {
        let both = [path, other.path].map { try? FileManager.default.attributesOfItem(atPath: $0) }
        let keys: [FileAttributeKey] = [.systemNumber, .systemFileNumber]
        return both.allSatisfy { $0 != nil }
            && keys.allSatisfy { both[0]?[$0] as? Int == both[1]?[$0] as? Int }
    }

    private func copy(to target: URL) throws {
        let partial = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString).part")
        defer { try? FileManager.default.removeItem(at: partial) }
        try database.writeWithoutTransaction { database in
            try database.execute(sql: "VACUUM INTO ?", arguments: [partial.path])
        }
        try Self.checkCopy(partial)
        guard unsafe Glibc.rename(partial.path, target.path) == 0 else {
            throw StoreProblem.unwritable(unsafe String(cString: strerror(errno)))
        }
    }

    private func replace(_ target: URL) throws {
        let copy = try Self.openForWriting(target)
        defer { try? copy.close() }
        try database.backup(to: copy)
        try Self.checkCopy(target)
    }

    private static func checkCopy(_ url: URL) throws {
        let copy = try HistoryStore(url, .reading)
        defer { copy.close() }
        if let problem = try copy.integrityProblems().first { throw StoreProblem.damaged(problem) }
    }
}
