// The only door from records to what a forecast may know: nothing later than the issue time comes through it.

/// Reads situations out of a history, showing nothing later than the issue time.
public struct SituationReader: Sendable {
    /// How far back openings are listed one by one.
    static let recentSeconds: Int64 = 6 * 3600
    /// Less observation than this counts as none.
    static let leastObservationSeconds: Int64 = 3600

    private let history: OpeningHistory
    private let dailyTotals: [DailyTotals]

    /// Creates a reader; O(openings + covered days).
    public init(_ history: OpeningHistory) {
        self.history = history
        dailyTotals = BridgeIndex.all.map { DailyTotals(history, of: $0) }
    }

    /// What the records say at a moment, and nothing they say about later; O(log n) per bridge.
    public func situation(at issueTime: Timestamp) -> Situation {
        let today = SeattleTime.civil(at: issueTime).date
        let midnight = SeattleTime.startOfDay(today)
        return Situation(
            issueTime: issueTime,
            bridges: BridgeIndex.all.map { bridge($0, at: issueTime, today, midnight) })
    }

    private func bridge(
        _ bridge: BridgeIndex, at issueTime: Timestamp, _ today: CivilDate, _ midnight: Timestamp
    ) -> BridgeSituation {
        var situation = BridgeSituation()
        situation.recordedUntil =
            history.coverage.end(of: bridge, before: issueTime) ?? .earliest
        dailyTotals[bridge.rawValue].addFourWeeks(before: today, to: &situation)
        guard let period = history.coverage.period(containing: issueTime, of: bridge),
            period.lowerBound.adding(seconds: Self.leastObservationSeconds) <= issueTime
        else { return situation }
        situation.observedSince = period.lowerBound
        let started = history.started(by: issueTime, of: bridge)
        let dayStart = max(midnight, period.lowerBound)
        situation.openingsToday = started.reversed().prefix { $0.start >= dayStart }.count
        let horizon = max(period.lowerBound, issueTime.adding(seconds: -Self.recentSeconds))
        situation.recent = started.reversed().prefix { ($0.end ?? $0.start) > horizon }
            .map { $0.known(at: issueTime) }
        if let newest = situation.recent.first, newest.end == nil {
            situation.state = .raised(since: newest.start)
        } else {
            situation.state = .lowered
        }
        return situation
    }
}

extension Opening {
    /// The opening as it looks at a moment not before its start.
    fileprivate func known(at moment: Timestamp) -> KnownOpening {
        if let seam = seams.first(where: { $0.contains(moment) }) {
            return KnownOpening(start: start, end: seam.lowerBound)
        }
        guard let end, end <= moment else { return KnownOpening(start: start, end: nil) }
        return KnownOpening(start: start, end: end)
    }
}

/// Openings and coverage of one bridge per civil day, for the trend of the last weeks.
private struct DailyTotals: Sendable {
    private var firstDay = 0
    private var openings: [Int32] = []
    private var lengths: [LengthTotals] = []
    private var coveredDays: [Float] = []

    init(_ history: OpeningHistory, of bridge: BridgeIndex) {
        let periods = history.coverage.periods[bridge.rawValue]
        guard let first = periods.first, let last = periods.last else { return }
        firstDay = SeattleTime.civil(at: first.lowerBound).date.dayNumber
        let count = SeattleTime.civil(at: last.upperBound).date.dayNumber - firstDay + 1
        openings = Array(repeating: 0, count: count)
        lengths = Array(repeating: LengthTotals(), count: count)
        coveredDays = Array(repeating: 0, count: count)
        for period in periods { addCoverage(period) }
        for opening in history.openings[bridge.rawValue]
        where history.coverage.contains(opening.start, of: bridge) {
            openings[SeattleTime.civil(at: opening.start).date.dayNumber - firstDay] += 1
            // A length is known on the day on which the opening ends, not on that on which it began.
            guard let end = opening.end, let minutes = opening.minutes else { continue }
            let day = SeattleTime.civil(at: end).date.dayNumber - firstDay
            if lengths.indices.contains(day) { lengths[day].add(minutes: minutes) }
        }
    }

    private mutating func addCoverage(_ period: Range<Timestamp>) {
        var date = SeattleTime.civil(at: period.lowerBound).date
        var start = period.lowerBound
        while start < period.upperBound {
            date = date.adding(days: 1)
            let end = min(SeattleTime.startOfDay(date), period.upperBound)
            coveredDays[date.dayNumber - 1 - firstDay] += Float(end.minutes(since: start) / 1440)
            start = end
        }
    }

    func addFourWeeks(before today: CivilDate, to situation: inout BridgeSituation) {
        for day in (today.dayNumber - 28)..<today.dayNumber {
            let index = day - firstDay
            guard openings.indices.contains(index), coveredDays[index] > 0 else { continue }
            situation.openingsInFourWeeks += Int(openings[index])
            situation.lengthsInFourWeeks.add(lengths[index])
            let dayType = DayType(CivilDate(dayNumber: day))
            situation.coveredDaysInFourWeeks[dayType.rawValue] += Double(coveredDays[index])
        }
    }
}
