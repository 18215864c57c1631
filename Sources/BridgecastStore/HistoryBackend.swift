// What a database must be able to do to hold a history store: the SQL of ``HistoryStore`` is the same for all of them, and
// what they do in ways of their own is here.
package import BridgecastCore
package import Foundation

/// Holds the tables of a history store.
///
/// Errors are ``StoreProblem`` or errors that ``HistoryStoreError`` knows.
package protocol HistoryBackend: Sendable {
    /// The store in messages: the path of its file or the URL of its database.
    var name: String { get }

    /// Runs a body that sees one state of the store, whatever is written meanwhile.
    func read<Result>(_ body: (any HistoryDatabase) throws -> Result) throws -> Result

    /// Runs a body in one transaction, as the only one that writes; an error leaves the store unchanged.
    ///
    /// - Parameter commits: Whether what it wrote is kept.
    func write<Result>(
        commits: Bool, _ body: (any HistoryDatabase) throws -> Result
    ) throws -> Result

    /// What is damaged, a line each; empty if nothing is.
    func integrityProblems() throws -> [String]

    /// What has been looked at where there are no ``integrityProblems()``, for people.
    var soundness: String { get }

    /// The findings of `doctor` about file or server, without damage.
    func findings() throws -> [StoreFinding]

    /// Writes a copy of the store to a new file of SQLite.
    func writeCopy(to url: URL) throws

    /// Replaces all that a store in a file of SQLite has by what this one has, in one transaction.
    func replaceContent(of url: URL) throws

    /// Frees everything; the store is not used afterwards.
    func close()
}

/// The tables of a history store in a transaction.
///
/// SQL has `$1`, `$2` and so on for its arguments, in the order of their first use, and `"end"` in quotation marks, which is a
/// word of PostgreSQL.
package protocol HistoryDatabase {
    /// The rows of a query, one after the other.
    func rows(_ sql: String, _ arguments: [StoreValue]) throws -> any StoreCursor

    /// Carries out one command.
    ///
    /// - Returns: The number of rows that it changed.
    @discardableResult
    func execute(_ sql: String, _ arguments: [StoreValue]) throws -> Int

    /// Inserts the openings of a file that are not stored yet.
    ///
    /// - Parameters:
    ///   - openings: All different.
    ///   - file: The file's digest.
    /// - Returns: The indices of those that were stored already.
    func insert(_ openings: [NumberedOpening], of file: String) throws -> Set<Int>

    /// Inserts rows of a table, with the values of all its columns.
    func insert(_ rows: [[StoreValue]], into table: StoreTable) throws

    /// What is stored of a feed's rows, by their ids.
    func syncedRows(of feed: String, ids: [String]) throws -> [String: OpeningValues]

    /// Inserts rows of a feed, or replaces those with their ids.
    func replaceSyncedRows(of feed: String, by rows: [String: OpeningValues]) throws

    /// Deletes rows of a feed.
    func deleteSyncedRows(of feed: String, ids: [String]) throws

    /// Lets the periods of a table that begin before a time begin then; none of them ends before it.
    func cutStarts(of table: PeriodTable, at seconds: Int64) throws
}

extension HistoryDatabase {
    func rows(_ sql: String) throws -> any StoreCursor { try rows(sql, []) }

    /// The first row of a query, which stays valid.
    func firstRow(_ sql: String, _ arguments: [StoreValue] = []) throws -> StoreRow? {
        let cursor = try rows(sql, arguments)
        // The row is valid as long as its cursor lives.
        return try withExtendedLifetime(cursor) { try cursor.next()?.copy() }
    }
}

/// The rows of a query, one after the other; valid in the transaction of the query.
package protocol StoreCursor: AnyObject {
    /// The next row, which is valid until the next call; nil after the last.
    func next() throws -> StoreRow?
}

extension StoreCursor {
    /// Calls a closure with each row.
    func forEach(_ body: (StoreRow) throws -> Void) throws {
        while let row = try next() { try body(row) }
    }

    /// The values of a closure for the rows, without those that are nil.
    func compactMap<Element>(_ body: (StoreRow) throws -> Element?) throws -> [Element] {
        var elements: [Element] = []
        while let row = try next() {
            if let element = try body(row) { elements.append(element) }
        }
        return elements
    }
}

/// An opening as the tables have it.
package struct OpeningValues: Sendable, Hashable {
    /// The number of the bridge in the city's data.
    package let bridge: Int64
    /// Seconds since 1970.
    package let start: Int64
    /// Seconds since 1970; nil if it is not known.
    package let end: Int64?

    package init(_ opening: Opening) {
        bridge = BridgeCatalogue[opening.bridge].storedID
        start = opening.start.secondsSinceEpoch
        end = opening.end?.secondsSinceEpoch
    }

    /// The opening of the first three columns of a row, which are checked.
    package init(_ row: StoreRow) throws {
        bridge = try row.integer(0)
        start = try row.time(1).secondsSinceEpoch
        end = try row.optionalTime(2)?.secondsSinceEpoch
    }
}

/// An opening of a file.
package struct NumberedOpening: Sendable {
    /// Its index among the records of the file.
    package let index: Int
    package let values: OpeningValues
    /// The line or record of the file.
    package let number: Int
}

/// A table of the store; those that others refer to come before them.
package enum StoreTable: String, CaseIterable {
    case file, opening, coverage, feed, syncedRow, syncedCoverage, observedOpening, observedPeriod

    /// The columns, in SQL.
    package var columns: [String] {
        switch self {
        case .file: ["sha256", "name", "form", "rows", "ingestedAt"]
        case .opening: ["bridge", "start", "\"end\"", "file", "number"]
        case .coverage: ["bridge", "start", "\"end\"", "file"]
        case .feed: ["name", "updatedAt", "seen", "lastRow", "etag", "completedAt"]
        case .syncedRow: ["feed", "\"row\"", "bridge", "start", "\"end\""]
        case .syncedCoverage: ["feed", "bridge", "start", "\"end\""]
        case .observedOpening: ["bridge", "start", "startIsKnown", "\"end\""]
        case .observedPeriod: ["bridge", "start", "\"end\""]
        }
    }
}

/// A table with periods in its columns `start` and `end`.
package enum PeriodTable: String, CaseIterable {
    case coverage, syncedCoverage, observedPeriod

    /// The other columns of an entry, in SQL.
    package var otherColumns: String {
        switch self {
        case .coverage: "bridge, file"
        case .syncedCoverage: "bridge, feed"
        case .observedPeriod: "bridge"
        }
    }
}

extension Bridge {
    /// The number of the bridge in the tables.
    var storedID: Int64 { Int64(id.rawValue) }
}

/// A value of a row or a parameter of a statement.
package enum StoreValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)

    package init(_ value: Int64?) { self = value.map(StoreValue.integer) ?? .null }

    package init(_ value: String?) { self = value.map(StoreValue.text) ?? .null }
}

extension StoreValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }

    package init(stringLiteral value: String) { self = .text(value) }
}
