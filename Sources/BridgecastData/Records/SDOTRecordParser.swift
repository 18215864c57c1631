// What a raw record of data set gm8h-9449 means: an opening, or a reason why not.
internal import BridgecastCore

/// Turns raw records into openings or says why not.
///
/// It remembers the spellings it has understood, because records repeat a handful of names and
/// coordinates and are mostly of one day after another.
struct SDOTRecordParser {
    /// Nothing can have happened after this.
    let now: Timestamp

    /// Bridges by the text of type, name and id together.
    private var bridges = ByteMemo<BridgeIndex>()
    /// Bridges that a latitude and a longitude lie near, a bit each, by the text of both.
    private var places = ByteMemo<UInt32>()
    private var clock = SeattleClock()

    private static let mostSeconds: Int64 = 86_400
    private static let farthestKilometres = 2.0
    private static let clockTolerance: Int64 = 300

    init(now: Timestamp) { self.now = now }

    /// The opening of a record and what is noteworthy about it.
    mutating func parse(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>
    ) throws(RecordDefect) -> (opening: Opening, flags: RecordFlagSet) {
        let bridge = try bridge(record, bytes)
        try checkPlace(record, bytes, bridge)
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
        let bridge = try understoodBridge(record, bytes)
        if let stretch { bridges.remember(bridge, of: stretch, bytes) }
        return bridge
    }

    private func understoodBridge(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>
    ) throws(RecordDefect) -> BridgeIndex {
        let type = text(.entitytype, record, bytes)
        if let type, type.lowercased() != "bridge" {
            throw defect(.notABridge, .entitytype, record, bytes)
        }
        let number = text(.entityid, record, bytes).flatMap { Double($0) }.flatMap {
            Int(exactly: $0)
        }
        let byID = number.flatMap { BridgeCatalogue.index(of: BridgeID($0)) }
        let byName = text(.entityname, record, bytes).flatMap { BridgeCatalogue.index(named: $0) }
        if record[.entityid] != nil, byID == nil {
            throw defect(.unknownBridge, .entityid, record, bytes)
        }
        if record[.entityname] != nil, byName == nil {
            throw defect(.unknownBridge, .entityname, record, bytes)
        }
        if let byID, let byName, byID != byName {
            throw defect(.contradictoryBridge, .entityname, record, bytes)
        }
        guard let bridge = byID ?? byName else {
            throw defect(.unknownBridge, .entityid, record, bytes)
        }
        return bridge
    }

    private func text(
        _ field: SDOTField, _ record: borrowing RawRecord, _ bytes: Span<UInt8>
    ) -> String? {
        record[field].map { RawRecord.text($0, bytes) }
    }

    @inline(__always)
    private mutating func checkPlace(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>, _ bridge: BridgeIndex
    ) throws(RecordDefect) {
        let stretch = record.stretch(from: .latitude, to: .longitude)
        if let stretch, let near = places.value(of: stretch, bytes),
            near & 1 << bridge.rawValue != 0
        {
            return
        }
        let latitude = try coordinate(.latitude, record, bytes, bridge)
        let longitude = try coordinate(.longitude, record, bytes, bridge)
        if let stretch, let latitude, let longitude {
            let near = BridgeIndex.all.filter {
                isNear(latitude, .latitude, $0) && isNear(longitude, .longitude, $0)
            }
            places.remember(near.reduce(0) { $0 | 1 << $1.rawValue }, of: stretch, bytes)
        }
    }

    private func coordinate(
        _ field: SDOTField, _ record: borrowing RawRecord, _ bytes: Span<UInt8>,
        _ bridge: BridgeIndex
    ) throws(RecordDefect) -> Double? {
        guard let slice = record[field] else { return nil }
        guard let value = Double(RawRecord.text(slice, bytes)), isNear(value, field, bridge) else {
            throw defect(.implausiblePlace, field, record, bytes)
        }
        return value
    }

    private func isNear(_ value: Double, _ field: SDOTField, _ bridge: BridgeIndex) -> Bool {
        let expected = (field == .latitude ? Self.latitude : Self.longitude)[bridge.rawValue]
        let kilometresPerDegree = field == .latitude ? 111.2 : 75.0
        return abs(value - expected) * kilometresPerDegree <= Self.farthestKilometres
    }

    private static let latitude = BridgeCatalogue.seattle.map(\.latitude)
    private static let longitude = BridgeCatalogue.seattle.map(\.longitude)

    @inline(__always)
    private mutating func times(
        _ record: borrowing RawRecord, _ bytes: Span<UInt8>, minutes: Double?
    ) throws(RecordDefect) -> (start: Timestamp, end: Timestamp?, isRepeated: Bool) {
        let starts = try moments(record, .opendatetime, bytes, ifMissing: .missingOpenTime)
        try checkNotFuture(starts.earlier, .opendatetime, record, bytes)
        guard starts.earlier >= .earliestPlausible else {
            throw defect(.tooEarly, .opendatetime, record, bytes)
        }
        guard record[.closedatetime] != nil else {
            return (starts.earlier, nil, starts.isRepeated)
        }
        let ends = try moments(record, .closedatetime, bytes, ifMissing: .unreadableTime)
        guard let best = bestPair(starts, ends, minutes: minutes) else {
            throw defect(.closesBeforeOpening, .closedatetime, record, bytes)
        }
        try checkNotFuture(best.end, .closedatetime, record, bytes)
        guard best.end.secondsSinceEpoch - best.start.secondsSinceEpoch <= Self.mostSeconds else {
            throw defect(.implausiblyLong, .closedatetime, record, bytes)
        }
        return (best.start, best.end, starts.isRepeated || ends.isRepeated)
    }

    /// The moment or the two moments that a field can mean.
    @inline(__always)
    private mutating func moments(
        _ record: borrowing RawRecord, _ field: SDOTField, _ bytes: Span<UInt8>,
        ifMissing missing: RecordRejection
    ) throws(RecordDefect) -> SeattleClock.Moments {
        guard let slice = record[field] else { throw defect(missing, field, record, bytes) }
        if let moments = clock.moments(bytes, slice) { return moments }
        return try understoodMoments(record, field, slice, bytes)
    }

    private mutating func understoodMoments(
        _ record: borrowing RawRecord, _ field: SDOTField, _ slice: FieldSlice,
        _ bytes: Span<UInt8>
    ) throws(RecordDefect) -> SeattleClock.Moments {
        let civil =
            TimeText.parseFloating(bytes, slice.range)
            ?? PortalTime.parse(RawRecord.text(slice, bytes))
        guard let civil else { throw defect(.unreadableTime, field, record, bytes) }
        guard let moments = clock.moments(civil) else {
            throw defect(.nonexistentTime, field, record, bytes)
        }
        clock.remember(bytes, slice, civil)
        return moments
    }

    private func checkNotFuture(
        _ moment: Timestamp, _ field: SDOTField, _ record: borrowing RawRecord, _ bytes: Span<UInt8>
    ) throws(RecordDefect) {
        guard moment <= now.adding(seconds: Self.clockTolerance) else {
            throw defect(.inTheFuture, field, record, bytes)
        }
    }

    /// Of the readings of a repeated hour, the one whose length fits `minutesopen` best; without
    /// it, or with a draw, the shortest, then the earliest.
    private func bestPair(
        _ starts: SeattleClock.Moments, _ ends: SeattleClock.Moments, minutes: Double?
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

    /// A number; the minutes are nearly always one or two digits.
    @inline(__always)
    private func number(_ slice: FieldSlice?, _ bytes: Span<UInt8>) -> Double? {
        guard let slice else { return nil }
        return bytes.wholeNumber(slice.range).map(Double.init)
            ?? Double(RawRecord.text(slice, bytes))
    }

    private func defect(
        _ rejection: RecordRejection, _ field: SDOTField, _ record: borrowing RawRecord,
        _ bytes: Span<UInt8>
    ) -> RecordDefect {
        RecordDefect(
            rejection: rejection, field: field.name,
            value: text(field, record, bytes) ?? "")
    }
}
