// A file of SDOT records, in any of its forms, as parsed records plus everything that was wrong; used by who ingests.
// Belongs here: the city's records of openings, from bytes to openings; not: how text is split (Scanning).
public import BridgecastCore
public import Foundation

/// The records of one file.
public struct RecordFile: Sendable {
    /// The file.
    public let input: FileIdentity
    /// What form it has.
    public let form: RecordForm
    /// Understood records in file order.
    package private(set) var records: [ParsedRecord] = []
    /// The first of the others, by reason; every one is counted in `rejections`.
    package private(set) var rejected: [RejectedRecord] = []
    /// Records not used, by reason.
    package private(set) var rejections: [RecordRejection: Int] = [:]

    /// Examples kept of each reason.
    static let mostExamples = 3

    /// Records in the file, good or bad.
    public var rowsRead: Int { records.count + rejections.values.reduce(0, +) }
    /// The openings of the good ones.
    public var openings: [Opening] { records.map(\.opening) }

    /// Reads a file, detecting its form.
    ///
    /// Memory is 32 bytes a record and one block of text, for CSV some parts of a megabyte instead; time is linear in
    /// the length.
    ///
    /// - Parameter now: Records of later times are rejected.
    /// - Throws: ``DocumentError`` if the file as a whole is not what it claims to be; a bad
    ///   record is never thrown, only counted.
    public init(_ url: URL, now: Timestamp) throws(DocumentError) {
        var window = try TextWindow(url)
        try self.init(&window, now: now)
    }

    /// Reads a text that is in memory.
    ///
    /// - Parameters:
    ///   - bytes: The whole text.
    ///   - name: What errors call it.
    /// - Throws: As ``init(_:now:)``.
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
        let results = reader.results
        (records, rejected, rejections) = (results.records, results.rejected, results.rejections)
        input = window.identity()
        guard rowsRead > 0 else {
            throw window.error("the file holds no records")
        }
    }

    /// The refusal of a file whose rows were all rejected.
    package var noUsableRow: DocumentError {
        DocumentError(
            DocumentProblem("", "none of its \(rowsRead) rows is usable; nothing was stored"),
            in: input.path)
    }
}
