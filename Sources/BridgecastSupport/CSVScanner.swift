// RFC 4180 records with line numbers; LF, CRLF or CR ends one, a bad one never costs the others.
/// Splits a text into records.
///
/// SwiftCSV rejects the whole file at the first stray quote and has no line numbers, but every bad row must be counted
/// and located here. A defective record ends at the end of its line, so that a stray quote cannot swallow the rest of
/// the file. A quoted field with line breaks is read if it closes.
package struct CSVScanner {
    /// The unquoted fields of the last record, in the window's bytes.
    package private(set) var fields: [FieldSlice] = []
    /// The number of fields of the last record, including those beyond the maximum that is kept.
    package private(set) var fieldCount = 0
    /// The line on which the last record starts, from 1.
    package private(set) var recordLine = 1

    /// The line on which the next record starts, from 1.
    package private(set) var line = 1
    /// Indices of fields of the last record that contain doubled quotes.
    private var escaped: [Int] = []

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// A quoted field that runs over more lines than this was never closed.
    private static let maxLinesInField = 64
    /// Further fields of a record are counted and not kept.
    static let maxFields = 256
    private static let maxRecordBytes = 1 << 20

    /// A scanner of a text whose first line has a number.
    package init(line: Int = 1) { self.line = line }

    /// Counts a line that was read otherwise.
    @inline(__always)
    package mutating func skipCountedLine() { line += 1 }

    package enum Step: Equatable {
        case record
        case defect(CSVDefect)
        case end
    }

    /// Why a field was not read.
    private enum Stop { case defect(CSVDefect), incomplete }

    /// Reads the next record that is not an empty line; the window is moved past it.
    package mutating func next(_ window: inout TextWindow) throws(DocumentError) -> Step {
        while true {
            var position = window.start
            skipEmptyLines(
                window.bytes.span, at: &position, end: window.end, isAtEnd: window.isAtEnd)
            window.consume(to: position)
            let lineBefore = line
            if let step = record(
                window.bytes.span, at: &position, end: window.end, isAtEnd: window.isAtEnd)
            {
                unescape(&window)
                window.consume(to: position)
                return step
            }
            line = lineBefore
            if window.end - window.start > Self.maxRecordBytes {
                recordLine = line
                fields.removeAll(keepingCapacity: true)
                fieldCount = 0
                try skipLine(&window)
                return .defect(.lineTooLong)
            }
            try window.refill()
        }
    }

    /// The record that starts at `position`, or nil if more bytes are needed.
    private mutating func record(
        _ bytes: Span<UInt8>, at position: inout Int, end: Int, isAtEnd: Bool
    ) -> Step? {
        fields.removeAll(keepingCapacity: true)
        escaped.removeAll(keepingCapacity: true)
        fieldCount = 0
        guard position < end else { return isAtEnd ? .end : nil }
        recordLine = line
        while true {
            if let stop = field(bytes, at: &position, end: end, isAtEnd: isAtEnd) {
                guard case .defect(let defect) = stop else { return nil }
                guard skipLine(bytes, at: &position, end: end, isAtEnd: isAtEnd) || isAtEnd else {
                    return nil
                }
                return .defect(defect)
            }
            fieldCount += 1
            guard position < end || isAtEnd else { return nil }
            guard position < end, bytes[position] == Self.comma else {
                return endLine(bytes, at: &position, end: end, isAtEnd: isAtEnd) ? .record : nil
            }
            position += 1
        }
    }

    private mutating func field(
        _ bytes: Span<UInt8>, at position: inout Int, end: Int, isAtEnd: Bool
    ) -> Stop? {
        guard position < end, bytes[position] == Self.quote else {
            let start = position
            while position < end, !Self.isSeparator(bytes[position]) { position += 1 }
            keep(FieldSlice(start: start, end: position))
            return nil
        }
        return quotedField(bytes, at: &position, end: end, isAtEnd: isAtEnd)
    }

    private mutating func quotedField(
        _ bytes: Span<UInt8>, at position: inout Int, end: Int, isAtEnd: Bool
    ) -> Stop? {
        let start = position
        let startLine = line
        position += 1
        var hasDoubledQuotes = false
        while position < end {
            position = bytes.firstQuoteOrLineEnd(from: position, to: end)
            guard position < end else { break }
            let byte = bytes[position]
            position += 1
            guard byte == Self.quote else {
                guard Self.isLineEnd(byte) else { continue }
                position -= 1
                guard endLine(bytes, at: &position, end: end, isAtEnd: isAtEnd) else {
                    return .incomplete
                }
                if line - startLine > Self.maxLinesInField { break }
                continue
            }
            guard position < end || isAtEnd else { return .incomplete }
            if position < end, bytes[position] == Self.quote {
                hasDoubledQuotes = true
                position += 1
                continue
            }
            guard position == end || Self.isSeparator(bytes[position]) else {
                guard line > startLine else { return .defect(.textAfterQuote) }
                // The quote belongs to a field of another line: this one was never closed.
                position = start + 1
                line = startLine
                return .defect(.unterminatedQuote)
            }
            if hasDoubledQuotes { escaped.append(fields.count) }
            keep(FieldSlice(start: start + 1, end: position - 1))
            return nil
        }
        let hasTooManyLines = line - startLine > Self.maxLinesInField
        position = start + 1
        line = startLine
        return hasTooManyLines || isAtEnd ? .defect(.unterminatedQuote) : .incomplete
    }

    private mutating func keep(_ slice: FieldSlice) {
        if fields.count < Self.maxFields { fields.append(slice) }
    }

    private mutating func unescape(_ window: inout TextWindow) {
        for index in escaped where index < fields.count {
            var text: [UInt8] = []
            var isFirstOfTwo = false
            for byte in window.bytes[fields[index].range] {
                isFirstOfTwo = byte == Self.quote && !isFirstOfTwo
                if !isFirstOfTwo { text.append(byte) }
            }
            let range = window.rewrite(fields[index].range, as: text)
            fields[index] = FieldSlice(start: range.lowerBound, end: range.upperBound)
        }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == comma || isLineEnd(byte) }

    private static func isLineEnd(_ byte: UInt8) -> Bool {
        byte == newline || byte == carriageReturn
    }

    /// Moves past a line end unless at the end; false after a CR that may be half of a line end.
    private mutating func endLine(
        _ bytes: Span<UInt8>, at position: inout Int, end: Int, isAtEnd: Bool
    ) -> Bool {
        guard position < end else { return isAtEnd }
        let isReturn = bytes[position] == Self.carriageReturn
        guard !isReturn || position + 1 < end || isAtEnd else { return false }
        position += isReturn && position + 1 < end && bytes[position + 1] == Self.newline ? 2 : 1
        line += 1
        return true
    }

    /// Moves past the next line end; false if there is none, or half of one.
    private mutating func skipLine(
        _ bytes: Span<UInt8>, at position: inout Int, end: Int, isAtEnd: Bool
    ) -> Bool {
        while position < end {
            if Self.isLineEnd(bytes[position]) {
                return endLine(bytes, at: &position, end: end, isAtEnd: isAtEnd)
            }
            position += 1
        }
        return false
    }

    /// Discards everything up to the next line end, however far away it is.
    private mutating func skipLine(_ window: inout TextWindow) throws(DocumentError) {
        while true {
            var position = window.start
            let isFound = skipLine(
                window.bytes.span, at: &position, end: window.end, isAtEnd: window.isAtEnd)
            window.consume(to: position)
            if isFound || window.isAtEnd { return }
            try window.refill()
        }
    }

    private mutating func skipEmptyLines(
        _ bytes: Span<UInt8>, at position: inout Int, end: Int, isAtEnd: Bool
    ) {
        while position < end, Self.isLineEnd(bytes[position]),
            endLine(bytes, at: &position, end: end, isAtEnd: isAtEnd)
        {}
    }
}

/// What can be wrong with the syntax of a record.
package enum CSVDefect: Equatable {
    /// A quote was opened and not closed: the file may have been truncated.
    case unterminatedQuote
    /// Text between a closing quote and the next comma.
    case textAfterQuote
    /// No line end in a mebibyte.
    case lineTooLong

    package var message: String {
        switch self {
        case .unterminatedQuote: "a quote that never closes"
        case .textAfterQuote: "text after a quote"
        case .lineTooLong: "a line over a mebibyte"
        }
    }
}
