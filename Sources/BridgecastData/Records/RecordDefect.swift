// Why one record is not understood, thrown by SDOTRecordParser.

/// A rejected record's reason, with the field and the value that show it.
struct RecordDefect: Error, Equatable {
    let rejection: RecordRejection
    let field: String
    let value: String
}
