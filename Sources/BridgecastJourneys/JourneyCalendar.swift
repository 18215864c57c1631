// The calendar of a person's time zone, and the ranges of time of statistics.
public import BridgecastCore
public import Foundation

/// Local dates and hours of one time zone; asking the zone is slow, so its offsets are kept.
struct JourneyCalendar {
    private let zone: TimeZone
    /// The offsets of days of UTC in seconds; nil where it changes within the day.
    private var slots = [(day: Int64, offset: Int64?)](repeating: (.min, nil), count: slotCount)

    /// A power of two, more than ten years of days.
    private static let slotCount = 4_096
    private static let daySeconds: Int64 = 86_400

    init(_ zone: TimeZone) { self.zone = zone }

    /// The local date and hour at a time from 1970 on.
    mutating func civil(at time: Timestamp) -> (day: Int, hour: Int, second: Int) {
        let local = time.secondsSinceEpoch + offset(at: time.secondsSinceEpoch)
        // A time early in 1970 may be a local one of 1969.
        let day = (local + Self.daySeconds) / Self.daySeconds - 1
        let second = Int(local - day * Self.daySeconds)
        return (Int(day), second / 3600, second)
    }

    private mutating func offset(at seconds: Int64) -> Int64 {
        let day = seconds / Self.daySeconds
        let slot = Int(day & Int64(Self.slotCount - 1))
        if slots[slot].day != day {
            let first = zoneOffset(at: day * Self.daySeconds)
            let last = zoneOffset(at: (day + 1) * Self.daySeconds - 1)
            slots[slot] = (day, first == last ? first : nil)
        }
        return slots[slot].offset ?? zoneOffset(at: seconds)
    }

    private func zoneOffset(at seconds: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }

    /// The first time of a local date; clocks may be changed at midnight.
    mutating func start(of date: CivilDate) -> Timestamp {
        let candidates = candidates(on: date, second: 0)
        let inside = candidates.filter { civil(at: $0).day == date.dayNumber }
        return inside.min() ?? candidates[0]
    }

    /// The times that a local time can be, by the offsets of a day before and of a day after.
    func candidates(on date: CivilDate, second: Int) -> [Timestamp] {
        let local = Int64(date.dayNumber) * Self.daySeconds + Int64(second)
        let offsets = [local - Self.daySeconds, local + Self.daySeconds].map(zoneOffset)
        return offsets.map { Timestamp(secondsSinceEpoch: max(0, local - $0)) }
    }
}

/// The journeys that statistics are of.
public enum JourneyRange: String, Sendable, Codable, CaseIterable {
    /// Since the midnight a week ago.
    case week
    /// Since the midnight of the same day a month ago.
    case month
    /// Since the midnight of the same day three months ago.
    case quarter
    /// Since the midnight of the same day a year ago.
    case year
    /// All that are kept.
    case all

    /// Its first time by the calendar of a zone; nil for ``all``.
    ///
    /// A day that the month lacks, such as 31 February, is the month's last.
    public func start(now: Timestamp, zone: TimeZone) -> Timestamp? {
        var calendar = JourneyCalendar(zone)
        let today = CivilDate(dayNumber: calendar.civil(at: now).day)
        let first: CivilDate
        switch self {
        case .week: first = today.adding(days: -7)
        case .month: first = Self.date(today, monthsEarlier: 1)
        case .quarter: first = Self.date(today, monthsEarlier: 3)
        case .year: first = Self.date(today, monthsEarlier: 12)
        case .all: return nil
        }
        return calendar.start(of: first)
    }

    private static func date(_ date: CivilDate, monthsEarlier months: Int) -> CivilDate {
        let parts = date.parts
        let month = parts.year * 12 + parts.month - 1 - months
        for day in stride(from: parts.day, to: 0, by: -1) {
            let found = CivilDate(year: month / 12, month: month % 12 + 1, day: day)
            if let found { return found }
        }
        return date
    }
}
