internal import BridgecastSupport

/// Reads the scalar fields of each object of an array, or of objects one a line; nested values are checked and skipped.
///
/// Foundation's decoder holds the whole document in memory, several times its size, and takes ten times as long.
/// The grammar is RFC 8259's, nesting at most ``JSONCursor/maxNestingDepth`` deep.
struct JSONRecordScanner {
    /// The wanted fields of the last object: text, or the spelling of a number; absent if null,
    /// missing, `true`, `false` or a container.
    private(set) var fields: [FieldSlice]
    /// Number of the last entry, from 1.
    private(set) var number = 0

    /// The field of each name so far, in the spelling of the text.
    private var known: [(name: [UInt8], field: Int?)] = []
    private var expectedName = 0
    private let field: (String) -> Int?
    private let areLines: Bool
    /// Fields of the last object whose text has escapes.
    private var escaped: [Int] = []

    private static let maxEntryBytes = 1 << 20
    private static let maxNames = 256

    enum Step: Equatable {
        /// An object.
        case record
        /// An entry that is not an object.
        case noObject
        case end
    }

    /// - Parameters:
    ///   - fieldCount: The number of wanted fields.
    ///   - areLines: Whether the text is NDJSON, not an array.
    ///   - field: The index of a field by its name, or nil if it is not wanted.
    init(fieldCount: Int, areLines: Bool = false, field: @escaping (String) -> Int?) {
        fields = Array(repeating: .absent, count: fieldCount)
        self.field = field
        self.areLines = areLines
    }

    /// Reads the next entry; the window is moved past it.
    ///
    /// - Throws: ``DocumentError`` if the text is not a JSON array, or not NDJSON, or is cut short.
    mutating func next(_ window: inout TextWindow) throws(DocumentError) -> Step {
        while true {
            do {
                var cursor = JSONCursor(
                    position: window.start, end: window.end, isAtEnd: window.isAtEnd)
                escaped.removeAll(keepingCapacity: true)
                let step = try entry(window.bytes.span, &cursor)
                try decodeEscapes(&window)
                window.consume(to: cursor.position)
                return step
            } catch JSONReadingError.incomplete where !window.isAtEnd {
                guard window.end - window.start <= Self.maxEntryBytes else {
                    throw window.error("entry \(number + 1) is longer than a mebibyte")
                }
                try window.refill()
            } catch {
                throw window.error(
                    "not valid JSON, or cut short: "
                        + (areLines ? "objects, one a line," : "an array of records")
                        + " was expected", at: "record \(number + 1)")
            }
        }
    }

    /// The step that starts at the cursor; only the fields are changed unless it succeeds.
    private mutating func entry(
        _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
    ) throws(JSONReadingError) -> Step {
        guard try hasEntry(bytes, &cursor) else {
            guard try cursor.isOnlyBlankLeft(bytes) else { throw .invalid }
            return .end
        }
        let isObject = try cursor.peek(bytes) == UInt8(ascii: "{")
        if isObject {
            try object(bytes, &cursor)
        } else {
            try cursor.skipValue(bytes, depth: 1)
        }
        number += 1
        return isObject ? .record : .noObject
    }

    /// Moves to the next entry; false after the last.
    private func hasEntry(
        _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
    ) throws(JSONReadingError) -> Bool {
        if areLines, try cursor.isOnlyBlankLeft(bytes) { return false }
        try cursor.skipBlanks(bytes)
        if areLines { return true }
        if number == 0 { try cursor.expect("[", bytes) }
        return try cursor.hasElement(after: number, bytes)
    }

    private mutating func object(
        _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
    ) throws(JSONReadingError) {
        for index in fields.indices { fields[index] = .absent }
        escaped.removeAll(keepingCapacity: true)
        var isFirst = true
        while let name = try cursor.name(isFirst: isFirst, bytes) {
            isFirst = false
            try value(bytes, &cursor, of: fieldIndex(of: name.slice, bytes))
        }
    }

    private mutating func value(
        _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, of field: Int?
    ) throws(JSONReadingError) {
        let start = cursor.position
        switch try cursor.peek(bytes) {
        case UInt8(ascii: "\""):
            let (slice, hasEscapes) = try cursor.string(bytes)
            guard let field else { return }
            fields[field] = slice
            if hasEscapes { escaped.append(field) }
        case UInt8(ascii: "-"), 48...57:
            try cursor.number(bytes)
            if let field { fields[field] = FieldSlice(start: start, end: cursor.position) }
        default:
            try cursor.skipValue(bytes, depth: 2)
            if let field { fields[field] = .absent }
        }
    }

    /// The index of the field with a name; names are mostly in the order of the previous object.
    private mutating func fieldIndex(of name: FieldSlice, _ bytes: Span<UInt8>) -> Int? {
        for offset in known.indices {
            let index = (expectedName + offset) % known.count
            let spelling = known[index].name
            if spelling.count == name.end - name.start, bytes.holds(spelling.span, at: name.start) {
                expectedName = index + 1
                return known[index].field
            }
        }
        let spelling = name.range.map { bytes[$0] }
        let index = field(String(decoding: spelling, as: UTF8.self))
        if known.count < Self.maxNames { known.append((spelling, index)) }
        return index
    }

    private mutating func decodeEscapes(_ window: inout TextWindow) throws(JSONReadingError) {
        for field in escaped {
            let text = try JSONCursor.decoded(window.bytes[fields[field].range])
            let range = window.rewrite(fields[field].range, as: text)
            fields[field] = FieldSlice(start: range.lowerBound, end: range.upperBound)
        }
    }
}
