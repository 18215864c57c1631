// How far a forecast can be trusted, by a rule that anyone can check.

/// How far to trust a forecast.
///
/// - HIGH: the bridge's state and past hour are known, at least 60 days of records stand behind it,
///   and the arrival is at most 20 minutes ahead.
/// - LOW: fewer than 30 days of records, or the newest are over three years old.
/// - MEDIUM: everything else, such as a forecast from climatology alone.
public enum Confidence: String, Sendable, Codable, Comparable {
    /// Fewer than 30 days of records, or none of the last three years.
    case low = "LOW"
    /// Between the others.
    case medium = "MEDIUM"
    /// What the bridge does now is known, and history enough; at most 20 minutes ahead.
    case high = "HIGH"

    static let daysForHigh = 60.0
    static let daysForMedium = 30.0
    static let leadForHighMinutes = 20.0
    static let oldestForMediumMinutes = 3 * 365.25 * 1440

    /// Applies the rule.
    ///
    /// Records that nobody asked for (``BridgeSituation/recordedUntil``) are not held against a forecast.
    /// - Parameter coveredDays: Days of records behind the forecast, as ``BridgeHistory`` has them.
    public init(
        _ bridge: BridgeIndex, leadMinutes: Double, in situation: Situation,
        coveredDays days: Double
    ) {
        let newest = situation[bridge].recordedUntil
        let age = newest.map { situation.issueTime.minutes(since: $0) } ?? 0
        let known = situation[bridge]
        guard days >= Self.daysForMedium, age <= Self.oldestForMediumMinutes else {
            self = .low
            return
        }
        let isInformed = known.state != .unknown && known.observedSince != nil
        self =
            isInformed && days >= Self.daysForHigh && leadMinutes <= Self.leadForHighMinutes
            ? .high : .medium
    }

    /// LOW < MEDIUM < HIGH.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rank < rhs.rank }

    private var rank: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .high: 2
        }
    }
}
