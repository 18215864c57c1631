// Reads a journal's document, JSON or CSV: all of it is checked before anything is kept.
public import BridgecastCore
public import BridgecastSupport

extension JournalContents {
    /// Reads an export; see ``JournalDocument/init(reading:now:)``.
    ///
    /// - Throws: `DocumentProblem` with line and field.
    public init(reading bytes: [UInt8], now: Timestamp) throws(DocumentProblem) {
        self = try JournalDocument(reading: bytes, now: now).contents
    }
}

/// The document of a journal, with where its favourites and reminders are.
public struct JournalDocument: Sendable {
    /// What is in it.
    public let contents: JournalContents
    private let bytes: [UInt8]
    /// Where entries begin in ``bytes``; of journeys none.
    private let positions: [JournalConflict.Entry: Int]

    /// Reads an export; at most one of its journeys may be under way.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8, which may begin with a byte order mark: JSON if the first character is `{`, else CSV.
    ///   - now: No journey may have begun or ended later, and nothing may have been entered more than a day later.
    /// - Throws: `DocumentProblem` with line and field.
    /// - Complexity: O(n).
    public init(reading bytes: [UInt8], now: Timestamp) throws(DocumentProblem) {
        guard !ByteOrderMark.isUTF16(bytes) else {
            throw DocumentProblem("", ByteOrderMark.utf16Problem)
        }
        let text = Array(bytes.dropFirst(ByteOrderMark.utf8Length(bytes)))
        let first = text.first { ![9, 10, 13, 32].contains($0) }
        if first == UInt8(ascii: "{") {
            var reader = JournalJSONReader(text.span, now: now)
            contents = try reader.contents(text.span)
            positions = reader.positions
        } else {
            contents = JournalContents(
                journeys: try JournalCSVReader.journeys(of: text, now: now))
            positions = [:]
        }
        self.bytes = text
        try Self.check(contents)
    }

    private static func check(_ contents: JournalContents) throws(DocumentProblem) {
        try check(ids: contents.journeys.map(\.id), of: "journeys")
        try check(ids: contents.favourites.map(\.id), of: "favourites")
        try check(ids: contents.reminders.map(\.id), of: "reminders")
        do {
            try FavouriteList.check(contents.favourites)
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

    /// A conflict with a journal that the document was to be added to, with the line of the entry.
    public func problem(of conflict: JournalConflict) -> DocumentProblem {
        guard let position = positions[conflict.entry] else {
            return DocumentProblem(conflict.entry.list, conflict.text)
        }
        let reader = VersionedReader(bytes.span)
        return reader.problem(bytes.span, at: position, conflict.text)
    }
}

/// Why an entry of a document cannot be added to a journal.
public struct JournalConflict: Error, Equatable {
    /// An entry of a document.
    public enum Entry: Hashable, Sendable {
        /// The favourite of an id.
        case favourite(String)
        /// The reminder of an id.
        case reminder(String)

        /// The name of its list.
        fileprivate var list: String {
            switch self {
            case .favourite: "favourites"
            case .reminder: "reminders"
            }
        }
    }

    /// The entry.
    public let entry: Entry
    /// What is wrong and what to do.
    public let text: String
}

// MARK: - JSON

/// Reads the JSON document.
private struct JournalJSONReader {
    private let now: Timestamp
    private var reader: VersionedReader
    /// Where favourites and reminders begin.
    private(set) var positions: [JournalConflict.Entry: Int] = [:]

    private enum Name: String, CaseIterable, CodingKey, Sendable {
        case format, version, journeys, favourites, reminders
    }

    init(_ bytes: Span<UInt8>, now: Timestamp) {
        self.now = now
        reader = VersionedReader(bytes)
    }

    mutating func contents(_ bytes: Span<UInt8>) throws(DocumentProblem) -> JournalContents {
        do {
            try reader.checkVersion(
                bytes, format: JournalContents.format, newest: JournalContents.version)
            return try readContents(bytes)
        } catch {
            throw reader.documentProblem(bytes, error)
        }
    }

    private mutating func readContents(_ bytes: Span<UInt8>) throws -> JournalContents {
        var contents = JournalContents()
        var positions: [JournalConflict.Entry: Int] = [:]
        defer { self.positions = positions }
        var names = FieldNameMatcher<Name>()
        names.begin()
        var isFirst = true
        let max = JournalContents.maxEntries
        while let name = try reader.nextName(&names, isFirst: isFirst, bytes) {
            isFirst = false
            switch name {
            case .format, .version: try reader.cursor.skipValue(bytes, depth: 1)
            case .journeys:
                var check = UnderWayCheck()
                contents.journeys = try reader.list(of: JourneyField.self, bytes, max: max) {
                    [now] entry in
                    let journey = try Journey(entry, now: now)
                    try check.add(journey)
                    return journey
                }
            case .favourites:
                contents.favourites = try reader.list(of: FavouriteField.self, bytes, max: max) {
                    [now] entry in
                    let favourite = try Favourite(entry, now: now)
                    positions[.favourite(favourite.id)] = entry.position
                    return favourite
                }
            case .reminders:
                contents.reminders = try reader.list(of: ReminderField.self, bytes, max: max) {
                    entry in
                    let reminder = try Reminder(entry)
                    positions[.reminder(reminder.id)] = entry.position
                    return reminder
                }
            }
        }
        return contents
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
            entry.values[field] = JournalValue(text: text, position: line, form: nil)
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
