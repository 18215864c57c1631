// One raw record of data set gm8h-9449 and its meaning as an opening.
package import BridgecastCore

/// The columns of data set gm8h-9449.
enum SDOTField: String, CaseIterable {
    case entitytype, entityname, entityid, opendatetime, closedatetime, minutesopen
    case latitude, longitude

    static let required: [SDOTField] = [.opendatetime, .closedatetime]

    /// The column of a header, whatever its case, spaces and underscores.
    init?(header: String) {
        self.init(rawValue: String(header.lowercased().filter { $0.isLetter || $0.isNumber }))
    }
}

/// The fields of a record as text; a missing or empty field is absent.
struct SDOTRecord {
    let location: RecordLocation
    var fields: [SDOTField: String]

    subscript(field: SDOTField) -> String? { fields[field] }
}

/// A record understood.
package struct ParsedRecord: Sendable, Equatable {
    package let location: RecordLocation
    package let opening: Opening
    package let flags: [RecordFlag]
}

/// Turns raw records into openings or says why not.
struct SDOTRecordParser {
    /// Nothing can have happened after this.
    let now: Timestamp

    private static let mostSeconds: Int64 = 86_400
    private static let farthestKilometres = 2.0
    private static let clockTolerance: Int64 = 300

    func parse(_ record: SDOTRecord) -> Result<ParsedRecord, RecordDefect> {
        Result { () throws(RecordDefect) in
            let bridge = try bridge(record)
            try checkPlace(record, bridge)
            let (start, end, isRepeated) = try times(record)
            var flags: [RecordFlag] = isRepeated ? [.repeatedHour] : []
            let opening = Opening(bridge: bridge, start: start, end: end)
            flags += self.flags(of: opening, minutes: record[.minutesopen])
            return ParsedRecord(location: record.location, opening: opening, flags: flags)
        }
    }

    private func bridge(_ record: SDOTRecord) throws(RecordDefect) -> BridgeIndex {
        if let type = record[.entitytype], type.lowercased() != "bridge" {
            throw RecordDefect(rejection: .notABridge, field: "entitytype", value: type)
        }
        let byID = record[.entityid].flatMap { Int($0) }.flatMap {
            BridgeCatalogue.index(of: BridgeID($0))
        }
        let byName = record[.entityname].flatMap { BridgeCatalogue.index(named: $0) }
        if let id = record[.entityid], byID == nil {
            throw RecordDefect(rejection: .unknownBridge, field: "entityid", value: id)
        }
        if let name = record[.entityname], byName == nil {
            throw RecordDefect(rejection: .unknownBridge, field: "entityname", value: name)
        }
        if let byID, let byName, byID != byName {
            throw RecordDefect(
                rejection: .contradictoryBridge, field: "entityname",
                value: record[.entityname] ?? "")
        }
        guard let bridge = byID ?? byName else {
            throw RecordDefect(rejection: .unknownBridge, field: "entityid", value: "")
        }
        return bridge
    }

    private func checkPlace(_ record: SDOTRecord, _ bridge: BridgeIndex) throws(RecordDefect) {
        let facts = BridgeCatalogue[bridge]
        for (field, expected, kilometresPerDegree) in [
            (SDOTField.latitude, facts.latitude, 111.2), (.longitude, facts.longitude, 75.0),
        ] {
            guard let text = record[field] else { continue }
            guard let value = Double(text),
                abs(value - expected) * kilometresPerDegree <= Self.farthestKilometres
            else {
                throw RecordDefect(
                    rejection: .implausiblePlace, field: field.rawValue, value: text)
            }
        }
    }

    private func times(
        _ record: SDOTRecord
    ) throws(RecordDefect) -> (start: Timestamp, end: Timestamp?, isRepeated: Bool) {
        guard let openText = record[.opendatetime] else {
            throw RecordDefect(rejection: .missingOpenTime, field: "opendatetime", value: "")
        }
        let starts = try candidates(openText, .opendatetime)
        try checkNotFuture(starts[0], .opendatetime, openText)
        guard let closeText = record[.closedatetime] else {
            return (starts[0], nil, starts.count > 1)
        }
        let ends = try candidates(closeText, .closedatetime)
        let minutes = record[.minutesopen].flatMap { Double($0) }
        guard let best = bestPair(starts, ends, minutes: minutes) else {
            throw RecordDefect(
                rejection: .closesBeforeOpening, field: "closedatetime", value: closeText)
        }
        try checkNotFuture(best.end, .closedatetime, closeText)
        guard best.end.secondsSinceEpoch - best.start.secondsSinceEpoch <= Self.mostSeconds else {
            throw RecordDefect(
                rejection: .implausiblyLong, field: "closedatetime", value: closeText)
        }
        return (best.start, best.end, starts.count > 1 || ends.count > 1)
    }

    /// The moments a text can mean, at least one.
    private func candidates(
        _ text: String, _ field: SDOTField
    ) throws(RecordDefect) -> [Timestamp] {
        guard let civil = TimeText.parseFloating(text) ?? PortalTime.parse(text) else {
            throw RecordDefect(rejection: .unreadableTime, field: field.rawValue, value: text)
        }
        let moments = SeattleTime.resolve(civil).candidates
        guard !moments.isEmpty else {
            throw RecordDefect(rejection: .nonexistentTime, field: field.rawValue, value: text)
        }
        return moments
    }

    private func checkNotFuture(
        _ moment: Timestamp, _ field: SDOTField, _ text: String
    ) throws(RecordDefect) {
        guard moment <= now.adding(seconds: Self.clockTolerance) else {
            throw RecordDefect(rejection: .inTheFuture, field: field.rawValue, value: text)
        }
    }

    /// Of the readings of a repeated hour, the one whose length fits `minutesopen` best; without
    /// it, or with a draw, the shortest, then the earliest.
    private func bestPair(
        _ starts: [Timestamp], _ ends: [Timestamp], minutes: Double?
    ) -> (start: Timestamp, end: Timestamp)? {
        var best: (start: Timestamp, end: Timestamp, misfit: Double)?
        for start in starts {
            for end in ends where end >= start {
                let length = end.minutes(since: start)
                let misfit = minutes.map { abs(length - $0) } ?? length
                if best.map({ misfit < $0.misfit }) ?? true { best = (start, end, misfit) }
            }
        }
        return best.map { ($0.start, $0.end) }
    }

    private func flags(of opening: Opening, minutes: String?) -> [RecordFlag] {
        guard let length = opening.minutes else { return [.missingEnd] }
        var flags: [RecordFlag] = []
        if length <= Opening.shortMinutes { flags.append(.short) }
        if length >= Opening.longMinutes { flags.append(.long) }
        if let stated = minutes.flatMap({ Double($0) }), abs(stated - length) > 2 {
            flags.append(.minutesDisagree)
        }
        return flags
    }
}

/// The date form of the portal's export button.
enum PortalTime {
    /// Reads `02/19/2026 12:38:00 PM`, or nil.
    static func parse(_ text: String) -> CivilDateTime? {
        let parts = text.split(separator: " ")
        guard parts.count == 3 else { return nil }
        let date = parts[0].split(separator: "/").compactMap { number($0) }
        let clock = parts[1].split(separator: ":").compactMap { number($0) }
        guard date.count == 3, clock.count == 3, (1...12).contains(clock[0]), clock[1] < 60,
            clock[2] < 60, let day = CivilDate(year: date[2], month: date[0], day: date[1])
        else { return nil }
        let half: Int
        switch parts[2].uppercased() {
        case "AM": half = 0
        case "PM": half = 12
        default: return nil
        }
        let hour = clock[0] % 12 + half
        return CivilDateTime(date: day, secondOfDay: hour * 3600 + clock[1] * 60 + clock[2])
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), text.utf8.count <= 4 else {
            return nil
        }
        return Int(text)
    }
}
