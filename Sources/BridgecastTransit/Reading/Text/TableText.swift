// Goes through the rows of a table with its columns known; used by FeedReader.
internal import BridgecastCore
internal import BridgecastData
private import Foundation

/// A table of a feed, opened, its first line read.
struct TableText<Column: FeedColumn> {
    let header: TableHeader<Column>
    /// The first piece, which begins with the header.
    private let first: LinePart
    private let parts: PartsAhead

    /// Reads the first line; nil if there is nothing in the file.
    ///
    /// - Throws: What makes the file unreadable, a missing column among it.
    init?(
        _ parts: PartsAhead, _ notices: inout FeedNotices
    ) throws(TransitFeedError.Problem) {
        let part = parts.first()
        _ = try parts.bytesRead()
        guard let part else { return nil }
        var rows = CSVRows(part.bytes, from: part.start)
        switch rows.next() {
        case .row: break
        case .end: return nil
        case .defect(let words):
            notices.add(
                .error, "csv_parsing_failed", file: Column.file, line: rows.line,
                "\(words); no column can be found")
            return nil
        }
        let bytes = rows.bytes
        let names = rows.fields.map {
            String(decoding: bytes[$0.range], as: UTF8.self).trimmingCharacters(in: .whitespaces)
        }
        header = try TableHeader(names, &notices)
        (first, self.parts) = (part, parts)
    }

    /// Goes through all rows; one that has more fields than the header is left out.
    ///
    /// - Returns: How many bytes were read.
    func forEachRow(
        _ notices: inout FeedNotices,
        _ body: (borrowing TableRow<Column>, Span<UInt8>, inout FeedNotices) -> Void
    ) throws(TransitFeedError.Problem) -> Int {
        var part: LinePart? = first
        var lines = 0
        while let current = part {
            parts.begin()
            lines += read(current, after: lines, &notices, body)
            part = parts.wait()
        }
        return try parts.bytesRead()
    }

    /// Goes through the rows of a piece.
    ///
    /// - Parameter lines: The lines before it.
    /// - Returns: How many lines it has.
    private func read(
        _ part: LinePart, after lines: Int, _ notices: inout FeedNotices,
        _ body: (borrowing TableRow<Column>, Span<UInt8>, inout FeedNotices) -> Void
    ) -> Int {
        checkLetters(part.bytes, &notices)
        var rows = CSVRows(part.bytes, from: part.start)
        var row = TableRow(header)
        if part.number == 0 { _ = rows.next() }
        while true {
            let step = rows.next()
            row.line = rows.line + lines
            switch step {
            case .end: return rows.linesRead
            case .defect(let words):
                notices.add(
                    .error, "csv_parsing_failed", file: Column.file, line: row.line,
                    "\(words); the row is left out")
            case .row where rows.fieldCount > header.fieldCount:
                notices.add(
                    .error, "invalid_row_length", file: Column.file, line: row.line,
                    "\(rows.fieldCount) fields in place of \(header.fieldCount); the row is left out"
                )
            case .row:
                if rows.fieldCount < header.fieldCount {
                    notices.add(
                        .warning, "invalid_row_length", file: Column.file, line: row.line,
                        "\(rows.fieldCount) fields in place of \(header.fieldCount); the others are taken to be empty"
                    )
                }
                row.fields = rows.fields
                body(row, rows.bytes.span, &notices)
            }
        }
    }

    /// Says once if a file is not UTF-8; its names are then shown with holes.
    private func checkLetters(_ bytes: [UInt8], _ notices: inout FeedNotices) {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        guard all >= 0x80, String(validating: bytes, as: UTF8.self) == nil else { return }
        notices.add(
            .error, "invalid_character", file: Column.file,
            "has letters that are not UTF-8; convert it: iconv -f WINDOWS-1252 -t UTF-8 IN > OUT")
    }
}
