internal import BridgecastCore
internal import BridgecastSupport

/// Resolves wall-clock times, quickly for records in the order of days: it keeps the offset of the last day without a
/// clock change.
struct SeattleClock {
    /// The times at which the wall clock showed a civil time: one, or two in the hour it repeats.
    struct Times {
        let earlier: Timestamp
        let later: Timestamp

        var isRepeated: Bool { earlier != later }
    }

    private var day: CivilDate?
    private var midnight = Timestamp(secondsSinceEpoch: 0)
    /// The text of the current day up to the T: its first and its last eight bytes.
    private var dayText: (UInt64, UInt64)?

    /// The times of a text in the API's format, if it is of the current day; most records are.
    @inline(__always)
    func times(_ bytes: Span<UInt8>, _ slice: FieldSlice) -> Times? {
        guard slice.end - slice.start == 23, let dayText,
            bytes.word(at: slice.start) == dayText.0,
            bytes.word(at: slice.start + 3) == dayText.1,
            let second = Self.secondOfDay(bytes, slice.start + 11)
        else { return nil }
        let time = midnight.adding(seconds: Int64(second))
        return Times(earlier: time, later: time)
    }

    /// Keeps the text of the day of the last times.
    mutating func cacheDay(_ bytes: Span<UInt8>, _ slice: FieldSlice, _ civil: CivilDateTime) {
        guard slice.end - slice.start == 23, civil.date == day else { return }
        dayText = (bytes.word(at: slice.start), bytes.word(at: slice.start + 3))
    }

    /// The second of the day of `hh:mm:ss.000`, or nil: as `TimeText` reads it, with all digits at once.
    @inline(__always)
    static func secondOfDay(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        let digits = bytes.word(at: start).littleEndian ^ 0x3030_3a30_303a_3030
        let fraction = bytes.word(at: start + 4).littleEndian >> 32
        let zeros: UInt64 = 0x3030_302e
        // A digit is at most 9 and a colon 0, or adding up to 127 sets a high bit.
        let high = (digits &+ 0x7676_7f76_767f_7676) | digits
        guard fraction == zeros, high & UInt64(everyByte: 0x80) == 0 else { return nil }
        // Tens and ones are adjacent: hours in bits 8...15, minutes in 32...39, seconds in 56...63.
        let numbers = digits &* 10 &<< 8 &+ digits
        let hour = Int(numbers >> 8 & 0xff)
        let minute = Int(numbers >> 32 & 0xff)
        let second = Int(numbers >> 56)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// The times of a civil time, or nil if the clock skipped it.
    mutating func times(_ civil: CivilDateTime) -> Times? {
        if civil.date == day {
            let time = midnight.adding(seconds: Int64(civil.secondOfDay))
            return Times(earlier: time, later: time)
        }
        let start = SeattleTime.startOfDay(civil.date)
        let next = SeattleTime.startOfDay(civil.date.adding(days: 1))
        if next.secondsSinceEpoch - start.secondsSinceEpoch == 86_400 {
            day = civil.date
            midnight = start
            dayText = nil
            return times(civil)
        }
        let candidates = SeattleTime.resolve(civil).candidates
        guard let earlier = candidates.first, let later = candidates.last else { return nil }
        return Times(earlier: earlier, later: later)
    }
}

/// The date format of the portal's export button.
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
