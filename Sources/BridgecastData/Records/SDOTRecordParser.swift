internal import BridgecastCore
internal import BridgecastSupport

/// Turns raw records into openings, or throws why not.
///
/// It caches what it has parsed, because records repeat a handful of names and coordinates and are mostly in the order
/// of days.
struct SDOTRecordParser {
    /// Later times are rejected.
    let now: Timestamp

    /// Bridges by the text of type, name and id.
    private var bridges = FieldCache<BridgeIndex>()
    /// Bridges near a latitude and a longitude, a bit each, by the text of both.
    private var nearbyBridges = FieldCache<UInt32>()
    private var clock = SeattleClock()

    private static let maxSeconds: Int64 = 86_400
    private static let maxKilometres = 2.0
    private static let clockToleranceSeconds: Int64 = 300

    init(now: Timestamp) { self.now = now }

    mutating func parse(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>
    ) throws(RecordDefect) -> (opening: Opening, flags: RecordFlagSet) {
        let bridge = try bridge(record, bytes)
        try checkCoordinates(record, bytes, near: bridge)
        let minutes = number(record[.minutesopen], bytes)
        let (start, end, isRepeated) = try times(record, bytes, minutes: minutes)
        let opening = Opening(bridge: bridge, start: start, end: end)
        return (opening, RecordFlagSet(opening, minutes: minutes, isRepeated: isRepeated))
    }

    @inline(__always)
    private mutating func bridge(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>
    ) throws(RecordDefect) -> BridgeIndex {
        let stretch = record.stretch(from: .entitytype, over: .entityname, to: .entityid)
        if let stretch, let bridge = bridges.value(of: stretch, bytes) { return bridge }
        let bridge = try parsedBridge(record, bytes)
        if let stretch { bridges.insert(bridge, of: stretch, bytes) }
        return bridge
    }

    private func parsedBridge(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>
    ) throws(RecordDefect) -> BridgeIndex {
        let type = text(.entitytype, of: record, bytes)
        if let type, type.lowercased() != "bridge" {
            throw defect(.notABridge, .entitytype, of: record, bytes)
        }
        let number = text(.entityid, of: record, bytes).flatMap { Double($0) }.flatMap {
            Int(exactly: $0)
        }
        let byID = number.flatMap { BridgeCatalogue.index(of: BridgeID($0)) }
        let byName = text(.entityname, of: record, bytes).flatMap {
            BridgeCatalogue.index(named: $0)
        }
        if record[.entityid] != nil, byID == nil {
            throw defect(.unknownBridge, .entityid, of: record, bytes)
        }
        if record[.entityname] != nil, byName == nil {
            throw defect(.unknownBridge, .entityname, of: record, bytes)
        }
        if let byID, let byName, byID != byName {
            throw defect(.contradictoryBridge, .entityname, of: record, bytes)
        }
        guard let bridge = byID ?? byName else {
            throw defect(.unknownBridge, .entityid, of: record, bytes)
        }
        return bridge
    }

    private func text(
        _ field: SDOTField, of record: borrowing RawRecord, _ bytes: Span<UInt8>
    ) -> String? {
        record[field].map { RawRecord.text($0, bytes) }
    }

    @inline(__always)
    private mutating func checkCoordinates(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>, near bridge: BridgeIndex
    ) throws(RecordDefect) {
        let stretch = record.stretch(from: .latitude, to: .longitude)
        if let stretch, let near = nearbyBridges.value(of: stretch, bytes),
            near & 1 << bridge.rawValue != 0
        {
            return
        }
        let latitude = try coordinate(.latitude, of: record, bytes, near: bridge)
        let longitude = try coordinate(.longitude, of: record, bytes, near: bridge)
        if let stretch, let latitude, let longitude {
            let near = BridgeIndex.all.filter {
                isNear($0, latitude, .latitude) && isNear($0, longitude, .longitude)
            }
            nearbyBridges.insert(near.reduce(0) { $0 | 1 << $1.rawValue }, of: stretch, bytes)
        }
    }

    private func coordinate(
        _ field: SDOTField, of record: borrowing RawRecord, _ bytes: Span<UInt8>,
        near bridge: BridgeIndex
    ) throws(RecordDefect) -> Double? {
        guard let slice = record[field] else { return nil }
        guard let value = Double(RawRecord.text(slice, bytes)), isNear(bridge, value, field) else {
            throw defect(.implausibleLocation, field, of: record, bytes)
        }
        return value
    }

    private func isNear(_ bridge: BridgeIndex, _ value: Double, _ field: SDOTField) -> Bool {
        let expected = (field == .latitude ? Self.latitude : Self.longitude)[bridge.rawValue]
        let kilometresPerDegree = field == .latitude ? 111.2 : 75.0
        return abs(value - expected) * kilometresPerDegree <= Self.maxKilometres
    }

    private static let latitude = BridgeCatalogue.seattle.map(\.latitude)
    private static let longitude = BridgeCatalogue.seattle.map(\.longitude)

    @inline(__always)
    private mutating func times(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>, minutes: Double?
    ) throws(RecordDefect) -> (start: Timestamp, end: Timestamp?, isRepeated: Bool) {
        let starts = resolved(
            try times(of: record, .opendatetime, bytes, ifMissing: .missingOpenTime), by: .openedAt,
            of: record, bytes)
        try checkNotFuture(starts.earlier, .opendatetime, of: record, bytes)
        guard starts.earlier >= .earliestPlausible else {
            throw defect(.tooEarly, .opendatetime, of: record, bytes)
        }
        guard record[.closedatetime] != nil else {
            return (starts.earlier, nil, starts.isRepeated)
        }
        let ends = resolved(
            try times(of: record, .closedatetime, bytes, ifMissing: .unreadableTime), by: .closedAt,
            of: record, bytes)
        guard let best = bestPair(starts, ends, minutes: minutes) else {
            throw defect(.closesBeforeOpening, .closedatetime, of: record, bytes)
        }
        try checkNotFuture(best.end, .closedatetime, of: record, bytes)
        guard best.end.secondsSinceEpoch - best.start.secondsSinceEpoch <= Self.maxSeconds else {
            throw defect(.implausiblyLong, .closedatetime, of: record, bytes)
        }
        return (best.start, best.end, starts.isRepeated || ends.isRepeated)
    }

    /// The one or two times that a field can mean.
    @inline(__always)
    private mutating func times(
        of record: borrowing RawRecord, _ field: SDOTField, _ bytes: Span<UInt8>,
        ifMissing missing: RecordRejection
    ) throws(RecordDefect) -> SeattleClock.Times {
        guard let slice = record[field] else { throw defect(missing, field, of: record, bytes) }
        if let times = clock.times(bytes, slice) { return times }
        return try parsedTimes(of: record, field, slice, bytes)
    }

    /// Of the two times in a repeated hour the one that a field states with its offset, as exports do.
    @inline(__always)
    private func resolved(
        _ times: SeattleClock.Times, by field: SDOTField, of record: borrowing RawRecord,
        _ bytes: Span<UInt8>
    ) -> SeattleClock.Times {
        guard times.isRepeated, let text = text(field, of: record, bytes),
            let time = try? TimeText.parse(text), [times.earlier, times.later].contains(time)
        else { return times }
        return SeattleClock.Times(earlier: time, later: time)
    }

    private mutating func parsedTimes(
        of record: borrowing RawRecord, _ field: SDOTField, _ slice: FieldSlice,
        _ bytes: Span<UInt8>
    ) throws(RecordDefect) -> SeattleClock.Times {
        let civil =
            TimeText.parseFloating(bytes, slice.range)
            ?? PortalTime.parse(RawRecord.text(slice, bytes))
        guard let civil else { throw defect(.unreadableTime, field, of: record, bytes) }
        guard let times = clock.times(civil) else {
            throw defect(.nonexistentTime, field, of: record, bytes)
        }
        clock.cacheDay(bytes, slice, civil)
        return times
    }

    private func checkNotFuture(
        _ time: Timestamp, _ field: SDOTField, of record: borrowing RawRecord, _ bytes: Span<UInt8>
    ) throws(RecordDefect) {
        guard time <= now.adding(seconds: Self.clockToleranceSeconds) else {
            throw defect(.inTheFuture, field, of: record, bytes)
        }
    }

    /// In a repeated hour, the pair of times whose length fits `minutesopen` best; without it, or with a tie, the
    /// shortest, then the earliest.
    private func bestPair(
        _ starts: SeattleClock.Times, _ ends: SeattleClock.Times, minutes: Double?
    ) -> (start: Timestamp, end: Timestamp)? {
        if !starts.isRepeated, !ends.isRepeated {
            return ends.earlier >= starts.earlier ? (starts.earlier, ends.earlier) : nil
        }
        var best: (start: Timestamp, end: Timestamp, misfit: Double)?
        for start in [starts.earlier, starts.later] {
            for end in [ends.earlier, ends.later] where end >= start {
                let length = end.minutes(since: start)
                let misfit = minutes.map { abs(length - $0) } ?? length
                if best.map({ misfit < $0.misfit }) ?? true { best = (start, end, misfit) }
            }
        }
        return best.map { ($0.start, $0.end) }
    }

    /// A number; nearly always one or two digits.
    @inline(__always)
    private func number(_ slice: FieldSlice?, _ bytes: Span<UInt8>) -> Double? {
        guard let slice else { return nil }
        return bytes.wholeNumber(slice.range).map(Double.init)
            ?? Double(RawRecord.text(slice, bytes))
    }

    private func defect(
        _ rejection: RecordRejection, _ field: SDOTField, of record: borrowing RawRecord,
        _ bytes: Span<UInt8>
    ) -> RecordDefect {
        RecordDefect(
            rejection: rejection, field: field.name, value: text(field, of: record, bytes) ?? "")
    }
}

// MARK: - Fields

/// The columns of data set gm8h-9449, the two system fields that SODA adds on request, and what exports add.
enum SDOTField: Int, CaseIterable {
    case entitytype, entityname, entityid, opendatetime, closedatetime, minutesopen
    case latitude, longitude
    case rowID, updatedAt
    case openedAt, closedAt

    static let required: [SDOTField] = [.opendatetime, .closedatetime]

    var name: String {
        switch self {
        case .rowID: ":id"
        case .updatedAt: ":updated_at"
        case .openedAt: "opened_at"
        case .closedAt: "closed_at"
        default: "\(self)"
        }
    }

    /// The column with a header; case, spaces and underscores do not matter.
    init?(header: String) {
        if let system = [Self.rowID, .updatedAt].first(where: { $0.name == header }) {
            self = system
            return
        }
        let letters = foldedName(header)
        let exported: [String: Self] = ["openedat": .openedAt, "closedat": .closedAt]
        guard let field = exported[letters] ?? Self.allCases.first(where: { $0.name == letters })
        else { return nil }
        self = field
    }
}

/// The fields of a record as slices of the bytes of a window; a missing or empty field is absent.
///
/// It is filled and read a million times a file, and never copied.
struct RawRecord: ~Copyable {
    private var slices = Slices(repeating: .absent)

    /// A slice for each of ``SDOTField/allCases``.
    private typealias Slices = [12 of FieldSlice]

    init() {
        assert(slices.count == SDOTField.allCases.count, "a slice for each field")
    }

    @inline(__always)
    subscript(field: SDOTField) -> FieldSlice? {
        let slice = slices[field.rawValue]
        return slice.start < slice.end ? slice : nil
    }

    /// The text from a field to a later one; nil if one is absent, out of order, or it is too long.
    @inline(__always)
    func stretch(from first: SDOTField, to last: SDOTField) -> FieldStretch? {
        guard let first = self[first], let last = self[last], first.end < last.start,
            last.end - first.start <= FieldStretch.maxLength
        else { return nil }
        return FieldStretch(
            slice: FieldSlice(start: first.start, end: last.end),
            shape: UInt32(first.end - first.start) | UInt32(last.start - first.start) << 8)
    }

    /// The text from a field over a second to a third one.
    @inline(__always)
    func stretch(
        from first: SDOTField, over middle: SDOTField, to last: SDOTField
    ) -> FieldStretch? {
        guard let whole = stretch(from: first, to: last),
            let start = stretch(from: first, to: middle), let end = stretch(from: middle, to: last)
        else { return nil }
        return FieldStretch(slice: whole.slice, shape: start.shape | end.shape << 16)
    }

    /// Sets fields, without blanks around them and without the word "null".
    ///
    /// - Parameter columns: For each column the index of its ``SDOTField``, if it is one.
    mutating func set(_ fields: [FieldSlice], columns: [Int?], _ bytes: Span<UInt8>) {
        slices = Slices(repeating: .absent)
        for column in fields.indices {
            guard let field = columns[column] else { continue }
            slices[field] = Self.trimmed(fields[column], bytes)
        }
    }

    /// Sets the fields of a row that has as many as there are columns.
    @inline(__always)
    mutating func set(
        _ row: Int, of rows: borrowing RegularRows, columns: [Int?], _ bytes: Span<UInt8>
    ) {
        slices = Slices(repeating: .absent)
        var start = rows.start(of: row)
        for column in columns.indices {
            let slice = rows.nextField(column, of: row, bytes, start: &start)
            if let field = columns[column] { slices[field] = Self.trimmed(slice, bytes) }
        }
    }

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

/// Adjacent fields of a record as one text: from the start of a field to the end of a later one.
struct FieldStretch {
    let slice: FieldSlice
    /// Where fields end and start in it: the same text may be split otherwise, for example where a quote is missing.
    let shape: UInt32

    /// Longer texts are not formed.
    static let maxLength = 160
}

/// A cache of values by the text of the fields they were computed from, because records repeat; 256 entries.
struct FieldCache<Value> {
    private var texts = [UInt8](repeating: 0, count: entryCount * maxLength)
    private var entries = [(length: Int, shape: UInt32, value: Value)?](
        repeating: nil, count: entryCount)

    private static var entryCount: Int { 256 }
    private static var maxLength: Int { FieldStretch.maxLength }

    /// The value of a text; nil if it is not cached.
    @inline(__always)
    func value(of stretch: FieldStretch, _ bytes: Span<UInt8>) -> Value? {
        let slice = stretch.slice
        let index = index(of: slice, bytes)
        guard let entry = entries[index], entry.length == slice.end - slice.start,
            entry.shape == stretch.shape
        else { return nil }
        let start = index * Self.maxLength
        let text = texts.span.extracting(start..<start + entry.length)
        return bytes.holds(text, at: slice.start) ? entry.value : nil
    }

    mutating func insert(_ value: Value, of stretch: FieldStretch, _ bytes: Span<UInt8>) {
        let slice = stretch.slice
        let length = slice.end - slice.start
        guard length <= Self.maxLength else { return }
        let index = index(of: slice, bytes)
        entries[index] = (length, stretch.shape, value)
        for offset in 0..<length {
            texts[index * Self.maxLength + offset] = bytes[slice.start + offset]
        }
    }

    /// By the last eight bytes: names and coordinates differ there.
    @inline(__always)
    private func index(of slice: FieldSlice, _ bytes: Span<UInt8>) -> Int {
        guard slice.end - slice.start >= 8 else { return Int(bytes[slice.end - 1]) }
        return Int((bytes.word(at: slice.end - 8) &* 0x9e37_79b9_7f4a_7c15) >> 56)
    }
}

extension FieldCache: Sendable where Value: Sendable {}
