// Examples of records that were not used; kept by RecordReader, shown in reports.

/// An example of records that were not used.
package struct RejectedRecord: Sendable {
    package let location: RecordLocation
    package let rejection: RecordRejection
    package let field: String
    package let value: String
}
