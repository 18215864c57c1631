public import BridgecastCore
public import BridgecastSupport
public import Foundation

/// The records of one file.
public struct RecordFile: Sendable {
    /// The file.
    public let input: FileIdentity
    /// CSV or JSON.
    public let form: RecordForm
    /// The usable records, in file order.
    package let records: [ParsedRecord]
    /// The first ``maxExamples`` others of each reason; all are counted in `rejections`.
    package let rejected: [RejectedRecord]
    package let rejections: [RecordRejection: Int]

    static let maxExamples = 3

    /// The number of records in the file, usable or not.
    public var rowsRead: Int { records.count + rejections.values.reduce(0, +) }
    /// The openings of the usable records.
    public var openings: [Opening] { records.map(\.opening) }

    /// Reads a file and detects its form.
    ///
    /// Memory is 32 bytes a record and one block of text, or some parts of a megabyte for CSV; time is linear in the
    /// length.
    ///
    /// - Parameter now: Records of later times are rejected.
    /// - Throws: ``DocumentError`` if the file as a whole is not what it claims to be; a bad
    ///   record is never thrown, only counted.
    public init(_ url: URL, now: Timestamp) throws(DocumentError) {
        var window = try TextWindow(url)
        try self.init(&window, now: now)
    }

    /// Reads a whole text in memory; `name` is for errors; throws as ``init(_:now:)``.
    package init(_ bytes: [UInt8], name: String, now: Timestamp) throws(DocumentError) {
        var window = try TextWindow(bytes, path: name)
        try self.init(&window, now: now)
    }

    private init(_ window: inout TextWindow, now: Timestamp) throws(DocumentError) {
        var reader = RecordReader(now: now)
        switch window.firstByte {
        case UInt8(ascii: "{"):
            throw window.error(
                "a JSON object, not an array of records; is it an error message of the API?")
        case UInt8(ascii: "["):
            form = .json
            try reader.readJSON(&window)
        default:
            form = .csv
            try reader.readCSV(&window)
        }
        records = reader.results.records
        rejected = reader.results.rejected
        rejections = reader.results.rejections
        input = window.identity()
        guard rowsRead > 0 else { throw window.error("the file holds no records") }
    }

    /// The refusal of a file whose rows were all rejected.
    package var noUsableRow: DocumentError {
        DocumentError(
            DocumentProblem("", "none of its \(rowsRead) rows is usable; nothing was stored"),
            in: input.path)
    }

    /// The indices of records that continue the opening of an earlier one, without repetitions.
    package func pieces(gapSeconds: Int64) -> Set<Int> {
        var indices = BridgeIndex.all.map { _ in [Int]() }
        for (index, record) in records.enumerated() {
            indices[record.opening.bridge.rawValue].append(index)
        }
        return Set(
            indices.flatMap { indices in
                OpeningConsolidation.pieces(
                    of: indices.map { records[$0].opening }, gapSeconds: gapSeconds
                ).map { indices[$0] }
            })
    }
}

/// The forms in which the city publishes its records.
public enum RecordForm: String, Sendable, Codable {
    /// Comma-separated values, of the API or of the portal's export.
    case csv
    /// A JSON array of objects, as SODA returns.
    case json
}
