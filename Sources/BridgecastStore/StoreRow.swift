// Values of the store's rows, believed only where they can be true: a damaged page must end in an error.
import BridgecastCore
import GRDB

/// A row of the store.
struct StoreRow {
    let row: Row

    /// Seconds since 1970 that a row may hold, up to the year 3058; sums and differences of such are safe.
    private static let plausibleSeconds: Range<Int64> = 0..<1 << 35

    init(_ row: Row) { self.row = row }

    /// A moment in a column.
    ///
    /// - Throws: ``StoreProblem/damaged(_:)`` for what is none, as everything here.
    func moment(_ column: Int) throws -> Timestamp {
        guard let moment = try optionalMoment(column) else { throw damage("a time is missing") }
        return moment
    }

    /// A moment or NULL.
    func optionalMoment(_ column: Int) throws -> Timestamp? {
        let value: DatabaseValue = row[column]
        if value.isNull { return nil }
        guard let seconds = Int64.fromDatabaseValue(value), Self.plausibleSeconds ~= seconds else {
            throw damage("an impossible time")
        }
        return Timestamp(secondsSinceEpoch: seconds)
    }

    /// The period from one column to the next.
    func period(_ column: Int) throws -> Range<Timestamp> {
        let (start, end) = (try moment(column), try moment(column + 1))
        guard start <= end else { throw damage("a period that ends before it begins") }
        return start..<end
    }

    /// An opening of bridge, start and end in three columns; nil for a bridge that is not known here.
    func opening() throws -> Opening? {
        guard let bridge = try bridge() else { return nil }
        let (start, end) = (try moment(1), try optionalMoment(2))
        guard end.map({ $0 >= start }) ?? true else {
            throw damage("an opening that ends before it begins")
        }
        return Opening(bridge: bridge, start: start, end: end)
    }

    /// The bridge of the first column; nil if it is not known here.
    func bridge() throws -> BridgeIndex? {
        BridgeCatalogue.index(of: BridgeID(Int(try integer(0))))
    }

    /// A number.
    func integer(_ column: Int) throws -> Int64 {
        guard let value = Int64.fromDatabaseValue(row[column] as DatabaseValue),
            value.magnitude < 1 << 53
        else { throw damage("an impossible number") }
        return value
    }

    /// Text or NULL.
    func text(_ column: Int) throws -> String? {
        let value: DatabaseValue = row[column]
        if value.isNull { return nil }
        guard let text = String.fromDatabaseValue(value) else { throw damage("no text") }
        return text
    }

    private func damage(_ what: String) -> StoreProblem {
        .damaged("\(what) in \(row.columnNames.joined(separator: ", "))")
    }
}
