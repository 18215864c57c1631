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
    /// The day as records write it, up to the T.
    private var dayText: [UInt8] = []

    /// The moments of a time in the city's own form, if it is of the day before; most records are.
    func moments(_ bytes: Span<UInt8>, _ slice: FieldSlice) -> Moments? {
        guard slice.end - slice.start == 23, dayText.count == 11,
            bytes.holds(dayText.span, at: slice.start),
            let second = TimeText.secondOfDay(bytes, slice.start + 11)
        else { return nil }
        let moment = midnight.adding(seconds: Int64(second))
        return Moments(earlier: moment, later: moment)
    }

    /// Remembers how the day of the last moments was written.
    mutating func remember(_ bytes: Span<UInt8>, _ slice: FieldSlice, _ civil: CivilDateTime) {
        guard slice.end - slice.start == 23, civil.date == day else { return }
        dayText = (slice.start..<slice.start + 11).map { bytes[$0] }
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
            (day, midnight, dayText) = (civil.date, start, [])
            return moments(civil)
        }
        let candidates = SeattleTime.resolve(civil).candidates
        guard let earlier = candidates.first, let later = candidates.last else { return nil }
        return Moments(earlier: earlier, later: later)
    }
}
