// One page of a SODA reply: rows with their ids and moments of change; used by HistorySync.
package import BridgecastCore

/// The rows of one reply.
package struct SODAPage: Sendable {
    /// Rows that hold an opening.
    package private(set) var rows: [SyncedRow] = []
    /// Ids of rows that do not (any more).
    package private(set) var rejectedRows: [String] = []
    /// Every row's id and moment of change, in order.
    package private(set) var marks: [(id: String, updatedAt: String)] = []
    /// What was wrong with the others, by reason, with first examples.
    package private(set) var rejections: [RecordRejection: Int] = [:]
    /// Kept rows by flag.
    package private(set) var flags: [RecordFlag: Int] = [:]
    /// Why the first row is rejected; nil if it is kept.
    package private(set) var firstRejection: RecordRejection?
    /// The flags of the first row.
    package private(set) var firstFlags: [RecordFlag] = []

    /// Reads a page.
    ///
    /// - Throws: ``DocumentProblem`` if the reply as a whole is not what it should be.
    package init(_ bytes: [UInt8], now: Timestamp) throws(DocumentProblem) {
        do throws(DocumentError) {
            try self.read(bytes, now)
        } catch {
            throw error.problem
        }
    }

    private mutating func read(_ bytes: [UInt8], _ now: Timestamp) throws(DocumentError) {
        var window = try TextWindow(bytes, path: "the reply")
        var scanner = JSONRecordScanner(fieldCount: SDOTField.allCases.count) {
            SDOTField(header: $0)?.rawValue
        }
        var parser = SDOTRecordParser(now: now)
        var record = RawRecord()
        let places = SDOTField.allCases.indices.map(Optional.some)
        while true {
            let step = try scanner.next(&window)
            if step == .end { return }
            let span = window.bytes.span
            record.set(step == .record ? scanner.fields : [], places: places, span)
            do throws(DocumentProblem) {
                marks.append(try Self.mark(record, span, "[\(scanner.number - 1)]"))
            } catch {
                throw DocumentError(error, in: window.path)
            }
            add(record, span, &parser)
        }
    }

    /// A row's id and moment of change, which every row has.
    private static func mark(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>, _ place: String
    ) throws(DocumentProblem) -> (id: String, updatedAt: String) {
        guard let id = record[.rowID].map({ RawRecord.text($0, bytes) }),
            let updatedAt = record[.updatedAt].map({ RawRecord.text($0, bytes) })
        else { throw DocumentProblem(place, "a row without :id and :updated_at") }
        guard id.count <= 100, updatedAt.utf8.count <= 40, updatedAt.utf8.allSatisfy(isOfTime)
        else { throw DocumentProblem(place, ":updated_at is no time") }
        return (id, updatedAt)
    }

    /// Takes over the row that was marked last.
    private mutating func add(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>, _ parser: inout SDOTRecordParser
    ) {
        let (id, isFirst) = (marks[marks.count - 1].id, marks.count == 1)
        do throws(RecordDefect) {
            let (opening, flags) = try parser.parse(record, bytes)
            rows.append(SyncedRow(id: id, opening: opening))
            for flag in flags.flags { self.flags[flag, default: 0] += 1 }
            if isFirst { firstFlags = flags.flags }
        } catch {
            rejections[error.rejection, default: 0] += 1
            rejectedRows.append(id)
            if isFirst { firstRejection = error.rejection }
        }
    }

    /// Whether a byte can stand in a time such as 2026-02-19T13:01:00.123Z: nothing that ends a query's text.
    private static func isOfTime(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || "-:.TZ+".utf8.contains(byte)
    }
}
