// Why the history store could not do its work, in words a person can act on.
public import BridgecastCore
private import Foundation
internal import GRDB

/// Why the store could not do its work.
public struct HistoryStoreError: Failure {
    /// The store's file.
    public let path: String
    /// What is wrong.
    public let problem: StoreProblem

    /// What is wrong and what to do.
    public var reason: String { problem.description }
    /// Whose matter it is: of what is there but is no store of use, the content's.
    public var kind: FailureKind { problem.kind }
    /// File and reason.
    public var description: String { "\(path): \(reason)" }

    init(path: String, _ problem: StoreProblem) { (self.path, self.problem) = (path, problem) }

    /// The error that another one stands for.
    ///
    /// - Parameter access: What the store is open for.
    private init(_ error: any Error, path: String, _ access: HistoryStore.Access) {
        switch error {
        case let error as HistoryStoreError: self = error
        case let problem as StoreProblem: self.init(path: path, problem)
        case let error as DatabaseError: self.init(path: path, StoreProblem(error, access))
        default: self.init(path: path, .failing(error.localizedDescription))
        }
    }
}

extension HistoryStoreError {
    /// Does something with a store's file; whatever goes wrong is told with the file.
    ///
    /// - Parameter access: What the store is open for.
    static func about<Result>(
        _ path: String, _ access: HistoryStore.Access, _ body: () throws -> Result
    ) throws(HistoryStoreError) -> Result {
        do { return try body() } catch { throw HistoryStoreError(error, path: path, access) }
    }
}

extension HistoryStore {
    /// Reads, all of it in one state of the store.
    func reading<Result>(
        _ body: (Database) throws -> Result
    ) throws(HistoryStoreError) -> Result {
        try HistoryStoreError.about(path, access) { try database.read(body) }
    }

    /// Writes in one transaction; on any error the store is as it was.
    func writing<Result>(
        _ body: (Database) throws -> Result
    ) throws(HistoryStoreError) -> Result {
        try HistoryStoreError.about(path, access) { try database.write(body) }
    }
}
