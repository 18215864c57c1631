internal import BridgecastSupport

/// The outcomes of the rows of one file.
///
/// The counts of `outcomes` and `rejections` add up to `rowsRead`; `flags` counts rows among those
/// kept.
public struct IngestReport: Sendable, Codable, Equatable {
    /// The outcome of a usable row.
    public enum Outcome: String, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
        /// A new opening.
        case stored
        /// A new piece of an opening recorded in pieces.
        case merged
        /// The same row as an earlier one of this file.
        case duplicate
        /// The same row as one already in the store.
        case alreadyStored = "already_stored"
    }

    /// A located example of a problem.
    public struct Example: Sendable, Codable, Equatable {
        /// Line or record number, from 1.
        public let number: Int
        /// "line" or "record".
        public let unit: RecordLocation.Unit
        /// The field that shows the problem.
        public let field: String
        /// Its first 60 characters.
        public let value: String
    }

    /// The path of the file.
    public let file: String
    /// Its SHA-256.
    public let sha256: String
    /// CSV or JSON.
    public let form: RecordForm
    /// The number of rows in the file.
    public let rowsRead: Int
    /// Rows by outcome; every outcome is present.
    public let outcomes: [Outcome: Int]
    /// Rows by reason of rejection; only reasons that occurred.
    public let rejections: [RecordRejection: Int]
    /// Kept rows by flag; only flags that occurred.
    public let flags: [RecordFlag: Int]
    /// The first examples of each rejection.
    public let examples: [RecordRejection: [Example]]
    /// The source of the coverage that was stored.
    public let coverage: CoverageSource

    /// A source of coverage.
    public enum CoverageSource: String, Sendable, Codable {
        /// A coverage file came with the records.
        case stated
        /// The records themselves.
        case inferred
    }

    /// The report of a file of which no row is usable and nothing was stored.
    package init(refused file: RecordFile) {
        precondition(file.records.isEmpty, "a file with usable rows is stored")
        self.init(file, outcomes: [], coverageIsStated: false)
    }

    package init(_ file: RecordFile, outcomes: [Outcome], coverageIsStated: Bool) {
        precondition(outcomes.count == file.records.count, "one outcome per record")
        self.file = file.input.path
        sha256 = file.input.sha256
        form = file.form
        rowsRead = file.rowsRead
        var counts = Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0, 0) })
        for outcome in outcomes { counts[outcome, default: 0] += 1 }
        self.outcomes = counts
        var flags: [RecordFlag: Int] = [:]
        for (record, outcome) in zip(file.records, outcomes) where outcome != .duplicate {
            for flag in record.flags { flags[flag, default: 0] += 1 }
        }
        self.flags = flags
        rejections = file.rejections
        examples = Dictionary(grouping: file.rejected, by: \.rejection).mapValues { rows in
            rows.map { row in
                Example(
                    number: row.location.number, unit: row.location.unit, field: row.field,
                    value: row.value)
            }
        }
        coverage = coverageIsStated ? .stated : .inferred
    }
}
