// What the moments of an hour share as text: moments of a document mostly lie in one or two hours.
private import BridgecastCore

/// An hour of RFC 3339 in Seattle time: `"2026-02-20T17:` and `-08:00"`, with the quotes of JSON.
struct HourText {
    /// Hours since 1970-01-01T00:00:00Z.
    let hour: Int64
    let beginning: [UInt8]
    let end: [UInt8]

    /// No hour yet.
    init() { (hour, beginning, end) = (.min, [], []) }

    /// The text of an hour as ``TimeText/rfc3339(_:)`` has it, without its strings: every document needs one or two.
    ///
    /// Clocks of Seattle differ from UTC by whole hours.
    init(_ hour: Int64) {
        let moment = Timestamp(secondsSinceEpoch: hour * 3600)
        let civil = SeattleTime.civil(at: moment)
        let (year, month, day) = civil.date.parts
        self.hour = hour
        beginning = [
            UInt8(ascii: "\""), Self.digit(year / 1000), Self.digit(year / 100),
            Self.digit(year / 10), Self.digit(year), UInt8(ascii: "-"), Self.digit(month / 10),
            Self.digit(month), UInt8(ascii: "-"), Self.digit(day / 10), Self.digit(day),
            UInt8(ascii: "T"), Self.digit(civil.hour / 10), Self.digit(civil.hour),
            UInt8(ascii: ":"),
        ]
        let west = Int(-SeattleTime.utcOffsetSeconds(at: moment) / 3600)
        end = [
            UInt8(ascii: "-"), Self.digit(west / 10), Self.digit(west), UInt8(ascii: ":"),
            UInt8(ascii: "0"), UInt8(ascii: "0"), UInt8(ascii: "\""),
        ]
    }

    /// The last digit of a number.
    private static func digit(_ number: Int) -> UInt8 {
        UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10)
    }
}
