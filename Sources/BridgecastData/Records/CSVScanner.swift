// RFC 4180 records from bytes, with line numbers; one bad record never costs the others.

/// One record of a CSV file.
struct CSVRecord {
    /// Line on which it starts, from 1.
    let line: Int
    /// The unquoted fields.
    let fields: [String]
    /// What is wrong with it, if anything.
    let defect: CSVDefect?
}

/// What can be wrong with the form of a record.
enum CSVDefect: Equatable {
    /// A quote was opened and the file ended: it has been cut.
    case unterminatedQuote
    /// Text between a closing quote and the next comma.
    case textAfterQuote
}

/// Splits a file into records.
///
/// Our own, because a SwiftCSV parse throws the whole file away at the first stray quote and carries
/// no line numbers, and every bad row must be counted and located here. A defective record ends at
/// its line's end, so that a stray quote cannot swallow the rest of the file: the fields of these
/// data never contain line breaks, and a quoted field that does is still read if it closes.
struct CSVScanner {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var line = 1

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// A quoted field that runs over more lines than this was never closed.
    private static let mostLinesInField = 64

    /// Creates a scanner over valid UTF-8.
    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The next record that is not an empty line, or nil at the end.
    mutating func next() -> CSVRecord? {
        skipEmptyLines()
        guard position < bytes.endIndex else { return nil }
        let startLine = line
        var fields: [String] = []
        while true {
            switch field() {
            case .failure(let defect):
                skipLine()
                return CSVRecord(line: startLine, fields: fields, defect: defect.kind)
            case .success(let text):
                fields.append(text)
                guard position < bytes.endIndex, bytes[position] == Self.comma else {
                    skipLine()
                    return CSVRecord(line: startLine, fields: fields, defect: nil)
                }
                position += 1
            }
        }
    }

    private struct Defect: Error { let kind: CSVDefect }

    private mutating func field() -> Result<String, Defect> {
        guard position < bytes.endIndex, bytes[position] == Self.quote else {
            let start = position
            while position < bytes.endIndex, !isSeparator(bytes[position]) { position += 1 }
            return .success(String(decoding: bytes[start..<position], as: UTF8.self))
        }
        return quotedField()
    }

    private mutating func quotedField() -> Result<String, Defect> {
        let (start, startLine) = (position, line)
        var content: [UInt8] = []
        position += 1
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            if byte == Self.newline { line += 1 }
            if line - startLine > Self.mostLinesInField { break }
            guard byte == Self.quote else {
                content.append(byte)
                continue
            }
            if position < bytes.endIndex, bytes[position] == Self.quote {
                content.append(Self.quote)
                position += 1
                continue
            }
            guard position == bytes.endIndex || isSeparator(bytes[position]) else {
                return .failure(Defect(kind: .textAfterQuote))
            }
            return .success(String(decoding: content, as: UTF8.self))
        }
        (position, line) = (start + 1, startLine)
        return .failure(Defect(kind: .unterminatedQuote))
    }

    private func isSeparator(_ byte: UInt8) -> Bool {
        byte == Self.comma || byte == Self.newline || byte == Self.carriageReturn
    }

    private mutating func skipLine() {
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            if byte == Self.newline {
                line += 1
                return
            }
        }
    }

    private mutating func skipEmptyLines() {
        while position < bytes.endIndex {
            switch bytes[position] {
            case Self.newline:
                line += 1
                position += 1
            case Self.carriageReturn: position += 1
            default: return
            }
        }
    }
}
