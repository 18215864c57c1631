// RFC 4180 records from bytes, with line numbers; one bad record never costs the others, and any line end ends a
// line: LF, CRLF or CR.

/// Splits a text into records.
///
/// Our own, because a SwiftCSV parse throws the whole file away at the first stray quote and carries
/// no line numbers, and every bad row must be counted and located here. A defective record ends at
/// its line's end, so that a stray quote cannot swallow the rest of the file: the fields of these
/// data never contain line breaks, and a quoted field that does is still read if it closes.
struct CSVScanner {
    /// The unquoted fields of the last record, in the window's bytes.
    private(set) var fields: [FieldSlice] = []
    /// Fields of the last record, also those beyond the most that are kept.
    private(set) var fieldCount = 0
    /// The line on which the last record starts, from 1.
    private(set) var recordLine = 1

    /// The line on which the next record starts, from 1.
    private(set) var line = 1
    /// Fields of the last record that hold doubled quotes.
    private var escaped: [Int] = []

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")
    /// A quoted field that runs over more lines than this was never closed.
    private static let mostLinesInField = 64
    private static let mostFields = 256
    private static let longestRecordBytes = 1 << 20

    /// A scanner whose text starts on a line.
    init(line: Int = 1) { self.line = line }

    /// Counts a line that was read by another.
    @inline(__always)
    mutating func pass() { line += 1 }

    /// What a step came to.
    enum Step: Equatable {
        case record
        case defect(CSVDefect)
        case end
    }

    /// Why a field was not read.
    private enum Stop { case defect(CSVDefect), incomplete }

    /// Reads the next record that is not an empty line; the window is moved behind it.
    mutating func next(_ window: inout TextWindow) throws(DocumentError) -> Step {
        while true {
            var position = window.start
            skipEmptyLines(window.bytes.span, &position, window.end, window.isAtEnd)
            window.consume(to: position)
            let lineBefore = line
            if let step = record(window.bytes.span, &position, window.end, window.isAtEnd) {
                unescape(&window)
                window.consume(to: position)
                return step
            }
            line = lineBefore
            if window.end - window.start > Self.longestRecordBytes {
                recordLine = line
                fields.removeAll(keepingCapacity: true)
                fieldCount = 0
                try skipLine(&window)
                return .defect(.lineTooLong)
            }
            try window.refill()
        }
    }

    /// A record of the bytes from `position` on, or nil if more bytes are needed to tell.
    private mutating func record(
        _ bytes: Span<UInt8>, _ position: inout Int, _ end: Int, _ isAtEnd: Bool
    ) -> Step? {
        fields.removeAll(keepingCapacity: true)
        escaped.removeAll(keepingCapacity: true)
        fieldCount = 0
        guard position < end else { return isAtEnd ? .end : nil }
        recordLine = line
        while true {
            if let stop = field(bytes, &position, end, isAtEnd) {
                guard case .defect(let defect) = stop else { return nil }
                guard skipLine(bytes, &position, end, isAtEnd) || isAtEnd else { return nil }
                return .defect(defect)
            }
            fieldCount += 1
            guard position < end || isAtEnd else { return nil }
            guard position < end, bytes[position] == Self.comma else {
                return endLine(bytes, &position, end, isAtEnd) ? .record : nil
            }
            position += 1
        }
    }

    private mutating func field(
        _ bytes: Span<UInt8>, _ position: inout Int, _ end: Int, _ isAtEnd: Bool
    ) -> Stop? {
        guard position < end, bytes[position] == Self.quote else {
            let start = position
            while position < end, !Self.isSeparator(bytes[position]) { position += 1 }
            keep(FieldSlice(start: start, end: position))
            return nil
        }
        return quotedField(bytes, &position, end, isAtEnd)
    }

    private mutating func quotedField(
        _ bytes: Span<UInt8>, _ position: inout Int, _ end: Int, _ isAtEnd: Bool
    ) -> Stop? {
        let (start, startLine) = (position, line)
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
                guard endLine(bytes, &position, end, isAtEnd) else { return .incomplete }
                if line - startLine > Self.mostLinesInField { break }
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
                // The quote of another line's field: this one's never closed.
                (position, line) = (start + 1, startLine)
                return .defect(.unterminatedQuote)
            }
            if hasDoubledQuotes { escaped.append(fields.count) }
            keep(FieldSlice(start: start + 1, end: position - 1))
            return nil
        }
        let isTooTall = line - startLine > Self.mostLinesInField
        (position, line) = (start + 1, startLine)
        return isTooTall || isAtEnd ? .defect(.unterminatedQuote) : .incomplete
    }

    private mutating func keep(_ slice: FieldSlice) {
        if fields.count < Self.mostFields { fields.append(slice) }
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

    /// Moves behind the line end that stands here, if the text has not ended; false if a carriage return is the
    /// last byte at hand, which may be half of a line end.
    private mutating func endLine(
        _ bytes: Span<UInt8>, _ position: inout Int, _ end: Int, _ isAtEnd: Bool
    ) -> Bool {
        guard position < end else { return isAtEnd }
        let isReturn = bytes[position] == Self.carriageReturn
        guard !isReturn || position + 1 < end || isAtEnd else { return false }
        position += isReturn && position + 1 < end && bytes[position + 1] == Self.newline ? 2 : 1
        line += 1
        return true
    }

    /// Moves behind the next line end; false if there is none, or half of one.
    private mutating func skipLine(
        _ bytes: Span<UInt8>, _ position: inout Int, _ end: Int, _ isAtEnd: Bool
    ) -> Bool {
        while position < end {
            if Self.isLineEnd(bytes[position]) { return endLine(bytes, &position, end, isAtEnd) }
            position += 1
        }
        return false
    }

    /// Gives up everything to the next line end, however far away it is.
    private mutating func skipLine(_ window: inout TextWindow) throws(DocumentError) {
        while true {
            var position = window.start
            let isFound = skipLine(
                window.bytes.span, &position, window.end, window.isAtEnd)
            window.consume(to: position)
            if isFound || window.isAtEnd { return }
            try window.refill()
        }
    }

    private mutating func skipEmptyLines(
        _ bytes: Span<UInt8>, _ position: inout Int, _ end: Int, _ isAtEnd: Bool
    ) {
        while position < end, Self.isLineEnd(bytes[position]),
            endLine(bytes, &position, end, isAtEnd)
        {}
    }
}
