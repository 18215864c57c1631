// Wall-clock times of records as moments, quick for records of one day after another; used by SDOTRecordParser.
internal import BridgecastCore

/// Resolves wall-clock times and remembers the offset of the last day without a clock change.
struct SeattleClock {
    /// The moments at which the wall clock showed a time: one, or two in the hour it repeats.
    struct Moments {
        let earlier: Timestamp
        let later: Timestamp

        var isRepeated: Bool { earlier != later }
    }

    private var day: CivilDate?
    private var midnight = Timestamp(secondsSinceEpoch: 0)
    /// The day as records write it, up to the T: its first and its last eight bytes.
    private var dayText: (UInt64, UInt64)?

    /// The moments of a time in the city's own form, if it is of the day before; most records are.
    @inline(__always)
    func moments(_ bytes: Span<UInt8>, _ slice: FieldSlice) -> Moments? {
        guard slice.end - slice.start == 23, let dayText,
            bytes.word(at: slice.start) == dayText.0,
            bytes.word(at: slice.start + 3) == dayText.1,
            let second = Self.secondOfDay(bytes, slice.start + 11)
        else { return nil }
        let moment = midnight.adding(seconds: Int64(second))
        return Moments(earlier: moment, later: moment)
    }

    /// Remembers how the day of the last moments was written.
    mutating func remember(_ bytes: Span<UInt8>, _ slice: FieldSlice, _ civil: CivilDateTime) {
        guard slice.end - slice.start == 23, civil.date == day else { return }
        dayText = (bytes.word(at: slice.start), bytes.word(at: slice.start + 3))
    }

    /// The second of the day of `hh:mm:ss.000`, or nil: what `TimeText` reads there, with all digits at once.
    @inline(__always)
    static func secondOfDay(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        let digits = bytes.word(at: start).littleEndian ^ 0x3030_3a30_303a_3030
        let (fraction, zeros) = (
            bytes.word(at: start + 4).littleEndian >> 32, 0x3030_302e as UInt64
        )
        // A digit is at most 9 and a colon 0, or adding up to 127 sets a high bit.
        let high = (digits &+ 0x7676_7f76_767f_7676) | digits
        guard fraction == zeros, high & UInt64(everyByte: 0x80) == 0 else { return nil }
        // Tens and ones stand beside each other: hours in bits 8...15, minutes in 32...39, seconds in 56...63.
        let numbers = digits &* 10 &<< 8 &+ digits
        let (hour, minute) = (Int(numbers >> 8 & 0xff), Int(numbers >> 32 & 0xff))
        let second = Int(numbers >> 56)
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// The moments of a civil time, or nil if the clock skipped it.
    mutating func moments(_ civil: CivilDateTime) -> Moments? {
        if civil.date == day {
            let moment = midnight.adding(seconds: Int64(civil.secondOfDay))
            return Moments(earlier: moment, later: moment)
        }
        let (start, next) = (
            SeattleTime.startOfDay(civil.date), SeattleTime.startOfDay(civil.date.adding(days: 1))
        )
        if next.secondsSinceEpoch - start.secondsSinceEpoch == 86_400 {
            (day, midnight, dayText) = (civil.date, start, nil)
            return moments(civil)
        }
        let candidates = SeattleTime.resolve(civil).candidates
        guard let earlier = candidates.first, let later = candidates.last else { return nil }
        return Moments(earlier: earlier, later: later)
    }
}
