// What is known of the bridges at issue time: the only door from records to features.

/// Whether a span is known to be up or down.
public enum SpanState: Sendable, Hashable, Codable {
    /// No complete record and no live reading.
    case unknown
    /// Down: cars pass.
    case lowered
    /// Up: the road is closed; since when, if that is known.
    case raised(since: Timestamp?)
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

/// What is known of one bridge at issue time.
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
    /// Covered days among those 28, by ``DayType`` raw value.
    public package(set) var coveredDaysInFourWeeks: [Double] = [0, 0]
    /// End of the bridge's records as known at issue time, ``Timestamp/earliest`` if there are none; nil if
    /// no records were asked.
    public package(set) var recordedUntil: Timestamp?

    /// Nothing known.
    public static let unknown = BridgeSituation()

    /// Whether anything is known that a forecast may use.
    package var saysSomething: Bool {
        var said = self
        said.recordedUntil = nil
        return said != .unknown
    }
}

/// What is known of all bridges at issue time.
public struct Situation: Sendable, Equatable {
    /// The moment the forecast is made.
    public let issueTime: Timestamp
    /// One entry per bridge, by ``BridgeIndex``.
    public package(set) var bridges: [BridgeSituation]

    /// A situation in which nothing is known but the time.
    public static func unknown(at issueTime: Timestamp) -> Situation {
        let none = Array(repeating: BridgeSituation.unknown, count: BridgeCatalogue.count)
        return Situation(issueTime: issueTime, bridges: none)
    }

    /// What is known of one bridge.
    public subscript(bridge: BridgeIndex) -> BridgeSituation {
        get { bridges[bridge.rawValue] }
        set { bridges[bridge.rawValue] = newValue }
    }
}

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
    private var coveredDays: [Float] = []

    init(_ history: OpeningHistory, of bridge: BridgeIndex) {
        let periods = history.coverage.periods[bridge.rawValue]
        guard let first = periods.first, let last = periods.last else { return }
        firstDay = SeattleTime.civil(at: first.lowerBound).date.dayNumber
        let count = SeattleTime.civil(at: last.upperBound).date.dayNumber - firstDay + 1
        openings = Array(repeating: 0, count: count)
        coveredDays = Array(repeating: 0, count: count)
        for period in periods { addCoverage(period) }
        for opening in history.openings[bridge.rawValue]
        where history.coverage.contains(opening.start, of: bridge) {
            openings[SeattleTime.civil(at: opening.start).date.dayNumber - firstDay] += 1
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
            let dayType = DayType(CivilDate(dayNumber: day))
            situation.coveredDaysInFourWeeks[dayType.rawValue] += Double(coveredDays[index])
        }
    }
}
