// A row of a table with its fields by their columns, checked; used by every reader of a table.
internal import BridgecastCore
internal import BridgecastData

/// A row whose fields lie in a text that goes with it.
struct TableRow<Column: FeedColumn> {
    let header: TableHeader<Column>
    /// The line on which it starts.
    var line = 0
    var fields: [FieldSlice] = []

    init(_ header: TableHeader<Column>) { self.header = header }

    /// Where a field lies, blanks around it left out; empty where there is none.
    @inline(__always)
    func range(_ column: Column, _ bytes: Span<UInt8>) -> Range<Int> {
        let place = header.places[column.rawValue]
        guard place >= 0, place < fields.count else { return 0..<0 }
        let range = fields[place].range
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start] <= 32 { start += 1 }
        while end > start, bytes[end - 1] <= 32 { end -= 1 }
        return start..<end
    }

    /// A field as text.
    func text(_ column: Column, _ bytes: Span<UInt8>) -> String {
        String(copying: bytes.extracting(range(column, bytes)))
    }

    /// A field that has to be there; nil, and a notice, if it is empty.
    func required(
        _ column: Column, _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) -> Range<Int>? {
        let range = range(column, bytes)
        guard range.isEmpty else { return range }
        note(
            .error, "missing_required_field", column, "is empty; the row is left out", &notices)
        return nil
    }

    /// A whole number within bounds; nil if the field is empty or, with a notice, no such number.
    func whole(
        _ column: Column, _ bounds: ClosedRange<Int>, _ bytes: Span<UInt8>,
        _ notices: inout FeedNotices
    ) -> Int? {
        let range = range(column, bytes)
        guard !range.isEmpty else { return nil }
        guard let number = FieldValue.whole(bytes, range) else {
            noteValue("invalid_integer", column, "a whole number", bytes, &notices)
            return nil
        }
        guard bounds.contains(number) else {
            noteValue(
                "number_out_of_range", column,
                "a number from \(bounds.lowerBound) to \(bounds.upperBound)", bytes, &notices)
            return nil
        }
        return number
    }

    /// A choice from 0 to a number; 0 if the field is empty or, with a notice, another.
    func choice(
        _ column: Column, upTo most: Int, _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) -> Int {
        let range = range(column, bytes)
        guard !range.isEmpty else { return 0 }
        if let number = FieldValue.whole(bytes, range), (0...most).contains(number) {
            return number
        }
        noteValue("unexpected_enum_value", column, "from 0 to \(most)", bytes, &notices)
        return 0
    }

    /// A decimal number; nil if the field is empty or, with a notice, none.
    func decimal(
        _ column: Column, _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) -> Double? {
        let range = range(column, bytes)
        guard !range.isEmpty else { return nil }
        guard let number = FieldValue.decimal(bytes, range) else {
            noteValue("invalid_float", column, "a number", bytes, &notices)
            return nil
        }
        return number
    }

    /// A distance along a shape in the feed's own unit; nil if the field is empty or, with a notice, none.
    func distance(
        _ column: Column, _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) -> Float? {
        guard let number = decimal(column, bytes, &notices) else { return nil }
        // Millimetres around the earth are 4e10; what is infinite as a Float cannot be reckoned with.
        guard (0...1e12).contains(number) else {
            noteValue(
                "number_out_of_range", column, "a distance, 0 or more; it is left out", bytes,
                &notices)
            return nil
        }
        return Float(number)
    }

    /// Seconds of a service day; nil if the field is empty or, with a notice, no time.
    func time(
        _ column: Column, _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) -> Int32? {
        let range = range(column, bytes)
        guard !range.isEmpty else { return nil }
        guard let seconds = FieldValue.time(bytes, range) else {
            noteValue("invalid_time", column, "a time such as 25:10:00", bytes, &notices)
            return nil
        }
        return seconds
    }

    /// A date; nil if the field is empty or, with a notice, no date.
    func date(
        _ column: Column, _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) -> CivilDate? {
        let range = range(column, bytes)
        guard !range.isEmpty else { return nil }
        guard let date = FieldValue.date(bytes, range) else {
            noteValue("invalid_date", column, "a date such as 20261123", bytes, &notices)
            return nil
        }
        return date
    }

    /// Says that a field names a row of another file that is not there.
    func noteForeign(
        _ column: Column, _ file: String, _ what: String, _ bytes: Span<UInt8>,
        _ notices: inout FeedNotices
    ) {
        note(
            .error, "foreign_key_violation", column,
            "\(file) has no '\(printable(text(column, bytes)))'; \(what)", &notices)
    }

    /// Says that a row's key was there before.
    func noteDuplicate(
        _ column: Column, _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) {
        note(
            .error, "duplicate_key", column,
            "'\(printable(text(column, bytes)))' was there before; the row is left out", &notices)
    }

    /// Says something about a field.
    func note(
        _ severity: FeedNotice.Severity, _ code: String, _ column: Column,
        _ words: @autoclosure () -> String, _ notices: inout FeedNotices
    ) {
        notices.add(
            severity, code, file: Column.file, line: line, field: Column.names[column.rawValue],
            words())
    }

    private func noteValue(
        _ code: String, _ column: Column, _ wanted: @autoclosure () -> String,
        _ bytes: Span<UInt8>, _ notices: inout FeedNotices
    ) {
        note(
            .error, code, column,
            "'\(printable(text(column, bytes), most: 40))' should be \(wanted())", &notices)
    }
}

extension String {
    /// The text of bytes; what is not UTF-8 is shown as such.
    init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
