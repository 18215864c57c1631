// SituationReader is the only way from records to features: nothing later passes it.
private import Foundation

/// The known state of all bridges at issue time.
public struct Situation: Sendable, Equatable {
    /// The time the forecast is made.
    public let issueTime: Timestamp
    /// One entry per bridge, by ``BridgeIndex``.
    public package(set) var bridges: [BridgeSituation]

    /// A situation in which nothing is known but the time.
    public static func unknown(at issueTime: Timestamp) -> Situation {
        Situation(issueTime: issueTime, bridges: unknownBridges)
    }

    private static let unknownBridges = Array(
        repeating: BridgeSituation.unknown, count: BridgeCatalogue.count)

    /// The known state of one bridge.
    public subscript(bridge: BridgeIndex) -> BridgeSituation {
        get { bridges[bridge.rawValue] }
        set { bridges[bridge.rawValue] = newValue }
    }
}

/// The known state and recent openings of one bridge at issue time.
public struct BridgeSituation: Sendable, Equatable {
    /// Up, down or unknown now.
    public var state: SpanState = .unknown
    /// From when to the issue time every opening is known; nil if the recent past is unknown.
    public var observedSince: Timestamp?
    /// Openings of the last six hours, newest first; complete only back to `observedSince`.
    public var recent: [KnownOpening] = []
    /// Openings since midnight or since `observedSince`, whichever is later.
    public package(set) var openingsToday = 0
    /// Openings on the 28 days before today, where covered.
    public package(set) var openingsInFourWeeks = 0
    /// Covered days among those 28, by ``DayType`` raw value; of a day covered in part, the share of a day's openings
    /// that its hours have.
    public package(set) var coveredDaysInFourWeeks: [Double] = [0, 0]
    /// Lengths of the openings that ended on the 28 days before today, where covered.
    public package(set) var lengthsInFourWeeks = LengthTotals()
    /// End of the bridge's records as known at issue time, ``Timestamp/earliest`` if there are none; nil if
    /// no records were read.
    public package(set) var recordedUntil: Timestamp?

    /// Nothing known.
    public static let unknown = BridgeSituation()

    /// Whether anything is known that a forecast may use.
    package var isUsable: Bool {
        var usable = self
        usable.recordedUntil = nil
        return usable != .unknown
    }
}

/// Whether a span is known to be up or down.
public enum SpanState: Sendable, Hashable, Codable {
    /// No complete record and no live reading.
    case unknown
    /// Down: cars pass.
    case lowered
    /// Up: the road is closed; since when, if that is known.
    case raised(since: Timestamp?)

    package var isRaised: Bool { if case .raised = self { true } else { false } }
}

extension SpanState: CustomStringConvertible {
    /// "unknown", "lowered", "raised" or "raised since" a time in RFC 3339.
    public var description: String {
        switch self {
        case .unknown: "unknown"
        case .lowered: "lowered"
        case .raised(since: nil): "raised"
        case .raised(let since?): "raised since \(TimeText.rfc3339(since))"
        }
    }
}

/// An opening as it looks at issue time: an end still to come is not known.
public struct KnownOpening: Sendable, Hashable, Codable {
    /// When the road closed.
    public let start: Timestamp
    /// When it opened again; nil while the span is up.
    public let end: Timestamp?

    /// Creates a known opening.
    public init(start: Timestamp, end: Timestamp?) {
        self.start = start
        self.end = end
    }
}

/// How many openings there were, and how long they lasted together.
public struct LengthTotals: Sendable, Equatable {
    /// An opening of this many minutes or more is long.
    public static let longMinutes = 12.0
    /// Lengths are clamped to these bounds, minutes, so that tests and stuck spans do not dominate the sums.
    package static let boundsMinutes = 1.0...60.0

    /// Openings whose length is known.
    public private(set) var count = 0
    /// The sum of the natural logarithms of their lengths in minutes.
    public private(set) var logMinutes = 0.0
    /// Openings of ``longMinutes`` and more.
    public private(set) var longCount = 0

    /// No openings.
    public init() {}

    init(count: Int, logMinutes: Double, longCount: Int) {
        self.count = count
        self.logMinutes = logMinutes
        self.longCount = longCount
    }

    package mutating func add(minutes: Double) {
        count += 1
        logMinutes += Self.logMinutes(minutes)
        if minutes >= Self.longMinutes { longCount += 1 }
    }

    mutating func add(_ other: LengthTotals) {
        count += other.count
        logMinutes += other.logMinutes
        longCount += other.longCount
    }

    /// The natural logarithm of a length in minutes, within the bounds.
    package static func logMinutes(_ minutes: Double) -> Double {
        log(min(max(minutes, boundsMinutes.lowerBound), boundsMinutes.upperBound))
    }
}

// MARK: - From records to a situation

/// Reads situations out of a history, showing nothing later than the issue time.
public struct SituationReader: Sendable {
    /// How far back openings are listed individually.
    package static let recentSeconds: Int64 = 6 * 3600
    /// Less observation than this counts as none.
    static let minObservationSeconds: Int64 = 3600

    private let history: OpeningHistory
    private let observation: Coverage
    private let dailyTotals: [DailyTotals]

    /// Creates a reader; O(openings + covered days).
    public init(_ history: OpeningHistory) {
        self.history = history
        let observation = history.observation
        self.observation = observation
        dailyTotals = BridgeIndex.all.map { DailyTotals(history, observation, of: $0) }
    }

    /// What the records report at a time, without anything later; O(log n) per bridge.
    public func situation(at issueTime: Timestamp) -> Situation {
        let today = SeattleTime.civil(at: issueTime).date
        let midnight = SeattleTime.startOfDay(today)
        return Situation(
            issueTime: issueTime,
            bridges: BridgeIndex.all.map {
                bridge($0, at: issueTime, today: today, midnight: midnight)
            })
    }

    private func bridge(
        _ bridge: BridgeIndex, at issueTime: Timestamp, today: CivilDate, midnight: Timestamp
    ) -> BridgeSituation {
        var situation = BridgeSituation()
        situation.recordedUntil = observation.end(of: bridge, before: issueTime) ?? .earliest
        dailyTotals[bridge.rawValue].addFourWeeks(before: today, at: issueTime, to: &situation)
        guard let period = observation.period(containing: issueTime, of: bridge),
            period.lowerBound.adding(seconds: Self.minObservationSeconds) <= issueTime
        else { return situation }
        situation.observedSince = period.lowerBound
        let started = history.started(by: issueTime, of: bridge)
        let dayStart = max(midnight, period.lowerBound)
        situation.openingsToday = started.reversed().prefix { $0.start >= dayStart }.count
        let horizon = max(period.lowerBound, issueTime.adding(seconds: -Self.recentSeconds))
        situation.recent = started.reversed().prefix { ($0.end ?? $0.start) > horizon }
            .map { $0.known(at: issueTime) }
        if let newest = situation.recent.first, newest.end == nil {
            let isStartKnown = history.isStartKnown(newest.start, of: bridge)
            situation.state = .raised(since: isStartKnown ? newest.start : nil)
            // As in a live situation, an opening under way is listed if it is known since when.
            if !isStartKnown { situation.recent.removeFirst() }
        } else {
            situation.state = .lowered
        }
        return situation
    }
}

extension OpeningHistory {
    /// Whether an opening that is recorded with a start began then.
    package func isStartKnown(_ start: Timestamp, of bridge: BridgeIndex) -> Bool {
        coverage.contains(start, of: bridge) || !doubtedStarts.contains(start, of: bridge)
    }
}

extension Opening {
    /// The opening as it looks at a time not before its start.
    fileprivate func known(at time: Timestamp) -> KnownOpening {
        if let seam = seams.first(where: { $0.contains(time) }) {
            return KnownOpening(start: start, end: seam.lowerBound)
        }
        guard let end, end <= time else { return KnownOpening(start: start, end: nil) }
        return KnownOpening(start: start, end: end)
    }
}

/// Openings and coverage of one bridge per civil day, for the trend of the last weeks.
private struct DailyTotals: Sendable {
    private var firstDay = 0
    private var openings: [Int32] = []
    private var lengths: [LengthTotals] = []
    private var coveredDays: [Float] = []
    private var midnightSeams: [MidnightSeam] = []

    /// A gap over midnight in an opening that was recorded in pieces.
    ///
    /// While the gap lasts, the opening has ended on the day before; that it continues is known only later.
    private struct MidnightSeam {
        let gap: Range<Timestamp>
        /// The day on which the gap begins, as ``CivilDate/dayNumber``.
        let day: Int
        /// The length of the opening up to the gap.
        let minutes: Double
    }

    init(_ history: OpeningHistory, _ observation: Coverage, of bridge: BridgeIndex) {
        let periods = observation.periods[bridge.rawValue]
        guard let first = periods.first, let last = periods.last else { return }
        firstDay = SeattleTime.civil(at: first.lowerBound).date.dayNumber
        let count = SeattleTime.civil(at: last.upperBound).date.dayNumber - firstDay + 1
        openings = Array(repeating: 0, count: count)
        lengths = Array(repeating: LengthTotals(), count: count)
        coveredDays = Array(repeating: 0, count: count)
        for period in periods { addCoverage(period) }
        for opening in history.openings[bridge.rawValue]
        where observation.contains(opening.start, of: bridge) {
            openings[SeattleTime.civil(at: opening.start).date.dayNumber - firstDay] += 1
            // A length becomes known on the day on which the opening ends.
            guard let end = opening.end, let minutes = opening.minutes,
                !history.doubtedStarts.contains(opening.start, of: bridge)
            else { continue }
            let day = SeattleTime.civil(at: end).date.dayNumber - firstDay
            if lengths.indices.contains(day) { lengths[day].add(minutes: minutes) }
            addSeams(of: opening)
        }
    }

    private mutating func addSeams(of opening: Opening) {
        for gap in opening.seams {
            let day = SeattleTime.civil(at: gap.lowerBound).date.dayNumber
            guard SeattleTime.civil(at: gap.upperBound).date.dayNumber > day else { continue }
            midnightSeams.append(
                MidnightSeam(
                    gap: gap, day: day, minutes: gap.lowerBound.minutes(since: opening.start)))
        }
    }

    private mutating func addCoverage(_ period: Range<Timestamp>) {
        var date = SeattleTime.civil(at: period.lowerBound).date
        var start = period.lowerBound
        while start < period.upperBound {
            date = date.adding(days: 1)
            let midnight = SeattleTime.startOfDay(date)
            let end = min(midnight, period.upperBound)
            func share(before time: Timestamp) -> Double {
                time == midnight
                    ? 1 : FourWeeks.shareOfDay(before: SeattleTime.civil(at: time).secondOfDay)
            }
            // In the hour that the clock repeats, a period may end at an earlier clock time than it began.
            coveredDays[date.dayNumber - 1 - firstDay] += Float(
                max(0, share(before: end) - share(before: start)))
            start = end
        }
    }

    func addFourWeeks(
        before today: CivilDate, at issueTime: Timestamp, to situation: inout BridgeSituation
    ) {
        let seam = midnightSeams.first { $0.gap.contains(issueTime) }
        for day in (today.dayNumber - FourWeeks.days)..<today.dayNumber {
            let index = day - firstDay
            guard openings.indices.contains(index), coveredDays[index] > 0 else { continue }
            situation.openingsInFourWeeks += Int(openings[index])
            var lengthsOfDay = lengths[index]
            if let seam, seam.day == day { lengthsOfDay.add(minutes: seam.minutes) }
            situation.lengthsInFourWeeks.add(lengthsOfDay)
            let dayType = DayType(CivilDate(dayNumber: day))
            situation.coveredDaysInFourWeeks[dayType.rawValue] += Double(coveredDays[index])
        }
    }
}
