// The names of an object's fields in bytes; what OwnRoutesReader and ForecastRowsReader tell fields apart by.

/// The fields that an object of ours may have, and which of them stood in the one at hand.
struct OwnNames<Name: CodingKey & CaseIterable & Sendable> {
    private let names: [(name: Name, bytes: [UInt8])]
    /// Objects mostly have their fields in one order: the one that should come next.
    private var expected = 0
    /// A bit for each that has stood there.
    private var found: UInt64 = 0
    /// Whether the object at hand has a field yet.
    private var isFirst = true

    init() { names = Name.allCases.map { ($0, Array($0.stringValue.utf8)) } }

    /// Forgets what stood in the object before.
    mutating func begin() { (expected, found, isFirst) = (0, 0, true) }

    /// Goes to the value of the next field; nil behind the last.
    ///
    /// A name that is none of the object's, has escapes or stands in it twice is invalid.
    mutating func next(
        _ cursor: inout JSONCursor, _ bytes: Span<UInt8>
    ) throws(JSONStop) -> Name? {
        guard let (slice, hasEscapes) = try cursor.name(isFirst: isFirst, bytes) else { return nil }
        isFirst = false
        guard !hasEscapes, case .field(let name) = take(slice, bytes) else { throw .invalid }
        return name
    }

    /// What a name stands for.
    enum Found {
        /// A field that the object at hand did not have yet.
        case field(Name)
        /// One that it had.
        case again
        case unknown
    }

    /// What a name without escapes stands for; a field then counts as one that the object has.
    mutating func take(_ slice: FieldSlice, _ bytes: Span<UInt8>) -> Found {
        for offset in names.indices {
            let sum = expected + offset
            let index = sum < names.count ? sum : sum - names.count
            let (name, spelling) = names[index]
            guard spelling.count == slice.end - slice.start,
                bytes.holds(spelling.span, at: slice.start)
            else { continue }
            let bit: UInt64 = 1 << UInt64(index)
            guard found & bit == 0 else { return .again }
            (found, expected) = (found | bit, index + 1 < names.count ? index + 1 : 0)
            return .field(name)
        }
        return .unknown
    }
}
