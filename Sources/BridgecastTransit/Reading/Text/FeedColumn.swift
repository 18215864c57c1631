// The columns of a table that are read, and where they stand in a file; used by every reader of a table.
internal import BridgecastCore

/// The columns of a table of GTFS that are read, numbered from 0.
protocol FeedColumn: RawRepresentable<Int>, CaseIterable, Sendable {
    /// The file's name, such as `stops.txt`.
    static var file: String { get }
    /// The columns' names in the order of their numbers.
    static var names: [String] { get }
    /// Those without which the file is of no use.
    static var required: [Self] { get }
    /// Columns that GTFS has and that are not read.
    static var others: [String] { get }
}

/// Where the columns of a table stand.
struct TableHeader<Column: FeedColumn>: Sendable {
    /// By column, its place in a row; -1 where the file does not have it.
    let places: [Int]
    /// Fields of a whole row.
    let fieldCount: Int

    /// Reads the first line of a table.
    init(
        _ names: [String], _ notices: inout FeedNotices
    ) throws(TransitFeedError.Problem) {
        var places = [Int](repeating: -1, count: Column.names.count)
        for (place, name) in names.enumerated() {
            guard let column = Column.names.firstIndex(of: name) else {
                Self.note(name, at: place, &notices)
                continue
            }
            if places[column] >= 0 {
                notices.add(
                    .error, "duplicated_column", file: Column.file, line: 1, field: name,
                    "is there twice; the first one is read")
            } else {
                places[column] = place
            }
        }
        (self.places, fieldCount) = (places, names.count)
        for column in Column.required where places[column.rawValue] < 0 {
            throw .missingColumn(file: Column.file, column: Column.names[column.rawValue])
        }
    }

    /// Whether a file has a column.
    func has(_ column: Column) -> Bool { places[column.rawValue] >= 0 }

    private static func note(_ name: String, at place: Int, _ notices: inout FeedNotices) {
        if name.isEmpty {
            notices.add(
                .warning, "empty_column_name", file: Column.file, line: 1,
                "column \(place + 1) has no name; it is not read")
        } else if !Column.others.contains(name) {
            notices.add(
                .info, "unknown_column", file: Column.file, line: 1, field: printable(name),
                "is no column of GTFS; it is not read")
        }
    }
}
