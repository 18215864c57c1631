// Times and periods in JSON: RFC 3339 by Seattle's clock. The texts of an hour are kept: a document has up to a hundred
// times, which are close together.
package import BridgecastCore
package import BridgecastSupport

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
