// The forms of record files; told apart by RecordFile, named in reports.

/// The forms in which the city hands out its records.
public enum RecordForm: String, Sendable, Codable {
    /// Comma-separated values, the API's or the portal's.
    case csv
    /// A JSON array of objects, as SODA gives.
    case json
}
