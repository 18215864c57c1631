// Reads JSON documents that name their format and its version: entries of fields as texts, and the line of every problem.
import BridgecastSupport

/// A cursor in a document of ours, with what all of them have in common.
struct VersionedReader {
    var cursor: JSONCursor
    /// What is wrong with a field that is none.
    var unknownText = "is unknown"

    init(_ bytes: Span<UInt8>) { cursor = JSONCursor(of: bytes) }

    /// Goes through the document once and back to its start: a newer version may have fields that this one does not know.
    mutating func checkVersion(
        _ bytes: Span<UInt8>, format expected: String, newest: Int
    ) throws {
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
            if name == "format" { format = value }
            if name == "version" { version = Int(value) }
        }
        guard try cursor.isOnlyBlankLeft(bytes) else { throw JSONReadingError.invalid }
        guard format == "\"\(expected)\"" else {
            throw DocumentProblem("format", "is not \"\(expected)\"")
        }
        guard let version, version >= 1 else {
            throw DocumentProblem("version", "should be 1 to \(newest)")
        }
        guard version <= newest else {
            throw DocumentProblem(
                "version", "\(version) is of a newer version of bridgecast; use that one")
        }
        cursor = JSONCursor(of: bytes)
        try cursor.skipBlanks(bytes)
    }

    mutating func nextName<Field: CodingKey & CaseIterable & Sendable>(
        _ names: inout FieldNameMatcher<Field>, isFirst: Bool, _ bytes: Span<UInt8>
    ) throws -> Field? {
        guard let (slice, hasEscapes) = try cursor.name(isFirst: isFirst, bytes) else {
            return nil
        }
        switch hasEscapes ? .unknown : names.match(slice, bytes) {
        case .field(let field): return field
        case .repeated: throw problem(bytes, of: slice, "is there twice")
        case .unknown: throw problem(bytes, of: slice, unknownText)
        }
    }

    private func problem(
        _ bytes: Span<UInt8>, of name: FieldSlice, _ text: String
    ) -> DocumentProblem {
        let name = String(decoding: name.range.map { bytes[$0] }, as: UTF8.self)
        return problem(
            bytes, at: cursor.position, "field '\(printable(name, maxLength: 40))' \(text)")
    }

    mutating func list<Field, Entry>(
        of fields: Field.Type, _ bytes: Span<UInt8>, max: Int,
        _ make: (JournalEntry<Field>) throws -> Entry
    ) throws -> [Entry] where Field: CodingKey & CaseIterable & Hashable & Sendable {
        guard try cursor.take("[", bytes) else {
            throw problem(bytes, at: cursor.position, "should be a list")
        }
        var names = FieldNameMatcher<Field>()
        var entries: [Entry] = []
        while try cursor.hasElement(after: entries.count, bytes) {
            guard entries.count < max else {
                throw problem(bytes, at: cursor.position, "more than \(max) entries")
            }
            let start = cursor.position
            names.begin()
            var entry = try entry(&names, bytes)
            entry.position = start
            do {
                entries.append(try make(entry))
            } catch let error as JournalEntryProblem<Field> {
                throw problem(bytes, with: error, of: entry, beginning: start)
            }
        }
        return entries
    }

    mutating func entry<Field: CodingKey & CaseIterable & Hashable & Sendable>(
        _ names: inout FieldNameMatcher<Field>, _ bytes: Span<UInt8>
    ) throws -> JournalEntry<Field> {
        var entry = JournalEntry<Field>()
        var isFirst = true
        while let field = try nextName(&names, isFirst: isFirst, bytes) {
            isFirst = false
            entry.values[field] = try value(of: field.stringValue, bytes)
        }
        return entry
    }

    /// A value; nil for null.
    private mutating func value(of field: String, _ bytes: Span<UInt8>) throws -> JournalValue? {
        let start = cursor.position
        switch try cursor.peek(bytes) {
        case UInt8(ascii: "\""):
            return JournalValue(text: try cursor.text(bytes), position: start, form: .text)
        case UInt8(ascii: "["):
            cursor.position += 1
            var texts: [String] = []
            while try cursor.hasElement(after: texts.count, bytes) {
                texts.append(try cursor.text(bytes))
            }
            return JournalValue(
                text: texts.joined(separator: "+"), position: start, form: .list)
        case UInt8(ascii: "{"): throw problem(bytes, at: start, "\(field): must not be an object")
        default:
            if try cursor.isNull(bytes) { return nil }
            try cursor.skipValue(bytes, depth: 0)
            let text = String(decoding: (start..<cursor.position).map { bytes[$0] }, as: UTF8.self)
            return JournalValue(text: text, position: start, form: .literal)
        }
    }

    // MARK: Problems

    func problem(_ bytes: Span<UInt8>, at position: Int, _ text: String) -> DocumentProblem {
        var there = cursor
        there.position = position
        return DocumentProblem("line \(there.location(bytes).line)", text)
    }

    private func problem<Field>(
        _ bytes: Span<UInt8>, with error: JournalEntryProblem<Field>, of entry: JournalEntry<Field>,
        beginning start: Int
    ) -> DocumentProblem {
        problem(
            bytes, at: error.field.flatMap { entry.values[$0]?.position } ?? start,
            (error.field.map { "\($0.stringValue): " } ?? "") + error.text)
    }

    /// What reading threw, as a problem of the document.
    func documentProblem(_ bytes: Span<UInt8>, _ error: any Error) -> DocumentProblem {
        error as? DocumentProblem
            ?? problem(bytes, at: cursor.position, "not valid JSON there, or cut short")
    }
}

// MARK: - Flat documents

extension VersionedReader {
    /// Reads a document that is one object of texts, numbers and flags.
    ///
    /// - Parameters:
    ///   - unknownText: See ``unknownText``.
    ///   - make: Makes its content of its fields; what it throws gets the line of its field.
    /// - Throws: `DocumentProblem`.
    static func content<Field, Content>(
        of document: [UInt8], format: String, newestVersion: Int, unknownText: String? = nil,
        _ make: (JournalEntry<Field>) throws(JournalEntryProblem<Field>) -> Content
    ) throws(DocumentProblem) -> Content
    where Field: CodingKey & CaseIterable & Hashable & Sendable {
        let bytes = document.span
        var reader = VersionedReader(bytes)
        if let unknownText { reader.unknownText = unknownText }
        do {
            try reader.checkVersion(bytes, format: format, newest: newestVersion)
            var names = FieldNameMatcher<Field>()
            names.begin()
            let start = reader.cursor.position
            let entry = try reader.entry(&names, bytes)
            do throws(JournalEntryProblem<Field>) {
                return try make(entry)
            } catch {
                throw reader.problem(bytes, with: error, of: entry, beginning: start)
            }
        } catch {
            throw reader.documentProblem(bytes, error)
        }
    }
}
