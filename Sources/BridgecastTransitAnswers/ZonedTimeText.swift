// Times in JSON by the clock of a timetable. The texts of a quarter of an hour are kept: a document has up to a hundred
// times, which are close together.
package import BridgecastAnswers
import BridgecastCore
import BridgecastSupport
import BridgecastTransit

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
