// A record as bytes, before anybody has understood it, and what its reader remembers of others.
internal import BridgecastCore

/// Where the fields of a record lie in the bytes of a window; a missing or empty field is absent.
struct RawRecord {
    private var slices: [FieldSlice] = Array(repeating: .absent, count: SDOTField.allCases.count)

    /// Creates a record without fields.
    init() {}

    subscript(field: SDOTField) -> FieldSlice? {
        let slice = slices[field.rawValue]
        return slice.start < slice.end ? slice : nil
    }

    /// The text from a field to one not far behind it, what stands between them included; nil if
    /// one is absent or they stand in another order.
    func stretch(from first: SDOTField, to last: SDOTField) -> FieldSlice? {
        guard let first = self[first], let last = self[last], first.end < last.start,
            last.end - first.start <= Self.longestStretch
        else { return nil }
        return FieldSlice(start: first.start, end: last.end)
    }

    private static let longestStretch = 160

    /// Takes over fields, blanks around them and the word "null" left out.
    mutating func set(_ fields: [FieldSlice], places: [Int?], _ bytes: Span<UInt8>) {
        for index in slices.indices { slices[index] = .absent }
        for index in fields.indices {
            guard let place = places[index] else { continue }
            slices[place] = Self.trimmed(fields[index], bytes)
        }
    }

    /// A slice as text.
    static func text(_ slice: FieldSlice, _ bytes: Span<UInt8>) -> String {
        String(decoding: slice.range.map { bytes[$0] }, as: UTF8.self)
    }

    @inline(__always)
    private static func trimmed(_ slice: FieldSlice, _ bytes: Span<UInt8>) -> FieldSlice {
        var slice = slice
        while slice.start < slice.end, isBlank(bytes[slice.start]) { slice.start += 1 }
        while slice.end > slice.start, isBlank(bytes[slice.end - 1]) { slice.end -= 1 }
        if slice.end - slice.start == 4, bytes[slice.start] | 32 == UInt8(ascii: "n"),
            text(slice, bytes).lowercased() == "null"
        {
            return .absent
        }
        return slice
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 }
}

/// Values by the text they were computed from; remembers one text in each of 64 places.
struct ByteMemo<Value> {
    private var entries: [(text: [UInt8], value: Value)?] = Array(repeating: nil, count: 64)

    /// The value of a text that is not empty, or nil if it is not remembered.
    func value(of slice: FieldSlice, _ bytes: Span<UInt8>) -> Value? {
        guard let entry = entries[place(of: slice, bytes)],
            entry.text.count == slice.end - slice.start,
            bytes.holds(entry.text.span, at: slice.start)
        else { return nil }
        return entry.value
    }

    mutating func remember(_ value: Value, of slice: FieldSlice, _ bytes: Span<UInt8>) {
        entries[place(of: slice, bytes)] = (slice.range.map { bytes[$0] }, value)
    }

    /// Names and coordinates differ in their last letters.
    private func place(of slice: FieldSlice, _ bytes: Span<UInt8>) -> Int {
        let (last, next) = (bytes[slice.end - 1], bytes[max(slice.start, slice.end - 2)])
        return Int((last ^ (next &* 8)) & 63)
    }
}

extension ByteMemo: Sendable where Value: Sendable {}

/// Resolves wall-clock times and remembers the offset of the last day without a clock change.
struct SeattleClock {
    /// The moments at which the wall clock showed a time: one, or two in the hour it repeats.
    struct Moments {
        let earlier: Timestamp
        let later: Timestamp

        var isRepeated: Bool { earlier != later }
    }

    private var day: CivilDate?
    private var midnight = Timestamp(secondsSinceEpoch: 0)
    /// The day as records write it, up to the T.
    private var dayText: [UInt8] = []

    /// The moments of a time in the city's own form, if it is of the day before; most records are.
    func moments(_ bytes: Span<UInt8>, _ slice: FieldSlice) -> Moments? {
        guard slice.end - slice.start == 23, dayText.count == 11,
            bytes.holds(dayText.span, at: slice.start),
            let second = TimeText.secondOfDay(bytes, slice.start + 11)
        else { return nil }
        let moment = midnight.adding(seconds: Int64(second))
        return Moments(earlier: moment, later: moment)
    }

    /// Remembers how the day of the last moments was written.
    mutating func remember(_ bytes: Span<UInt8>, _ slice: FieldSlice, _ civil: CivilDateTime) {
        guard slice.end - slice.start == 23, civil.date == day else { return }
        dayText = (slice.start..<slice.start + 11).map { bytes[$0] }
    }

    /// The moments of a civil time, or nil if the clock skipped it.
    mutating func moments(_ civil: CivilDateTime) -> Moments? {
        if civil.date == day {
            let moment = midnight.adding(seconds: Int64(civil.secondOfDay))
            return Moments(earlier: moment, later: moment)
        }
        let (start, next) = (
            SeattleTime.startOfDay(civil.date), SeattleTime.startOfDay(civil.date.adding(days: 1))
        )
        if next.secondsSinceEpoch - start.secondsSinceEpoch == 86_400 {
            (day, midnight, dayText) = (civil.date, start, [])
            return moments(civil)
        }
        let candidates = SeattleTime.resolve(civil).candidates
        guard let earlier = candidates.first, let later = candidates.last else { return nil }
        return Moments(earlier: earlier, later: later)
    }
}
