// The rows of a request for many forecasts, ten thousand in a millisecond or two.
package import BridgecastCore
package import BridgecastSupport

/// The content of `{"rows": [{"bridge": "Fremont", "lead_min": 10}, {"bridge": 3, "at": time}]}`.
///
/// Optional fields next to the rows are the mode of travel, `"mode"`, and the detail of the answers, `"detail"`: `summary`
/// or `full`. Null is the same as a missing field. Unknown and repeated fields are refused.
package struct ForecastRows: Sendable, Equatable {
    /// A bridge and a time: now if neither a lead time nor a time is stated.
    package struct Row: Sendable, Equatable {
        package let bridge: BridgeIndex
        /// Minutes from now, 0...``ForecastRows/maxLeadMinutes``; nil unless stated.
        package let leadMinutes: Double?
        /// The time; nil unless stated.
        package let at: Timestamp?
    }

    /// At least one.
    package let rows: [Row]
    /// By car unless stated.
    package let mode: Route.Mode
    /// Whether full answers are wanted instead of summaries.
    package let isFull: Bool

    /// 366 days.
    package static let maxLeadMinutes = 366.0 * 24 * 60
    package static let form =
        #"{"rows": [{"bridge": name or number, "lead_min": minutes or "at": time}]}"#

    /// - Parameters:
    ///   - maxRows: More rows are refused.
    ///   - maxDepth: Deeper nesting is refused.
    /// - Throws: ``DocumentProblem`` with the row and field, such as `rows[3].lead_min`, or the byte.
    package init(_ bytes: [UInt8], maxRows: Int, maxDepth: Int) throws(DocumentProblem) {
        try JSONDepth.check(bytes.span, maxDepth: maxDepth)
        var reader = ForecastRowsReader(bytes.span, maxRows: maxRows)
        do {
            try reader.read(bytes.span)
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw DocumentProblem("byte \(reader.position)", "is not valid JSON, or is cut short")
        }
        guard let rows = reader.rows else { throw DocumentProblem("rows", "is missing") }
        guard !rows.isEmpty else { throw DocumentProblem("rows", "the list is empty") }
        self.rows = rows
        mode = reader.mode
        isFull = reader.detail == .full
    }
}

/// Reads rows from bytes; holds what has been read so far.
private struct ForecastRowsReader {
    private(set) var rows: [ForecastRows.Row]?
    private(set) var mode = Route.Mode.car
    private(set) var detail = Detail.summary

    private let maxRows: Int
    private var cursor: JSONCursor
    private var bodyNames = FieldNameMatcher<BodyField>()
    private var rowNames = FieldNameMatcher<RowField>()
    /// Times by their text: rows mostly repeat a few.
    private var times: [String: Timestamp] = [:]

    enum Detail: String, CaseIterable { case summary, full }

    private enum BodyField: CodingKey, CaseIterable { case rows, mode, detail }

    private enum RowField: String, CodingKey, CaseIterable {
        case bridge
        case leadMinutes = "lead_min"
        case at
    }

    init(_ bytes: Span<UInt8>, maxRows: Int) {
        cursor = JSONCursor(of: bytes)
        self.maxRows = maxRows
    }

    var position: Int { cursor.position }

    /// - Throws: ``DocumentProblem``, or ``JSONReadingError`` where the text is not valid JSON.
    mutating func read(_ bytes: Span<UInt8>) throws {
        try cursor.skipBlanks(bytes)
        try expect("{", of: "an object with rows", at: "the body", bytes)
        bodyNames.begin()
        var isFirst = true
        while let name = try cursor.name(isFirst: isFirst, bytes) {
            isFirst = false
            let field = try Self.known(name.slice, of: &bodyNames, at: "the body", bytes)
            if try cursor.isNull(bytes) { continue }
            switch field {
            case .rows: try readRows(bytes)
            case .mode: mode = try choice("mode", bytes)
            case .detail: detail = try choice("detail", bytes)
            }
        }
        guard try cursor.isOnlyBlankLeft(bytes) else {
            throw DocumentProblem("byte \(position)", "unexpected text after the end")
        }
    }

    private mutating func readRows(_ bytes: Span<UInt8>) throws {
        try expect("[", of: "a list", at: "rows", bytes)
        cursor.position += 1
        var found: [ForecastRows.Row] = []
        while try cursor.hasElement(after: found.count, bytes) {
            guard found.count < maxRows else {
                throw DocumentProblem("rows", "more than \(maxRows) at once; split them")
            }
            found.append(try row(found.count, bytes))
        }
        rows = found
    }

    private mutating func row(_ number: Int, _ bytes: Span<UInt8>) throws -> ForecastRows.Row {
        var bridge: BridgeIndex?
        var leadMinutes: Double?
        var at: Timestamp?
        if try cursor.peek(bytes) != UInt8(ascii: "{") {
            throw DocumentProblem("rows[\(number)]", "should be an object")
        }
        rowNames.begin()
        var isFirst = true
        while let name = try cursor.name(isFirst: isFirst, bytes) {
            isFirst = false
            let field = try Self.known(name.slice, of: &rowNames, at: "rows[\(number)]", bytes)
            if try cursor.isNull(bytes) { continue }
            switch field {
            case .bridge: bridge = try self.bridge(number, bytes)
            case .leadMinutes: leadMinutes = try self.leadMinutes(number, bytes)
            case .at: at = try time(number, bytes)
            }
        }
        guard let bridge else { throw DocumentProblem("rows[\(number)].bridge", "is missing") }
        guard leadMinutes == nil || at == nil else {
            throw DocumentProblem("rows[\(number)]", "has both lead_min and at; state one of them")
        }
        return ForecastRows.Row(bridge: bridge, leadMinutes: leadMinutes, at: at)
    }

    // MARK: Fields

    private mutating func bridge(_ number: Int, _ bytes: Span<UInt8>) throws -> BridgeIndex {
        switch try cursor.peek(bytes) {
        case UInt8(ascii: "\""):
            let name = try cursor.text(bytes)
            if let bridge = BridgeCatalogue.index(named: name) { return bridge }
            throw Self.noBridge("'\(printable(name, maxLength: 40))'", number)
        case UInt8(ascii: "-"), 48...57:
            let id = try decimal("rows[\(number)].bridge", bytes)
            if let whole = Int(exactly: id), let bridge = BridgeCatalogue.index(of: BridgeID(whole))
            {
                return bridge
            }
            throw Self.noBridge(plainNumber(id), number)
        default:
            throw DocumentProblem(
                "rows[\(number)].bridge", "should be a bridge's name or the city's number")
        }
    }

    private static func noBridge(_ text: String, _ number: Int) -> DocumentProblem {
        DocumentProblem(
            "rows[\(number)].bridge",
            "there is no bridge \(text); known: \(BridgeCatalogue.namesByID)")
    }

    private mutating func leadMinutes(_ number: Int, _ bytes: Span<UInt8>) throws -> Double {
        let first = try cursor.peek(bytes)
        guard first == UInt8(ascii: "-") || (48...57).contains(first) else {
            throw DocumentProblem("rows[\(number)].lead_min", "should be a number of minutes")
        }
        let minutes = try decimal("rows[\(number)].lead_min", bytes)
        guard minutes >= 0, minutes <= ForecastRows.maxLeadMinutes else {
            throw DocumentProblem(
                "rows[\(number)].lead_min",
                "\(plainNumber(minutes)) is not between 0 and \(Int(ForecastRows.maxLeadMinutes))")
        }
        return minutes
    }

    /// Reads a number; the location is that of an error.
    private mutating func decimal(
        _ location: @autoclosure () -> String, _ bytes: Span<UInt8>
    ) throws -> Double {
        do {
            return try cursor.decimal(bytes)
        } catch JSONReadingError.unrepresentable {
            throw DocumentProblem(location(), JSONReadingError.unrepresentableText)
        }
    }

    private mutating func time(_ number: Int, _ bytes: Span<UInt8>) throws -> Timestamp {
        guard try cursor.peek(bytes) == UInt8(ascii: "\"") else {
            throw DocumentProblem("rows[\(number)].at", "should be a time as text")
        }
        let text = try cursor.text(bytes)
        if let time = times[text] { return time }
        do {
            let time = try TimeText.parse(text)
            times[text] = time
            return time
        } catch {
            throw DocumentProblem("rows[\(number)].at", printable("\(error)", maxLength: 200))
        }
    }

    private mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ field: String, _ bytes: Span<UInt8>
    ) throws -> Choice {
        try expect("\"", of: "text", at: field, bytes)
        let text = try cursor.text(bytes)
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw DocumentProblem(field, "'\(printable(text, maxLength: 40))' is not one of \(all)")
        }
        return choice
    }

    // MARK: Checks

    /// Checks the first byte of a value, without reading it.
    private func expect(
        _ first: Unicode.Scalar, of type: String, at location: String, _ bytes: Span<UInt8>
    ) throws {
        guard try cursor.peek(bytes) == UInt8(ascii: first) else {
            throw DocumentProblem(location, "should be \(type)")
        }
    }

    /// The field with a name; throws if it is unknown or repeated.
    private static func known<Name>(
        _ slice: FieldSlice, of names: inout FieldNameMatcher<Name>,
        at location: @autoclosure () -> String, _ bytes: Span<UInt8>
    ) throws(DocumentProblem) -> Name {
        let found = names.match(slice, bytes)
        if case .field(let name) = found { return name }
        let spelling = String(decoding: slice.range.map { bytes[$0] }, as: UTF8.self)
        let shown = printable(spelling, maxLength: 40)
        guard case .unknown = found else {
            throw DocumentProblem(location(), "'\(shown)' appears twice")
        }
        let known = Name.allCases.map(\.stringValue).joined(separator: ", ")
        throw DocumentProblem(location(), "unknown field '\(shown)' (known: \(known))")
    }
}
