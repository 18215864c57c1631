// A JSON array of flat objects from bytes, one object at a time, in memory that does not grow; used by RecordReader,
// SODAPage and TrafficFile.

/// Reads the scalar fields of each object of an array; what stands deeper is checked and skipped.
///
/// Our own, because Foundation's decoder holds a whole document in memory, several times its size,
/// and takes ten times as long; a year of records is read in one go and sync pages come by the dozen.
/// The grammar is RFC 8259's, nesting at most ``mostDepth`` deep.
struct JSONRecordScanner {
    /// The wanted fields of the last object: text, or the spelling of a number; absent if null,
    /// missing, `true`, `false` or a container.
    private(set) var fields: [FieldSlice]
    /// Number of the last entry, from 1.
    private(set) var number = 0

    /// The field of each name met so far, in the spelling of the text.
    private var known: [(name: [UInt8], field: Int?)] = []
    private var expectedName = 0
    private let field: (String) -> Int?
    /// Fields of the last object whose text holds escapes.
    private var escaped: [Int] = []
    private var isOpen = false

    /// Deeper nesting is refused.
    static let mostDepth = 32
    private static let longestEntryBytes = 1 << 20
    private static let mostNames = 256

    /// What a step came to.
    enum Step: Equatable {
        /// An object.
        case record
        /// An entry that is no object.
        case noObject
        case end
    }

    /// - Parameters:
    ///   - fieldCount: Fields that are wanted.
    ///   - field: The place of a field by its name, or nil if it is not wanted.
    init(fieldCount: Int, field: @escaping (String) -> Int?) {
        fields = Array(repeating: .absent, count: fieldCount)
        self.field = field
    }

    /// Reads the next entry; the window is moved behind it.
    ///
    /// - Throws: ``DocumentError`` if the text is no JSON array, or is cut short.
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
            } catch JSONStop.incomplete where !window.isAtEnd {
                guard window.end - window.start <= Self.longestEntryBytes else {
                    throw window.error("entry \(number + 1) is longer than a mebibyte")
                }
                try window.refill()
            } catch {
                throw window.error(
                    "not valid JSON, or cut short: an array of records was expected")
            }
        }
    }

    /// The step from the cursor on; nothing but the fields is changed unless it succeeds.
    private mutating func entry(
        _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
    ) throws(JSONStop) -> Step {
        try cursor.skipBlanks(bytes)
        let isFirst = !isOpen
        if isFirst {
            try cursor.expect("[", bytes)
            try cursor.skipBlanks(bytes)
        }
        if try cursor.take("]", bytes) {
            guard try cursor.isOnlyBlankLeft(bytes) else { throw .invalid }
            return .end
        }
        if !isFirst {
            try cursor.expect(",", bytes)
            try cursor.skipBlanks(bytes)
        }
        let isObject = try cursor.take("{", bytes)
        if isObject {
            try object(bytes, &cursor)
        } else {
            try cursor.skipValue(bytes, depth: 1)
        }
        isOpen = true
        number += 1
        return isObject ? .record : .noObject
    }

    private mutating func object(
        _ bytes: Span<UInt8>, _ cursor: inout JSONCursor
    ) throws(JSONStop) {
        for index in fields.indices { fields[index] = .absent }
        escaped.removeAll(keepingCapacity: true)
        try cursor.skipBlanks(bytes)
        if try cursor.take("}", bytes) { return }
        while true {
            try cursor.skipBlanks(bytes)
            let (name, _) = try cursor.string(bytes)
            try cursor.skipBlanks(bytes)
            try cursor.expect(":", bytes)
            try cursor.skipBlanks(bytes)
            try value(bytes, &cursor, of: place(of: name, bytes))
            try cursor.skipBlanks(bytes)
            if try cursor.take("}", bytes) { return }
            try cursor.expect(",", bytes)
        }
    }

    private mutating func value(
        _ bytes: Span<UInt8>, _ cursor: inout JSONCursor, of place: Int?
    ) throws(JSONStop) {
        let start = cursor.position
        switch try cursor.peek(bytes) {
        case UInt8(ascii: "\""):
            let (slice, hasEscapes) = try cursor.string(bytes)
            guard let place else { return }
            fields[place] = slice
            if hasEscapes { escaped.append(place) }
        case UInt8(ascii: "-"), 48...57:
            try cursor.number(bytes)
            if let place { fields[place] = FieldSlice(start: start, end: cursor.position) }
        default:
            try cursor.skipValue(bytes, depth: 2)
            if let place { fields[place] = .absent }
        }
    }

    /// The field with a name; names usually come in the order of the object before.
    private mutating func place(of name: FieldSlice, _ bytes: Span<UInt8>) -> Int? {
        for offset in known.indices {
            let index = (expectedName + offset) % known.count
            if Self.isEqual(known[index].name, name, bytes) {
                expectedName = index + 1
                return known[index].field
            }
        }
        let spelling = name.range.map { bytes[$0] }
        let place = field(String(decoding: spelling, as: UTF8.self))
        if known.count < Self.mostNames { known.append((spelling, place)) }
        return place
    }

    private static func isEqual(
        _ name: [UInt8], _ slice: FieldSlice, _ bytes: Span<UInt8>
    ) -> Bool {
        guard name.count == slice.end - slice.start else { return false }
        for index in name.indices where name[index] != bytes[slice.start + index] { return false }
        return true
    }

    private mutating func decodeEscapes(_ window: inout TextWindow) throws(JSONStop) {
        for place in escaped {
            let text = try JSONCursor.decoded(window.bytes[fields[place].range])
            let range = window.rewrite(fields[place].range, as: text)
            fields[place] = FieldSlice(start: range.lowerBound, end: range.upperBound)
        }
    }
}
