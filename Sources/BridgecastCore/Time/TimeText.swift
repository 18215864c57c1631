public import BridgecastSupport

/// Parses and formats times; bare local times are Seattle's.
public enum TimeText {
    /// Reads RFC 3339 with an offset, or a bare local time as Seattle's wall clock.
    ///
    /// - Parameter text: `2026-02-20T17:50[:ss[.fff]][Z|±hh:mm]`; a space may replace the T.
    /// - Throws: ``TimeTextError``; a repeated or skipped hour without offset has its own case.
    public static func parse(_ text: String) throws(TimeTextError) -> Timestamp {
        guard let (civil, rest) = parseCivilPrefix(text) else { throw .unreadable(text) }
        if !rest.isEmpty {
            guard let offset = parseOffset(rest) else { throw .unreadable(text) }
            let local = Int64(civil.date.dayNumber) * 86_400 + Int64(civil.secondOfDay)
            return Timestamp(secondsSinceEpoch: local - offset)
        }
        switch SeattleTime.resolve(civil) {
        case .unique(let time): return time
        case .ambiguous: throw .ambiguous(text)
        case .nonexistent: throw .nonexistent(text)
        }
    }

    /// A duration: seconds below two minutes, minutes below two hours, hours below two days, then days.
    package static func roughDuration(minutes: Double) -> String {
        let seconds = max(0, minutes * 60)
        if seconds < 120 { return "\(Int(seconds)) s" }
        if minutes < 120 { return "\(Int(minutes)) min" }
        return minutes < 2880 ? "\(Int(minutes / 60)) h" : "\(Int(minutes / 1440)) days"
    }

    /// Reads a floating local time such as `2026-02-20T17:50:00.000`, or nil.
    public static func parseFloating(_ text: String) -> CivilDateTime? {
        guard let (civil, rest) = parseCivilPrefix(text), rest.isEmpty else { return nil }
        return civil
    }

    /// Reads a floating local time in UTF-8, as ``parseFloating(_:)-(String)`` does.
    ///
    /// The form of the city's records, `2026-02-20T17:50:00.000`, is read without making a string of it.
    package static func parseFloating(_ bytes: Span<UInt8>, _ range: Range<Int>) -> CivilDateTime? {
        guard range.count == 23, let date = date(bytes, range.lowerBound),
            bytes[range.lowerBound + 10] == UInt8(ascii: "T"),
            let second = secondOfDay(bytes, range.lowerBound + 11)
        else {
            return parseFloating(String(decoding: range.map { bytes[$0] }, as: UTF8.self))
        }
        return CivilDateTime(date: date, secondOfDay: second)
    }

    private static func date(_ bytes: Span<UInt8>, _ start: Int) -> CivilDate? {
        guard bytes[start + 4] == UInt8(ascii: "-"), bytes[start + 7] == UInt8(ascii: "-"),
            let century = twoDigits(bytes, start), let year = twoDigits(bytes, start + 2),
            let month = twoDigits(bytes, start + 5), let day = twoDigits(bytes, start + 8)
        else { return nil }
        return CivilDate(year: century * 100 + year, month: month, day: day)
    }

    /// The second of the day of `hh:mm:ss.000` in UTF-8 from an index on, or nil.
    package static func secondOfDay(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        guard bytes[start + 2] == UInt8(ascii: ":"), bytes[start + 5] == UInt8(ascii: ":"),
            bytes[start + 8] == UInt8(ascii: "."), bytes[start + 9] == UInt8(ascii: "0"),
            bytes[start + 10] == UInt8(ascii: "0"), bytes[start + 11] == UInt8(ascii: "0"),
            let hour = twoDigits(bytes, start), hour < 24, let minute = twoDigits(bytes, start + 3),
            minute < 60, let second = twoDigits(bytes, start + 6), second < 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    @inline(__always)
    private static func twoDigits(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        let tens = Int(bytes[start]) - 48
        let ones = Int(bytes[start + 1]) - 48
        guard (0...9).contains(tens), (0...9).contains(ones) else { return nil }
        return tens * 10 + ones
    }

    /// Reads `yyyy-mm-dd`, or nil.
    public static func parseDate(_ text: String) -> CivilDate? {
        var scanner = DigitScanner(text)
        guard let date = scanner.date(), scanner.isAtEnd else { return nil }
        return date
    }

    /// RFC 3339 in Seattle time with its offset, such as `2026-02-20T17:50:00-08:00`.
    public static func rfc3339(_ time: Timestamp) -> String {
        let civil = SeattleTime.civil(at: time)
        let hours = Int(-SeattleTime.utcOffsetSeconds(at: time) / 3600)
        let clock = "\(padded(civil.hour, 2)):\(padded(civil.minute, 2)):\(padded(civil.second, 2))"
        return "\(civil.date)T\(clock)-\(padded(hours, 2)):00"
    }

    /// The Seattle wall clock as `HH:mm`; in the hour that happens twice, as `HH:mm PDT` or `HH:mm PST`.
    public static func clock(_ time: Timestamp) -> String {
        let civil = SeattleTime.civil(at: time)
        guard case .ambiguous = SeattleTime.resolve(civil) else { return clock(civil) }
        return clockAndZone(time)
    }

    /// The Seattle wall clock with its zone, as `HH:mm PST`.
    package static func clockAndZone(_ time: Timestamp) -> String {
        let zone = SeattleTime.utcOffsetSeconds(at: time) == -25_200 ? "PDT" : "PST"
        return "\(clock(SeattleTime.civil(at: time))) \(zone)"
    }

    private static func clock(_ civil: CivilDateTime) -> String {
        "\(padded(civil.hour, 2)):\(padded(civil.minute, 2))"
    }

    private static func parseCivilPrefix(_ text: String) -> (CivilDateTime, Substring.UTF8View)? {
        var scanner = DigitScanner(text)
        guard let date = scanner.date(),
            scanner.skip("T") || scanner.skip(" ") || scanner.skip("t"),
            let hour = scanner.number(digits: 2), hour < 24, scanner.skip(":"),
            let minute = scanner.number(digits: 2), minute < 60
        else { return nil }
        var second = 0
        if scanner.skip(":") {
            guard let value = scanner.number(digits: 2), value < 60 else { return nil }
            second = value
            if scanner.skip(".") {
                guard scanner.skipDigits() > 0 else { return nil }
            }
        }
        let secondOfDay = hour * 3600 + minute * 60 + second
        return (CivilDateTime(date: date, secondOfDay: secondOfDay), scanner.rest)
    }

    private static func parseOffset(_ text: Substring.UTF8View) -> Int64? {
        var scanner = DigitScanner(Substring(text))
        if scanner.skip("Z") || scanner.skip("z") { return scanner.isAtEnd ? 0 : nil }
        let sign: Int64
        if scanner.skip("+") {
            sign = 1
        } else if scanner.skip("-") {
            sign = -1
        } else {
            return nil
        }
        guard let hours = scanner.number(digits: 2), hours < 24, scanner.skip(":"),
            let minutes = scanner.number(digits: 2), minutes < 60, scanner.isAtEnd
        else { return nil }
        return sign * Int64(hours * 3600 + minutes * 60)
    }
}

/// Reads fixed-width ASCII numbers from the front of a text.
struct DigitScanner {
    private(set) var rest: Substring.UTF8View

    init(_ text: some StringProtocol) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func skipDigits() -> Int {
        var count = 0
        while let byte = rest.first, (48...57).contains(byte) {
            rest.removeFirst()
            count += 1
        }
        return count
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = rest.first, (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte) - 48
            rest.removeFirst()
        }
        return value
    }

    mutating func date() -> CivilDate? {
        guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
            let day = number(digits: 2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }
}

/// Why a text is not a usable time; `description` says what to do.
public enum TimeTextError: Failure, Equatable {
    /// The text has none of the accepted forms.
    case unreadable(String)
    /// The wall clock in Seattle showed this time twice.
    case ambiguous(String)
    /// The wall clock in Seattle never showed this time.
    case nonexistent(String)

    /// Always ``FailureKind/usage``.
    public var kind: FailureKind { .usage }

    /// The problem and its remedy, in one sentence.
    public var description: String {
        switch self {
        case .unreadable(let text):
            "'\(printable(text, maxLength: 60))' is not a time: write 2026-02-20T17:50:00-08:00 (RFC 3339), or "
                + "2026-02-20T17:50 for Seattle time"
        case .ambiguous(let text):
            "'\(printable(text, maxLength: 60))' happened twice in Seattle, because clocks were set back: add the offset, "
                + "-07:00 for the first or -08:00 for the second"
        case .nonexistent(let text):
            "'\(printable(text, maxLength: 60))' never happened in Seattle, because clocks were set forward from 02:00 to "
                + "03:00 that night: choose a time before or after, or add an offset"
        }
    }
}
