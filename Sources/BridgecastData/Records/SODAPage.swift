// One page of a reply of the city's data portal (SODA): rows with their ids and times of change.
package import BridgecastCore
package import BridgecastSupport
private import Foundation

package struct SODAPage: Sendable {
    /// Rows that hold an opening.
    package private(set) var rows: [SyncedRow] = []
    /// Ids of rows that do not, or no longer.
    package private(set) var rejectedRows: [String] = []
    /// The id and the time of change of every row, in order.
    package private(set) var marks: [(id: String, updatedAt: String)] = []
    package private(set) var rejections: [RecordRejection: Int] = [:]
    package private(set) var flags: [RecordFlag: Int] = [:]
    /// Why the first row is rejected; nil if it is kept.
    package private(set) var firstRejection: RecordRejection?
    package private(set) var firstFlags: [RecordFlag] = []

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
        if window.firstByte == UInt8(ascii: "{"), let message = SODAMessage.text(bytes) {
            throw window.error("the server says: \(printable(message, maxLength: 200))")
        }
        var scanner = JSONRecordScanner(fieldCount: SDOTField.allCases.count) {
            SDOTField(header: $0)?.rawValue
        }
        var parser = SDOTRecordParser(now: now)
        var record = RawRecord()
        let columns = SDOTField.allCases.indices.map(Optional.some)
        while true {
            let step = try scanner.next(&window)
            if step == .end { return }
            let span = window.bytes.span
            record.set(step == .record ? scanner.fields : [], columns: columns, span)
            do throws(DocumentProblem) {
                marks.append(try Self.mark(record, span, at: "[\(scanner.number - 1)]"))
            } catch {
                throw DocumentError(error, in: window.path)
            }
            add(record, span, &parser)
        }
    }

    private static func mark(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>, at location: String
    ) throws(DocumentProblem) -> (id: String, updatedAt: String) {
        guard let id = record[.rowID].map({ RawRecord.text($0, bytes) }),
            let updatedAt = record[.updatedAt].map({ RawRecord.text($0, bytes) })
        else { throw DocumentProblem(location, "a row without :id and :updated_at") }
        guard id.count <= 100, updatedAt.utf8.count <= 40, updatedAt.utf8.allSatisfy(isOfTime)
        else { throw DocumentProblem(location, ":updated_at is not a time") }
        return (id, updatedAt)
    }

    /// Adds the row whose mark was added last.
    private mutating func add(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>, _ parser: inout SDOTRecordParser
    ) {
        let id = marks[marks.count - 1].id
        let isFirst = marks.count == 1
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

    /// Whether a byte can be part of a time such as 2026-02-19T13:01:00.123Z; nothing that ends the text of a query.
    private static func isOfTime(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || "-:.TZ+".utf8.contains(byte)
    }
}

/// What the portal sends in place of rows: an object with its reason.
package enum SODAMessage {
    private struct Document: Decodable {
        @LenientValue var message: String?
        @LenientValue var error: String?
    }

    /// The reason in a reply; nil if it has none.
    package static func text(_ bytes: [UInt8]) -> String? {
        let document = try? JSONDocument.decoded(Document.self, from: Data(bytes))
        return document?.message ?? document?.error
    }
}

package struct SyncedRow: Sendable {
    package let id: String
    package let opening: Opening
}
