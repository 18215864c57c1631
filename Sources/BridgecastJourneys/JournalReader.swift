// Reads a journal's document, JSON or CSV: all of it is checked before anything is kept.
public import BridgecastCore
public import BridgecastSupport

extension JournalContents {
    /// Reads an export; at most one of its journeys may be under way.
    ///
    /// - Parameters:
    ///   - bytes: JSON if the first character is `{`, else CSV.
    ///   - now: No journey may have begun or ended later, and nothing may have been entered more than a day later.
    /// - Throws: `DocumentProblem` with line and field.
    /// - Complexity: O(n).
    public init(reading bytes: [UInt8], now: Timestamp) throws(DocumentProblem) {
        let first = bytes.first { ![9, 10, 13, 32].contains($0) }
        if first == UInt8(ascii: "{") {
            var reader = JournalJSONReader(bytes.span, now: now)
            self = try reader.contents(bytes.span)
        } else {
            self = JournalContents(journeys: try JournalCSVReader.journeys(of: bytes, now: now))
        }
        try Self.check(ids: journeys.map(\.id), of: "journeys")
        try Self.check(ids: favourites.map(\.id), of: "favourites")
        try Self.check(ids: reminders.map(\.id), of: "reminders")
        do {
            try FavouriteList.check(favourites)
        } catch {
            throw DocumentProblem("favourites", "\(error)")
        }
    }

    private static func check(ids: [String], of list: String) throws(DocumentProblem) {
        var seen: Set<String> = []
        for id in ids where !seen.insert(id).inserted {
            throw DocumentProblem(list, "id '\(id)' is there twice")
        }
    }
}

// MARK: - JSON

/// Reads the JSON document; it knows the line of every problem.
private struct JournalJSONReader {
    private let now: Timestamp
    private var cursor: JSONCursor

    private enum Name: String, CaseIterable, CodingKey, Sendable {
        case format, version, journeys, favourites, reminders
    }

    init(_ bytes: Span<UInt8>, now: Timestamp) {
        self.now = now
        cursor = JSONCursor(of: bytes)
    }

    mutating func contents(_ bytes: Span<UInt8>) throws(DocumentProblem) -> JournalContents {
        do {
            try checkVersion(bytes)
            cursor = JSONCursor(of: bytes)
            return try readContents(bytes)
        } catch let problem as DocumentProblem {
            throw problem
        } catch {
            throw problem(bytes, at: cursor.position, "not valid JSON there, or cut short")
        }
    }

    /// Goes through the document once: a newer version may have fields that this one does not know.
    private mutating func checkVersion(_ bytes: Span<UInt8>) throws {
        try cursor.skipBlanks(bytes)
        var format: String?
        var version: Int?
        var isFirst = true
        while let (slice, _) = try cursor.name(isFirst: isFirst, bytes) {
            isFirst = false
            let name = String(decoding: slice.range.map { bytes[$0] }, as: UTF8.self)
            let start = cursor.position
            try cursor.skipValue(bytes, depth: 1)
            let value = String(decoding: (start..<cursor.position).map { bytes[$0] }, as: UTF8.self)
            if name == Name.format.rawValue { format = value }
            if name == Name.version.rawValue { version = Int(value) }
        }
        guard try cursor.isOnlyBlankLeft(bytes) else { throw JSONReadingError.invalid }
        guard format == "\"\(JournalContents.format)\"" else {
            throw DocumentProblem("format", "is not \"\(JournalContents.format)\"")
        }
        guard let version, version >= 1 else {
            throw DocumentProblem("version", "should be 1 to \(JournalContents.version)")
        }
        guard version <= JournalContents.version else {
            throw DocumentProblem(
                "version", "\(version) is of a newer version of bridgecast; use that one")
        }
    }

    private mutating func readContents(_ bytes: Span<UInt8>) throws -> JournalContents {
        var contents = JournalContents()
        var names = FieldNameMatcher<Name>()
        names.begin()
        try cursor.skipBlanks(bytes)
        var isFirst = true
        while let name = try nextName(&names, isFirst: isFirst, bytes) {
            isFirst = false
            switch name {
            case .format, .version: try cursor.skipValue(bytes, depth: 1)
            case .journeys:
                var check = UnderWayCheck()
                contents.journeys = try list(of: JourneyField.self, bytes) { [now] entry in
                    let journey = try Journey(entry, now: now)
                    try check.add(journey)
                    return journey
                }
            case .favourites:
                contents.favourites = try list(of: FavouriteField.self, bytes) { [now] entry in
                    try Favourite(entry, now: now)
                }
            case .reminders:
                contents.reminders = try list(of: ReminderField.self, bytes) { try Reminder($0) }
            }
        }
        return contents
    }

    private mutating func nextName<Field: CodingKey & CaseIterable & Sendable>(
        _ names: inout FieldNameMatcher<Field>, isFirst: Bool, _ bytes: Span<UInt8>
    ) throws -> Field? {
        guard let (slice, hasEscapes) = try cursor.name(isFirst: isFirst, bytes) else {
            return nil
        }
        switch hasEscapes ? .unknown : names.match(slice, bytes) {
        case .field(let field): return field
        case .repeated: throw problem(bytes, of: slice, "is there twice")
        case .unknown: throw problem(bytes, of: slice, "is unknown")
        }
    }

    private func problem(
        _ bytes: Span<UInt8>, of name: FieldSlice, _ text: String
    ) -> DocumentProblem {
        let name = String(decoding: name.range.map { bytes[$0] }, as: UTF8.self)
        return problem(
            bytes, at: cursor.position, "field '\(printable(name, maxLength: 40))' \(text)")
    }

    private mutating func list<Field, Entry>(
        of fields: Field.Type, _ bytes: Span<UInt8>, _ make: (JournalEntry<Field>) throws -> Entry
    ) throws -> [Entry] where Field: CodingKey & CaseIterable & Hashable & Sendable {
        guard try cursor.take("[", bytes) else {
            throw problem(bytes, at: cursor.position, "should be a list")
        }
        var names = FieldNameMatcher<Field>()
        var entries: [Entry] = []
        while try cursor.hasElement(after: entries.count, bytes) {
            guard entries.count < JournalContents.maxEntries else {
                throw problem(
                    bytes, at: cursor.position, "more than \(JournalContents.maxEntries) entries")
            }
            let start = cursor.position
            names.begin()
            let entry = try entry(&names, bytes)
            do {
                entries.append(try make(entry))
            } catch let error as JournalEntryProblem<Field> {
                let position = error.field.flatMap { entry.values[$0]?.position } ?? start
                throw problem(
                    bytes, at: position,
                    (error.field.map { "\($0.stringValue): " } ?? "") + error.text)
            }
        }
        return entries
    }

    private mutating func entry<Field: CodingKey & CaseIterable & Hashable & Sendable>(
        _ names: inout FieldNameMatcher<Field>, _ bytes: Span<UInt8>
    ) throws -> JournalEntry<Field> {
        var entry = JournalEntry<Field>()
        var isFirst = true
        while let field = try nextName(&names, isFirst: isFirst, bytes) {
            isFirst = false
            let position = cursor.position
            if let text = try value(of: field.stringValue, bytes) {
                entry.values[field] = (text, position)
            }
        }
        return entry
    }

    /// A value as text, a list of texts joined by `+`; nil for null and for an empty text.
    private mutating func value(of field: String, _ bytes: Span<UInt8>) throws -> String? {
        let start = cursor.position
        switch try cursor.peek(bytes) {
        case UInt8(ascii: "\""):
            let text = try cursor.text(bytes)
            return text.isEmpty ? nil : text
        case UInt8(ascii: "["):
            cursor.position += 1
            var texts: [String] = []
            while try cursor.hasElement(after: texts.count, bytes) {
                texts.append(try cursor.text(bytes))
            }
            return texts.joined(separator: "+")
        case UInt8(ascii: "{"): throw problem(bytes, at: start, "\(field): must not be an object")
        default:
            if try cursor.isNull(bytes) { return nil }
            try cursor.skipValue(bytes, depth: 0)
            return String(decoding: (start..<cursor.position).map { bytes[$0] }, as: UTF8.self)
        }
    }

    private func problem(
        _ bytes: Span<UInt8>, at position: Int, _ text: String
    ) -> DocumentProblem {
        var there = cursor
        there.position = position
        return DocumentProblem("line \(there.location(bytes).line)", text)
    }
}

// MARK: - CSV

/// Reads journeys from CSV whose header names the fields, in any order.
private enum JournalCSVReader {
    static func journeys(of bytes: [UInt8], now: Timestamp) throws(DocumentProblem) -> [Journey] {
        var rows = CSVRows(bytes)
        var columns: [JourneyField]?
        var journeys: [Journey] = []
        var check = UnderWayCheck()
        while true {
            switch rows.next() {
            case .end:
                guard columns != nil else {
                    throw DocumentProblem("line 1", "the header is missing")
                }
                return journeys
            case .defect(let reason): throw DocumentProblem("line \(rows.line)", reason)
            case .row:
                let texts = try texts(of: rows)
                guard let columns else {
                    columns = try header(texts)
                    continue
                }
                guard journeys.count < JournalContents.maxEntries else {
                    throw DocumentProblem(
                        "line \(rows.line)", "more than \(JournalContents.maxEntries) journeys")
                }
                journeys.append(
                    try journey(texts, columns, line: rows.line, now: now, &check))
            }
        }
    }

    private static func texts(of rows: CSVRows) throws(DocumentProblem) -> [String] {
        let bytes = rows.bytes
        var texts: [String] = []
        for field in rows.fields {
            let content = field.range.map { bytes[$0] }
            guard let text = String(validating: content, as: UTF8.self) else {
                throw DocumentProblem("line \(rows.line)", "is not UTF-8")
            }
            texts.append(text)
        }
        return texts
    }

    private static func header(_ names: [String]) throws(DocumentProblem) -> [JourneyField] {
        var columns: [JourneyField] = []
        for name in names {
            guard let field = JourneyField(rawValue: name) else {
                throw DocumentProblem(
                    "line 1", "field '\(printable(name, maxLength: 40))' is unknown")
            }
            guard !columns.contains(field) else {
                throw DocumentProblem("line 1", "field '\(name)' is there twice")
            }
            columns.append(field)
        }
        return columns
    }

    private static func journey(
        _ texts: [String], _ columns: [JourneyField], line: Int, now: Timestamp,
        _ check: inout UnderWayCheck
    ) throws(DocumentProblem) -> Journey {
        guard texts.count == columns.count else {
            throw DocumentProblem(
                "line \(line)", "has \(texts.count) fields; the header has \(columns.count)")
        }
        var entry = JournalEntry<JourneyField>()
        for (field, text) in zip(columns, texts) where !text.isEmpty {
            entry.values[field] = (text, line)
        }
        do {
            let journey = try Journey(entry, now: now)
            try check.add(journey)
            return journey
        } catch {
            throw DocumentProblem(
                "line \(line)", (error.field.map { "\($0.rawValue): " } ?? "") + error.text)
        }
    }
}
