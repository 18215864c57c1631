// What is noteworthy about records that are kept; each flag has a name that reports count. Used by SDOTRecordParser.

/// What is kept, but worth knowing.
public enum RecordFlag: String, Sendable, CaseIterable, Codable, CodingKeyRepresentable {
    /// At most one minute: a test or an aborted opening.
    case short
    /// At least thirty minutes: maintenance or a stuck span.
    case long
    /// No closing time: how long it lasted is unknown.
    case missingEnd = "missing_end"
    /// `minutesopen` differs from the times by more than two minutes.
    case minutesDisagree = "minutes_disagree"
    /// In the hour that clocks repeat in November; told apart by `minutesopen` where possible.
    case repeatedHour = "repeated_hour"
}
