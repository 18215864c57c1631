// Times and periods in JSON: RFC 3339, by Seattle's clock or by that of a timetable. The texts of an hour, or of a
// quarter of one, are kept: a document has up to a hundred times, which lie close together.
package import BridgecastCore
package import BridgecastSupport
internal import BridgecastTransit

// MARK: - Seattle's clock

extension JSONWriter {
    /// Writes a field that is a time, RFC 3339 with Seattle's offset, or null.
    package mutating func field(_ name: StaticString, _ time: Timestamp?) {
        key(name)
        if let time { append(time) } else { appendNull() }
    }

    /// Writes a field that is a period: its beginning and the first time after it, or null.
    package mutating func field(_ name: StaticString, _ period: Range<Timestamp>?) {
        key(name)
        guard let period else { return appendNull() }
        isAfterName = true
        value(period)
    }

    /// Writes a field that is a time and whose name is not known before.
    package mutating func field(named name: String, _ time: Timestamp) {
        key(named: name)
        append(time)
    }

    /// Writes a period as a value: its beginning and the first time after it.
    package mutating func value(_ period: Range<Timestamp>) {
        object { json in
            json.field("from", period.lowerBound)
            json.field("to", period.upperBound)
        }
    }

    /// Appends a time as RFC 3339 with Seattle's offset, with its quotes.
    mutating func append(_ time: Timestamp) {
        let hour = Int64((Double(time.secondsSinceEpoch) / 3600).rounded(.down))
        if hour != hourText.period { hourText = TimeTextParts(hour: hour) }
        append(hourText, second: Int(time.secondsSinceEpoch - hour * 3600))
    }
}

extension TimeTextParts {
    /// The texts of an hour as ``TimeText/rfc3339(_:)`` has it, without its strings: every document needs one or two.
    ///
    /// Clocks of Seattle differ from UTC by whole hours.
    fileprivate init(hour: Int64) {
        let start = Timestamp(secondsSinceEpoch: hour * 3600)
        let civil = SeattleTime.civil(at: start)
        let (year, month, day) = civil.date.parts
        let beginning = [
            UInt8(ascii: "\""), Self.digit(year / 1000), Self.digit(year / 100),
            Self.digit(year / 10), Self.digit(year), UInt8(ascii: "-"), Self.digit(month / 10),
            Self.digit(month), UInt8(ascii: "-"), Self.digit(day / 10), Self.digit(day),
            UInt8(ascii: "T"), Self.digit(civil.hour / 10), Self.digit(civil.hour),
            UInt8(ascii: ":"),
        ]
        let west = Int(-SeattleTime.utcOffsetSeconds(at: start) / 3600)
        let end = [
            UInt8(ascii: "-"), Self.digit(west / 10), Self.digit(west), UInt8(ascii: ":"),
            UInt8(ascii: "0"), UInt8(ascii: "0"), UInt8(ascii: "\""),
        ]
        self.init(period: hour, beginning: beginning, end: end)
    }

    private static func digit(_ number: Int) -> UInt8 {
        UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    }
}

// MARK: - A timetable's clock

/// Formats times by the clock of one time zone; keeps the texts of the last quarters of an hour.
struct ZonedTimeText {
    private let zone: TransitZone
    private var quarters: [TimeTextParts?]

    private static let quarterSeconds: Int64 = 900
    /// A power of two; boards show two hours, eight quarters, and timelines three.
    private static let cacheSize = 16

    init(_ zone: TransitZone) {
        self.zone = zone
        quarters = Array(repeating: nil, count: Self.cacheSize)
    }

    /// Appends a time in RFC 3339 with the zone's offset, in quotes.
    mutating func append(_ time: Timestamp, to json: inout JSONWriter) {
        let number = Self.quarter(of: time)
        let slot = Int(number & Int64(Self.cacheSize - 1))
        if quarters[slot]?.period != number {
            // Where it cannot be made, what is there stays.
            if let made = parts(ofQuarter: number) { quarters[slot] = made }
        }
        guard let quarter = quarters[slot], quarter.period == number else {
            return json.append(quoted: zone.rfc3339(time))
        }
        json.append(quarter, second: Int(time.secondsSinceEpoch - number * Self.quarterSeconds))
    }

    private static func quarter(of time: Timestamp) -> Int64 {
        let seconds = time.secondsSinceEpoch
        return seconds >= 0
            ? seconds / quarterSeconds : (seconds - quarterSeconds + 1) / quarterSeconds
    }

    /// A quarter's texts; nil where clocks differ from UTC by no whole quarters, as they did long ago, or change within
    /// it, as in Newfoundland they did at a minute past midnight; and beyond the years of four digits.
    private func parts(ofQuarter number: Int64) -> TimeTextParts? {
        let start = Timestamp(secondsSinceEpoch: number * Self.quarterSeconds)
        let end = start.adding(seconds: Self.quarterSeconds - 1)
        let offset = zone.utcOffsetSeconds(at: start)
        let text = Array("\"\(zone.rfc3339(start))\"".utf8)
        guard offset % Int(Self.quarterSeconds) == 0, zone.utcOffsetSeconds(at: end) == offset,
            text.count == (offset == 0 ? 22 : 27)
        else { return nil }
        // `"2026-02-18T17:` is 15 bytes; minutes and seconds are five more.
        return TimeTextParts(
            period: number, beginning: Array(text.prefix(15)),
            minute: zone.civil(at: start).secondOfDay / 60 % 60, end: Array(text.dropFirst(20)))
    }
}

extension JSONWriter {
    mutating func field(_ name: StaticString, _ time: Timestamp?, _ clock: inout ZonedTimeText) {
        key(name)
        if let time { clock.append(time, to: &self) } else { appendNull() }
    }

    /// Writes two fields: a time by a timetable's clock and, with `_epoch_s`, in seconds since 1970; or null twice.
    mutating func fields(_ name: StaticString, _ time: Timestamp?, _ clock: inout ZonedTimeText) {
        field(name, time, &clock)
        key(name, ending: "_epoch_s")
        if let time { append(time.secondsSinceEpoch) } else { appendNull() }
    }
}
