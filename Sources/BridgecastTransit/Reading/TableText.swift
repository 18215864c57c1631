// The rows of a table with known columns, read in parts of whole lines.
internal import BridgecastCore
internal import BridgecastSupport
private import Dispatch
private import Foundation
private import Synchronization

/// A table of a feed whose header has been read.
struct TableText<Column: FeedColumn> {
    let header: TableHeader<Column>
    /// The first part, which begins with the header.
    private let first: LinePart
    private let parts: PrefetchedParts

    /// Reads the header; nil if the file is empty or its first line cannot be split into fields.
    ///
    /// - Throws: What makes the file unreadable, including a missing column.
    init?(_ parts: PrefetchedParts, _ notices: inout FeedNotices) throws(TransitFeedError.Problem) {
        let part = parts.first()
        _ = try parts.bytesRead()
        guard let part else { return nil }
        var rows = CSVRows(part.bytes, from: part.start)
        switch rows.next() {
        case .row: break
        case .end: return nil
        case .defect(let reason):
            notices.add(
                .error, "csv_parsing_failed", file: Column.file, line: rows.line,
                "\(reason); no column can be found")
            return nil
        }
        let bytes = rows.bytes
        let names = rows.fields.map {
            String(decoding: bytes[$0.range], as: UTF8.self).trimmingCharacters(in: .whitespaces)
        }
        header = try TableHeader(names, &notices)
        first = part
        self.parts = parts
    }

    /// Calls `body` for each row; rows with more fields than the header are left out.
    ///
    /// - Returns: The number of bytes read.
    func forEachRow(
        _ notices: inout FeedNotices,
        _ body: (borrowing TableRow<Column>, inout FeedNotices) -> Void
    ) throws(TransitFeedError.Problem) -> Int {
        var part: LinePart? = first
        var lines = 0
        while let current = part {
            parts.begin()
            lines += read(current, linesBefore: lines, &notices, body)
            part = parts.wait()
        }
        return try parts.bytesRead()
    }

    /// Reads the rows of a part.
    ///
    /// - Returns: The number of lines in it.
    private func read(
        _ part: LinePart, linesBefore: Int, _ notices: inout FeedNotices,
        _ body: (borrowing TableRow<Column>, inout FeedNotices) -> Void
    ) -> Int {
        checkEncoding(of: part.bytes, &notices)
        var rows = CSVRows(part.bytes, from: part.start)
        var row = TableRow(header)
        if part.index == 0 { _ = rows.next() }
        while true {
            let step = rows.next()
            row.line = rows.line + linesBefore
            switch step {
            case .end: return rows.linesRead
            case .defect(let reason):
                notices.add(
                    .error, "csv_parsing_failed", file: Column.file, line: row.line,
                    "\(reason); the row is left out")
            case .row where rows.fieldCount > header.fieldCount:
                notices.add(
                    .error, "invalid_row_length", file: Column.file, line: row.line,
                    "\(rows.fieldCount) fields instead of \(header.fieldCount); the row is left out"
                )
            case .row:
                if rows.fieldCount < header.fieldCount {
                    notices.add(
                        .warning, "invalid_row_length", file: Column.file, line: row.line,
                        "\(rows.fieldCount) fields instead of \(header.fieldCount); the missing ones count as empty"
                    )
                }
                row.fields = rows.fields
                row.bytes = rows.bytes
                body(row, &notices)
                // The reader changes both in place, if nothing else holds them.
                row.fields = []
                row.bytes = []
            }
        }
    }

    /// Notes a part that is not UTF-8, whose names are shown with replacement characters.
    private func checkEncoding(of bytes: [UInt8], _ notices: inout FeedNotices) {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        guard all >= 0x80, String(validating: bytes, as: UTF8.self) == nil else { return }
        notices.add(
            .error, "invalid_character", file: Column.file,
            "is not UTF-8; convert it: iconv -f WINDOWS-1252 -t UTF-8 IN > OUT")
    }
}

// MARK: - Parts

/// The parts of a file, read one ahead: the next is unpacked while the last is parsed.
final class PrefetchedParts: Sendable {
    private let parts: Mutex<LineParts>
    private let next = Mutex<LinePart?>(nil)
    private let isReady = DispatchSemaphore(value: 0)

    init(_ parts: consuming sending LineParts) { self.parts = Mutex(parts) }

    /// Reads the first part; nil for an empty file.
    ///
    /// Most files have only one.
    func first() -> LinePart? { parts.withLock { $0.next() } }

    /// Begins to read the next part; ``wait()`` has to be called before the next ``begin()``.
    func begin() {
        guard parts.withLock({ !$0.isAtEnd }) else {
            isReady.signal()
            return
        }
        DispatchQueue.global(qos: .userInitiated).async { [self] in
            let part = parts.withLock { $0.next() }
            next.withLock { $0 = part }
            isReady.signal()
        }
    }

    /// The part that was begun; nil after the last.
    func wait() -> LinePart? {
        isReady.wait()
        return next.withLock { part in
            defer { part = nil }
            return part
        }
    }

    /// The number of bytes read.
    ///
    /// - Throws: What ended reading before the end of the file.
    func bytesRead() throws(TransitFeedError.Problem) -> Int {
        let (bytes, problem) = parts.withLock { ($0.bytesRead, $0.problem) }
        if let problem { throw problem }
        return bytes
    }
}

struct LinePart: Sendable {
    var index: Int
    var bytes: [UInt8]
    /// Start of the first line, after a byte order mark.
    var start = 0
}

/// Splits a file into parts of whole lines, in constant memory.
struct LineParts: ~Copyable {
    /// What ended reading before the end of the file.
    private(set) var problem: TransitFeedError.Problem?
    private(set) var bytesRead = 0

    private let stream: FeedStream
    private let name: String
    private let maxBytes: Int
    /// Thrown for a file of more than `maxBytes`.
    private let sizeProblem: TransitFeedError.Problem
    private var rest: [UInt8] = []
    private var count = 0
    /// Whether the last part has been returned.
    private(set) var isAtEnd = false

    static let partBytes = 1 << 20
    private static let blockBytes = 1 << 18
    /// A longer line is split.
    private static let maxLineBytes = 4 << 20

    init(
        _ stream: consuming FeedStream, name: String, maxBytes: Int,
        sizeProblem: TransitFeedError.Problem
    ) {
        self.stream = stream
        self.name = name
        self.maxBytes = maxBytes
        self.sizeProblem = sizeProblem
    }

    /// The next part; nil at the end, or after a ``problem``.
    mutating func next() -> LinePart? {
        guard problem == nil else { return nil }
        do throws(TransitFeedError.Problem) {
            return try read()
        } catch {
            problem = error
            return nil
        }
    }

    private mutating func read() throws(TransitFeedError.Problem) -> LinePart? {
        var bytes = rest
        rest = []
        bytes.reserveCapacity(Self.partBytes + Self.blockBytes)
        var end: Int?
        while end == nil {
            while bytes.count < Self.partBytes, !isAtEnd { try readBlock(&bytes) }
            end = isAtEnd ? bytes.count : Self.lastLineEnd(bytes)
            if end == nil, bytes.count > Self.maxLineBytes { end = bytes.count }
            if end == nil { try readBlock(&bytes) }
        }
        guard let end, end > 0 else { return nil }
        if !isAtEnd {
            rest = Array(bytes[end...])
            bytes.removeLast(bytes.count - end)
        }
        var part = LinePart(index: count, bytes: bytes)
        if count == 0 { part.start = try Self.start(of: bytes, name) }
        count += 1
        return part
    }

    private mutating func readBlock(_ bytes: inout [UInt8]) throws(TransitFeedError.Problem) {
        let count = try stream.append(max: Self.blockBytes, to: &bytes)
        isAtEnd = count == 0
        bytesRead += count
        guard bytesRead <= maxBytes else { throw sizeProblem }
    }

    /// The index after a byte order mark.
    private static func start(
        of bytes: [UInt8], _ name: String
    ) throws(TransitFeedError.Problem) -> Int {
        if ByteOrderMark.isUTF16(bytes) {
            throw .file(name, DocumentProblem("", ByteOrderMark.utf16Problem))
        }
        return ByteOrderMark.utf8Length(bytes)
    }

    /// The index after the last line end outside quotes; after the last line end if all are inside quotes.
    private static func lastLineEnd(_ bytes: [UInt8]) -> Int? {
        let newline = UInt8(ascii: bytes.contains(UInt8(ascii: "\n")) ? "\n" : "\r")
        guard let last = bytes.lastIndex(of: newline) else { return nil }
        var quotes = 0
        for byte in bytes { quotes += byte == UInt8(ascii: "\"") ? 1 : 0 }
        for byte in bytes[last...] { quotes -= byte == UInt8(ascii: "\"") ? 1 : 0 }
        var index = last
        while !quotes.isMultiple(of: 2), index > 0 {
            index -= 1
            if bytes[index] == UInt8(ascii: "\"") { quotes -= 1 }
            if bytes[index] == newline, quotes.isMultiple(of: 2) { return index + 1 }
        }
        return last + 1
    }
}
