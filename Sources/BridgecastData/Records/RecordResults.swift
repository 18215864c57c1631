// What became of the records of a text, or of a part of one; kept by RecordReader, put together by PartwiseReading.

/// The records that were understood, and an account of the others.
struct RecordResults {
    private(set) var records: [ParsedRecord] = []
    private(set) var rejected: [RejectedRecord] = []
    private(set) var rejections: [RecordRejection: Int] = [:]

    private static let longestValue = 60

    /// Makes room for records.
    mutating func reserve(_ count: Int) { records.reserveCapacity(count) }

    @inline(__always)
    mutating func add(_ record: ParsedRecord) { records.append(record) }

    mutating func reject(
        _ location: RecordLocation, _ rejection: RecordRejection, field: String, value: String
    ) {
        let count = rejections[rejection, default: 0]
        rejections[rejection] = count + 1
        guard count < RecordFile.mostExamples else { return }
        rejected.append(
            RejectedRecord(
                location: location, rejection: rejection, field: field,
                value: String(value.prefix(Self.longestValue))))
    }

    /// Takes over what was found in a later part of the same file.
    mutating func add(_ part: RecordResults, linesBefore: Int) {
        records.append(contentsOf: part.records.lazy.map { $0.moved(lines: linesBefore) })
        for row in part.rejected {
            let location = RecordLocation(
                number: row.location.number + linesBefore, unit: row.location.unit)
            let count = rejected.count { $0.rejection == row.rejection }
            guard count < RecordFile.mostExamples else { continue }
            rejected.append(
                RejectedRecord(
                    location: location, rejection: row.rejection, field: row.field,
                    value: row.value))
        }
        rejections.merge(part.rejections, uniquingKeysWith: +)
    }
}
