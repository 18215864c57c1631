// Clock times as people type them, with or without a day: for options and parameters, not for files.
private import Foundation

/// A time of day as people type it: `18:02`, `6pm`, `6:30 pm`, `today 18:00` or `tomorrow 9:00`.
///
/// Hours and minutes, with or without seconds; case and spaces are ignored. An hour alone needs `am` or `pm`.
package struct TypedClock: Equatable, Sendable {
    /// The day that is named before the time.
    package enum Day: String, Sendable { case today, tomorrow }

    /// Nil if only a time is given.
    package let day: Day?
    /// Seconds since 00:00 on the wall clock, 0..<86,400.
    package let secondOfDay: Int

    /// Nil for a text of another form, such as one with a date.
    package init?(_ text: String) {
        // Longer texts are none; they are not folded.
        guard text.utf8.count <= 40 else { return nil }
        var words = text.lowercased().split(whereSeparator: \.isWhitespace)
        day = words.first.flatMap { Day(rawValue: String($0)) }
        if day != nil { words.removeFirst() }
        guard let second = Self.secondOfDay(words.joined()) else { return nil }
        secondOfDay = second
    }

    /// The date and time that it means on a day.
    package func civil(today: CivilDate) -> CivilDateTime {
        CivilDateTime(
            date: day == .tomorrow ? today.adding(days: 1) : today, secondOfDay: secondOfDay)
    }

    /// - Parameter clock: Lower case, without spaces: `18:02`, `6pm`, `6:30p.m.`
    private static func secondOfDay(_ clock: String) -> Int? {
        let plain = clock.hasSuffix(".m.") ? clock.replacing(".", with: "") : clock
        let isMorning = plain.hasSuffix("am")
        let isHalfDay = isMorning || plain.hasSuffix("pm")
        let numbers = (isHalfDay ? plain.dropLast(2) : plain[...])
            .split(separator: ":", omittingEmptySubsequences: false)
        guard (isHalfDay ? 1...3 : 2...3).contains(numbers.count),
            var hour = number(numbers[0], digits: 1...2),
            let minute = numbers.count > 1 ? number(numbers[1], digits: 2...2) : 0,
            let second = numbers.count > 2 ? number(numbers[2], digits: 2...2) : 0,
            minute < 60, second < 60, (isHalfDay ? 1...12 : 0...23).contains(hour)
        else { return nil }
        // 12 am is midnight, 12 pm is noon.
        if isHalfDay { hour = hour % 12 + (isMorning ? 0 : 12) }
        return hour * 3600 + minute * 60 + second
    }

    private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
        var scanner = DigitScanner(text)
        guard digits.contains(text.utf8.count), let value = scanner.number(digits: text.utf8.count)
        else { return nil }
        return value
    }
}

extension TimeText {
    /// Reads a time that a person typed: as ``parse(_:)`` does, or a time of day on Seattle's clocks.
    ///
    /// - Parameters:
    ///   - text: A time of day without a day is of today.
    ///   - now: Decides which day is today.
    /// - Throws: ``TimeTextError``.
    package static func parse(_ text: String, now: Timestamp) throws(TimeTextError) -> Timestamp {
        guard let clock = TypedClock(text) else {
            do {
                return try parse(text)
            } catch .unreadable {
                throw .unreadableClock(text)
            }
        }
        let civil = clock.civil(today: SeattleTime.civil(at: now).date)
        return switch SeattleTime.resolve(civil) {
        case .unique(let time): time
        // The date tells which time is meant, and an offset can be added to it.
        case .ambiguous: throw .ambiguous("\(civil)")
        case .nonexistent: throw .nonexistent("\(civil)")
        }
    }
}

extension CivilDateTime: CustomStringConvertible {
    /// The time as `yyyy-mm-ddThh:mm`, with seconds if there are any.
    public var description: String {
        let seconds = second == 0 ? "" : ":\(padded(second, 2))"
        return "\(date)T\(padded(hour, 2)):\(padded(minute, 2))\(seconds)"
    }
}
