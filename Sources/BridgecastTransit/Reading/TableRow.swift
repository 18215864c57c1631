// The columns and rows of a table, and the parsing of its fields.
internal import BridgecastCore
internal import BridgecastSupport
private import Foundation

/// The columns that are read of a GTFS table, numbered from 0.
protocol FeedColumn: RawRepresentable<Int>, CaseIterable, Sendable {
    /// The file's name, such as `stops.txt`.
    static var file: String { get }
    /// Names in the order of raw values.
    static var names: [String] { get }
    /// Columns without which the file is unusable.
    static var required: [Self] { get }
    /// GTFS columns that are not read.
    static var others: [String] { get }
}

/// The positions of a table's columns in a file.
struct TableHeader<Column: FeedColumn>: Sendable {
    /// By column, its field index; -1 if the file does not have it.
    let positions: [Int]
    /// Fields of a complete row.
    let fieldCount: Int

    /// Finds the columns among the names of a file's first line.
    init(_ names: [String], _ notices: inout FeedNotices) throws(TransitFeedError.Problem) {
        var positions = [Int](repeating: -1, count: Column.names.count)
        for (index, name) in names.enumerated() {
            guard let column = Column.names.firstIndex(of: name) else {
                Self.noteUnread(name, at: index, &notices)
                continue
            }
            if positions[column] >= 0 {
                notices.add(
                    .error, "duplicated_column", file: Column.file, line: 1, field: name,
                    "occurs twice; the first one is read")
            } else {
                positions[column] = index
            }
        }
        self.positions = positions
        fieldCount = names.count
        for column in Column.required where positions[column.rawValue] < 0 {
            throw .missingColumn(file: Column.file, column: Column.names[column.rawValue])
        }
    }

    func has(_ column: Column) -> Bool { positions[column.rawValue] >= 0 }

    private static func noteUnread(_ name: String, at index: Int, _ notices: inout FeedNotices) {
        if name.isEmpty {
            notices.add(
                .warning, "empty_column_name", file: Column.file, line: 1,
                "column \(index + 1) has no name; it is not read")
        } else if !Column.others.contains(name) {
            notices.add(
                .info, "unknown_column", file: Column.file, line: 1, field: printable(name),
                "is not a GTFS column; it is not read")
        }
    }
}

// MARK: - Rows

struct TableRow<Column: FeedColumn> {
    let header: TableHeader<Column>
    /// Number of its first line.
    var line = 0
    /// The text that the fields are ranges of.
    var bytes: [UInt8] = []
    var fields: [FieldSlice] = []

    init(_ header: TableHeader<Column>) { self.header = header }

    /// The range of a field without surrounding blanks; empty if the row does not have it.
    @inline(__always) func range(_ column: Column) -> Range<Int> {
        let position = header.positions[column.rawValue]
        guard position >= 0, position < fields.count else { return 0..<0 }
        let bytes = bytes.span
        var start = fields[position].range.lowerBound
        var end = fields[position].range.upperBound
        while start < end, bytes[start] <= 32 { start += 1 }
        while end > start, bytes[end - 1] <= 32 { end -= 1 }
        return start..<end
    }

    func text(_ column: Column) -> String { String(copying: bytes.span.extracting(range(column))) }

    func append(_ column: Column, to texts: inout TextColumn) {
        texts.append(bytes.span.extracting(range(column)))
    }

    /// The row of a field's text among identifiers; nil if they do not include it.
    @inline(__always) func position(_ column: Column, in ids: IdentifierTable) -> Int? {
        ids.position(of: bytes.span.extracting(range(column)))
    }

    /// Appends a mandatory identifier; false, with a notice, if it is empty or not new.
    func append(
        _ column: Column, to ids: inout IdentifierTable, _ notices: inout FeedNotices
    ) -> Bool {
        guard let range = required(column, &notices) else { return false }
        if ids.append(bytes.span.extracting(range)) != nil { return true }
        noteDuplicate(column, &notices)
        return false
    }

    /// The row of a field's text among identifiers, which it joins if it is new; ``FeedIndex/none`` if it is empty.
    func findOrAppend(_ column: Column, in ids: inout IdentifierTable) -> Int32 {
        let text = bytes.span.extracting(range(column))
        guard !text.isEmpty else { return FeedIndex<TransitTrip>.none }
        return Int32(ids.position(of: text) ?? ids.append(text) ?? -1)
    }

    /// The row of another file that a field refers to; nil, with a notice, if there is none.
    ///
    /// - Parameter consequence: How the lack of it is handled.
    @inline(__always) func reference(
        _ column: Column, to ids: IdentifierTable, of file: String,
        otherwise consequence: String = "the row is left out", _ notices: inout FeedNotices
    ) -> Int? {
        if let row = position(column, in: ids) { return row }
        noteForeign(column, missingIn: file, consequence, &notices)
        return nil
    }

    /// A mandatory field; nil, with a notice, if it is empty.
    func required(_ column: Column, _ notices: inout FeedNotices) -> Range<Int>? {
        let range = range(column)
        guard range.isEmpty else { return range }
        note(
            .error, "missing_required_field", in: column, "is empty; the row is left out",
            to: &notices)
        return nil
    }

    /// The value of a field; nil if the field is empty or, with a notice, invalid.
    @inline(__always) private func value<Value>(
        _ column: Column, by parse: (Span<UInt8>, Range<Int>) -> Value?, code: String,
        expected: String, _ notices: inout FeedNotices
    ) -> Value? {
        let range = range(column)
        guard !range.isEmpty else { return nil }
        if let value = parse(bytes.span, range) { return value }
        noteValue(code, column, expected: expected, &notices)
        return nil
    }

    /// An integer within bounds; nil if the field is empty or, with a notice, invalid.
    func whole(_ column: Column, _ bounds: ClosedRange<Int>, _ notices: inout FeedNotices) -> Int? {
        let number = value(
            column, by: FieldValue.whole, code: "invalid_integer", expected: "a whole number",
            &notices)
        guard let number, !bounds.contains(number) else { return number }
        noteValue(
            "number_out_of_range", column,
            expected: "a number from \(bounds.lowerBound) to \(bounds.upperBound)", &notices)
        return nil
    }

    /// An enumerated value from 0 to `max`; 0 if the field is empty or, with a notice, invalid.
    func choice(_ column: Column, upTo max: Int, _ notices: inout FeedNotices) -> Int {
        let range = range(column)
        guard !range.isEmpty else { return 0 }
        if let number = FieldValue.whole(bytes.span, range), (0...max).contains(number) {
            return number
        }
        noteValue("unexpected_enum_value", column, expected: "from 0 to \(max)", &notices)
        return 0
    }

    /// A decimal number; nil if the field is empty or, with a notice, invalid.
    func decimal(_ column: Column, _ notices: inout FeedNotices) -> Double? {
        value(column, by: FieldValue.decimal, code: "invalid_float", expected: "a number", &notices)
    }

    /// A distance along a shape in the feed's own unit; nil if the field is empty or, with a notice, invalid.
    func distance(_ column: Column, _ notices: inout FeedNotices) -> Float? {
        guard let number = decimal(column, &notices) else { return nil }
        // The earth's circumference is 4e10 mm; larger numbers may be infinite as a Float.
        if (0...1e12).contains(number) { return Float(number) }
        noteValue(
            "number_out_of_range", column, expected: "a distance, 0 or more; it is left out",
            &notices)
        return nil
    }

    /// Seconds of a service day; nil if the field is empty or, with a notice, invalid.
    func time(_ column: Column, _ notices: inout FeedNotices) -> Int32? {
        value(
            column, by: FieldValue.time, code: "invalid_time", expected: "a time such as 25:10:00",
            &notices)
    }

    /// A date; nil if the field is empty or, with a notice, invalid.
    func date(_ column: Column, _ notices: inout FeedNotices) -> CivilDate? {
        value(
            column, by: FieldValue.date, code: "invalid_date", expected: "a date such as 20261123",
            &notices)
    }

    /// Notes a reference to a missing row of another file.
    func noteForeign(
        _ column: Column, missingIn file: String, _ consequence: String,
        _ notices: inout FeedNotices
    ) {
        note(
            .error, "foreign_key_violation", in: column,
            "\(file) has no '\(printable(text(column)))'; \(consequence)", to: &notices)
    }

    func noteDuplicate(_ column: Column, _ notices: inout FeedNotices) {
        note(
            .error, "duplicate_key", in: column,
            "'\(printable(text(column)))' occurs twice; the row is left out", to: &notices)
    }

    func note(
        _ severity: FeedNotice.Severity, _ code: String, in column: Column,
        _ message: @autoclosure () -> String, to notices: inout FeedNotices
    ) {
        notices.add(
            severity, code, file: Column.file, line: line, field: Column.names[column.rawValue],
            message())
    }

    private func noteValue(
        _ code: String, _ column: Column, expected: @autoclosure () -> String,
        _ notices: inout FeedNotices
    ) {
        note(
            .error, code, in: column,
            "'\(printable(text(column), maxLength: 40))' should be \(expected())", to: &notices)
    }

    /// Notes control and other invisible characters in fields; they are replaced wherever the text is shown.
    func checkCharacters(of columns: [Column], _ notices: inout FeedNotices) {
        for column in columns where !Self.isPlain(bytes.span, range(column)) {
            let text = text(column)
            guard let hidden = text.unicodeScalars.first(where: { !$0.isPrintable }) else {
                continue
            }
            // The code is that of gtfs-validator.
            note(
                .warning, "non_ascii_or_non_printable_char", in: column,
                "'\(printable(text, maxLength: 40))' has U+\(Self.digits(hidden)), which is not printable; it is replaced where the text is shown",
                to: &notices)
        }
    }

    /// Whether all bytes are printable ASCII, the common case.
    @inline(__always) private static func isPlain(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool
    {
        for index in range where bytes[index] < 32 || bytes[index] > 126 { return false }
        return true
    }

    /// At least four hexadecimal digits.
    private static func digits(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}

extension String {
    /// Decodes UTF-8, with replacement characters for invalid bytes.
    init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}

// MARK: - Values

enum FieldValue {
    /// Times of ten days or more are invalid.
    private static let maxHours = 240

    /// `H:MM:SS`, `HH:MM:SS` or with three digits of hours, as seconds of the service day.
    @inline(__always) static func time(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int32? {
        let end = range.upperBound
        guard (7...9).contains(range.count), bytes[end - 3] == colon, bytes[end - 6] == colon,
            let hours = digits(bytes, range.lowerBound..<end - 6),
            let minutes = digits(bytes, end - 5..<end - 3),
            let seconds = digits(bytes, end - 2..<end), hours < maxHours, minutes < 60, seconds < 60
        else { return nil }
        return Int32(hours * 3600 + minutes * 60 + seconds)
    }

    /// `YYYYMMDD`.
    static func date(_ bytes: Span<UInt8>, _ range: Range<Int>) -> CivilDate? {
        guard range.count == 8, let number = digits(bytes, range) else { return nil }
        return CivilDate(compact: number)
    }

    /// An integer of at most 18 digits with an optional minus.
    @inline(__always) static func whole(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let isNegative = !range.isEmpty && bytes[range.lowerBound] == minus
        let start = range.lowerBound + (isNegative ? 1 : 0)
        guard let number = digits(bytes, start..<range.upperBound) else { return nil }
        return isNegative ? -number : number
    }

    /// A decimal number, correctly rounded; never infinite nor NaN.
    @inline(__always) static func decimal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        var index = range.lowerBound
        let isNegative = index < range.upperBound && bytes[index] == minus
        if isNegative { index += 1 }
        var mantissa: UInt64 = 0
        var digits = 0
        var decimals = 0
        var hasPoint = false
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            if byte == point, !hasPoint {
                hasPoint = true
                continue
            }
            let digit = byte &- 48
            // Below 2^53 and 10^22 both are exact, so their quotient is correctly rounded.
            guard digit < 10, digits < 15 else { return longDecimal(bytes, range) }
            mantissa = mantissa * 10 + UInt64(digit)
            if mantissa > 0 { digits += 1 }
            if hasPoint { decimals += 1 }
        }
        guard decimals < powers.count else { return longDecimal(bytes, range) }
        guard range.count > (isNegative ? 1 : 0) + (hasPoint ? 1 : 0) else { return nil }
        let number = Double(mantissa) / powers[decimals]
        return isNegative ? -number : number
    }

    /// Six hexadecimal digits.
    static func colour(_ bytes: Span<UInt8>, _ range: Range<Int>) -> UInt32? {
        guard range.count == 6 else { return nil }
        return UInt32(String(copying: bytes.extracting(range)), radix: 16)
    }

    private static let colon = UInt8(ascii: ":")
    private static let minus = UInt8(ascii: "-")
    private static let point = UInt8(ascii: ".")
    private static let powers: [Double] = (0...22).map { Foundation.pow(10, Double($0)) }
    private static let maxNumberBytes = 64

    /// Numbers with exponents or many digits.
    private static func longDecimal(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        guard range.count <= maxNumberBytes,
            let number = Double(String(copying: bytes.extracting(range))), number.isFinite
        else { return nil }
        return number
    }

    @inline(__always) private static func digits(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int?
    {
        guard !range.isEmpty, range.count <= 18 else { return nil }
        var number = 0
        for index in range {
            let digit = bytes[index] &- 48
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int(digit)
        }
        return number
    }
}
