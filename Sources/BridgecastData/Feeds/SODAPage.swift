// One page of a SODA reply: rows with their ids and moments of change; used by HistorySync.
package import BridgecastCore

/// A row of the feed, understood.
package struct SyncedRow: Sendable {
    package let id: String
    package let opening: Opening
}

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
    /// - Throws: ``FeedRefusal`` if the reply as a whole is not what it should be.
    package init(_ bytes: [UInt8], now: Timestamp) throws(FeedRefusal) {
        do throws(RecordFileError) {
            try self.read(bytes, now)
        } catch {
            throw FeedRefusal(reason: error.reason)
        }
    }

    private mutating func read(_ bytes: [UInt8], _ now: Timestamp) throws(RecordFileError) {
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
            if step == .record { record.set(scanner.fields, places: places, span) }
            guard step == .record, let id = record[.rowID].map({ RawRecord.text($0, span) }),
                let updatedAt = record[.updatedAt].map({ RawRecord.text($0, span) })
            else {
                throw RecordFileError(
                    .content, path: window.path,
                    reason: "[\(scanner.number - 1)]: a row without :id and :updated_at")
            }
            guard id.count <= 100, updatedAt.utf8.count <= 40,
                updatedAt.utf8.allSatisfy(Self.isOfTime)
            else {
                throw RecordFileError(
                    .content, path: window.path,
                    reason: "[\(scanner.number - 1)]: :updated_at is no time")
            }
            marks.append((id, updatedAt))
            do throws(RecordDefect) {
                let (opening, flags) = try parser.parse(record, span)
                rows.append(SyncedRow(id: id, opening: opening))
                for flag in flags.flags { self.flags[flag, default: 0] += 1 }
                if marks.count == 1 { firstFlags = flags.flags }
            } catch {
                rejections[error.rejection, default: 0] += 1
                rejectedRows.append(id)
                if marks.count == 1 { firstRejection = error.rejection }
            }
        }
    }

    /// Whether a byte can stand in a time such as 2026-02-19T13:01:00.123Z: nothing that ends a query's text.
    private static func isOfTime(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || "-:.TZ+".utf8.contains(byte)
    }
}
