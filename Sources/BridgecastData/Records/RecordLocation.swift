// Where a record stands, for people; used by RecordReader and the reports.

/// Where in which file a record stands.
public struct RecordLocation: Sendable, Equatable, Codable {
    /// Line of a CSV file or number of a JSON record, from 1.
    public let number: Int
    /// What `number` counts.
    public let unit: Unit

    /// What a location counts.
    public enum Unit: String, Sendable, Codable {
        /// Lines of text.
        case line
        /// Entries of a JSON array.
        case record
    }
}
