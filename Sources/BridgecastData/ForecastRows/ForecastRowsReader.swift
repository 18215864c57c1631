// Reads the rows that are asked for straight from bytes, ten thousand in a millisecond or two; used by ForecastRows.
internal import BridgecastCore

/// What has been read so far.
struct ForecastRowsReader {
    private(set) var rows: [ForecastRows.Row]?
    private(set) var mode = Route.Mode.car
    private(set) var detail = Detail.summary

    private let mostRows: Int
    private var cursor: JSONCursor
    private var bodyNames = OwnNames<BodyField>()
    private var rowNames = OwnNames<RowField>()
    /// Rows mostly come with the same few times: these have been read before.
    private var times: [String: Timestamp] = [:]

    /// How much is wanted of each row.
    enum Detail: String, CaseIterable { case summary, full }

    private enum BodyField: CodingKey, CaseIterable { case rows, mode, detail }

    private enum RowField: String, CodingKey, CaseIterable {
        case bridge
        case leadMinutes = "lead_min"
        case at
    }

    init(_ bytes: Span<UInt8>, mostRows: Int) {
        cursor = JSONCursor(of: bytes)
        self.mostRows = mostRows
    }

    /// Where in the text it is.
    var position: Int { cursor.position }

    /// Reads the text.
    ///
    /// - Throws: ``DocumentProblem``, or ``JSONStop`` where the text is not valid JSON.
    mutating func read(_ bytes: Span<UInt8>) throws {
        try cursor.skipBlanks(bytes)
        try expect("{", "an object with rows", "the body", bytes)
        bodyNames.begin()
        var isFirst = true
        while let name = try cursor.name(isFirst: isFirst, bytes) {
            isFirst = false
            let field = try Self.known(name.slice, of: &bodyNames, "the body", bytes)
            if try cursor.isNull(bytes) { continue }
            switch field {
            case .rows: try readRows(bytes)
            case .mode: mode = try choice("mode", bytes)
            case .detail: detail = try choice("detail", bytes)
            }
        }
        guard try cursor.isOnlyBlankLeft(bytes) else {
            throw DocumentProblem("byte \(position)", "something stands behind the end")
        }
    }

    private mutating func readRows(_ bytes: Span<UInt8>) throws {
        try expect("[", "a list", "rows", bytes)
        cursor.position += 1
        var found: [ForecastRows.Row] = []
        while try cursor.hasElement(after: found.count, bytes) {
            guard found.count < mostRows else {
                throw DocumentProblem("rows", "more than \(mostRows) at once; split them")
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
            let field = try Self.known(name.slice, of: &rowNames, "rows[\(number)]", bytes)
            if try cursor.isNull(bytes) { continue }
            switch field {
            case .bridge: bridge = try self.bridge(number, bytes)
            case .leadMinutes: leadMinutes = try self.leadMinutes(number, bytes)
            case .at: at = try time(number, bytes)
            }
        }
        guard let bridge else { throw DocumentProblem("rows[\(number)].bridge", "is missing") }
        guard leadMinutes == nil || at == nil else {
            throw DocumentProblem("rows[\(number)]", "has both lead_min and at; one says when")
        }
        return ForecastRows.Row(bridge: bridge, leadMinutes: leadMinutes, at: at)
    }

    // MARK: Fields

    private mutating func bridge(_ number: Int, _ bytes: Span<UInt8>) throws -> BridgeIndex {
        switch try cursor.peek(bytes) {
        case UInt8(ascii: "\""):
            let name = try cursor.text(bytes)
            if let bridge = BridgeCatalogue.index(named: name) { return bridge }
            throw Self.noBridge("'\(printable(name, most: 40))'", number)
        case UInt8(ascii: "-"), 48...57:
            let id = try cursor.decimal(bytes)
            if let whole = Int(exactly: id),
                let bridge = BridgeCatalogue.index(of: BridgeID(whole))
            {
                return bridge
            }
            throw Self.noBridge("\(id)", number)
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
        let minutes = try cursor.decimal(bytes)
        guard minutes >= 0, minutes <= ForecastRows.mostLeadMinutes else {
            throw DocumentProblem(
                "rows[\(number)].lead_min",
                "\(minutes) does not lie between 0 and \(Int(ForecastRows.mostLeadMinutes))")
        }
        return minutes
    }

    private mutating func time(_ number: Int, _ bytes: Span<UInt8>) throws -> Timestamp {
        guard try cursor.peek(bytes) == UInt8(ascii: "\"") else {
            throw DocumentProblem("rows[\(number)].at", "should be a time as text")
        }
        let text = try cursor.text(bytes)
        if let moment = times[text] { return moment }
        do {
            let moment = try TimeText.parse(text)
            times[text] = moment
            return moment
        } catch {
            throw DocumentProblem("rows[\(number)].at", printable("\(error)", most: 200))
        }
    }

    private mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ field: String, _ bytes: Span<UInt8>
    ) throws -> Choice {
        try expect("\"", "text", field, bytes)
        let text = try cursor.text(bytes)
        guard let choice = Choice(rawValue: text) else {
            let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw DocumentProblem(field, "'\(printable(text, most: 40))' is not one of \(all)")
        }
        return choice
    }

    // MARK: Checks

    /// Checks how a value begins, and leaves it there.
    private func expect(
        _ first: Unicode.Scalar, _ what: String, _ place: String, _ bytes: Span<UInt8>
    ) throws {
        guard try cursor.peek(bytes) == UInt8(ascii: first) else {
            throw DocumentProblem(place, "should be \(what)")
        }
    }

    /// The field of a name; the problem if there is none such, or it stood there before.
    private static func known<Name>(
        _ slice: FieldSlice, of names: inout OwnNames<Name>, _ place: @autoclosure () -> String,
        _ bytes: Span<UInt8>
    ) throws(DocumentProblem) -> Name {
        let found = names.take(slice, bytes)
        if case .field(let name) = found { return name }
        let spelling = String(decoding: slice.range.map { bytes[$0] }, as: UTF8.self)
        let shown = printable(spelling, most: 40)
        guard case .unknown = found else {
            throw DocumentProblem(place(), "'\(shown)' stands twice")
        }
        let known = Name.allCases.map(\.stringValue).joined(separator: ", ")
        throw DocumentProblem(place(), "unknown field '\(shown)' (known: \(known))")
    }
}
