// Moments by a timetable's clock as JSON; a board has a hundred, in a few quarters of an hour.
// Belongs here: what several transit documents are made of; not: a document.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastTransit

/// Writes moments of one zone; remembers what those of a quarter of an hour have in common.
struct MomentText {
    private let zone: TransitZone
    private var quarters: [Quarter?]

    /// Moments of a quarter of an hour in which the zone's clock is not changed.
    private struct Quarter {
        let number: Int64
        /// `"2026-02-18T17:`, with the quote of JSON.
        let beginning: [UInt8]
        /// The minute of the hour with which it begins.
        let minute: Int
        /// `-08:00"`, with the quote.
        let end: [UInt8]
    }

    private static let quarterSeconds: Int64 = 900
    /// A power of two; boards show two hours, eight quarters, and timelines three.
    private static let remembered = 16

    /// Writes by a zone's clock.
    init(_ zone: TransitZone) {
        self.zone = zone
        quarters = Array(repeating: nil, count: Self.remembered)
    }

    /// A moment in RFC 3339 with the zone's offset, in quotes.
    mutating func bytes(_ moment: Timestamp) -> [UInt8] {
        let number = Self.quarter(of: moment)
        let slot = Int(number & Int64(Self.remembered - 1))
        let quarter: Quarter
        if let known = quarters[slot], known.number == number {
            quarter = known
        } else if let made = made(number) {
            (quarters[slot], quarter) = (made, made)
        } else {
            return Array("\"\(zone.rfc3339(moment))\"".utf8)
        }
        let second = Int(moment.secondsSinceEpoch - number * Self.quarterSeconds)
        var text = quarter.beginning
        text.reserveCapacity(32)
        Self.append(quarter.minute + second / 60, to: &text)
        text.append(UInt8(ascii: ":"))
        Self.append(second % 60, to: &text)
        text.append(contentsOf: quarter.end)
        return text
    }

    private static func quarter(of moment: Timestamp) -> Int64 {
        let seconds = moment.secondsSinceEpoch
        return seconds >= 0
            ? seconds / quarterSeconds : (seconds - quarterSeconds + 1) / quarterSeconds
    }

    /// A quarter's texts; nil where clocks differ from UTC by no whole quarters, as they did long ago, or are changed within
    /// it, as in Newfoundland they were a minute after midnight; and beyond the years of four digits.
    private func made(_ number: Int64) -> Quarter? {
        let start = Timestamp(secondsSinceEpoch: number * Self.quarterSeconds)
        let (offset, end) = (
            zone.utcOffsetSeconds(at: start), start.adding(seconds: Self.quarterSeconds - 1)
        )
        let text = Array("\"\(zone.rfc3339(start))\"".utf8)
        guard offset % Int(Self.quarterSeconds) == 0, zone.utcOffsetSeconds(at: end) == offset,
            text.count == (offset == 0 ? 22 : 27)
        else { return nil }
        // `"2026-02-18T17:` is 15 bytes; minutes and seconds are five more.
        return Quarter(
            number: number, beginning: Array(text.prefix(15)),
            minute: zone.civil(at: start).secondOfDay / 60 % 60, end: Array(text.dropFirst(20)))
    }

    private static func append(_ number: Int, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "0") + UInt8(number / 10))
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

extension JSONWriter {
    /// Writes a field that is a moment by a timetable's clock, or null.
    mutating func field(
        _ name: StaticString, _ moment: Timestamp?, _ clock: inout MomentText
    ) {
        guard let moment else { return null(name) }
        field(name, json: clock.bytes(moment))
    }

    /// Writes two fields: a moment by a timetable's clock, and the same in seconds since 1970, or null twice.
    mutating func fields(
        _ name: StaticString, _ epochName: StaticString, _ moment: Timestamp?,
        _ clock: inout MomentText
    ) {
        field(name, moment, &clock)
        field(epochName, moment.map { Int($0.secondsSinceEpoch) })
    }
}
