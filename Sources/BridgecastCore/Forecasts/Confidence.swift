/// How far to trust a forecast.
///
/// - HIGH: the bridge's state and past hour are known, there are at least 60 days of records,
///   and the arrival is at most 20 minutes ahead.
/// - LOW: fewer than 30 days of records, or the newest are over three years old; or the arrival is over half an hour
///   ahead, and fewer than 20 days of records are of its season.
/// - MEDIUM: everything else, such as a forecast from climatology alone.
public enum Confidence: String, Sendable, Codable, Comparable {
    /// Fewer than 30 days of records, none of the last three years, or hardly any of the season for an arrival far ahead.
    case low = "LOW"
    /// Between the others.
    case medium = "MEDIUM"
    /// The bridge's state is known, history is sufficient, and the arrival is at most 20 minutes ahead.
    case high = "HIGH"

    private static let minDaysForHigh = 60.0
    private static let minDaysForMedium = 30.0
    private static let maxLeadForHighMinutes = 20.0
    private static let minDaysOfSeason = 20.0
    /// Nearer arrivals depend on what is seen now more than on the season.
    private static let maxLeadWithoutSeasonMinutes = 30.0
    private static let maxAgeForMediumMinutes = 3 * 365.25 * 1440

    /// Applies the rule.
    ///
    /// If no records were read (``BridgeSituation/recordedUntil`` is nil), their age does not count.
    /// - Parameter history: Of the bridge, for the date of the arrival.
    public init(
        _ bridge: BridgeIndex, leadMinutes: Double, in situation: Situation,
        history: BridgeHistory
    ) {
        let days = history.coveredDays
        let isSeasonKnown =
            leadMinutes <= Self.maxLeadWithoutSeasonMinutes
            || history.coveredDaysOfSeason >= Self.minDaysOfSeason
        let newest = situation[bridge].recordedUntil
        let age = newest.map { situation.issueTime.minutes(since: $0) } ?? 0
        let known = situation[bridge]
        guard days >= Self.minDaysForMedium, age <= Self.maxAgeForMediumMinutes, isSeasonKnown
        else {
            self = .low
            return
        }
        let isInformed = known.state != .unknown && known.observedSince != nil
        self =
            isInformed && days >= Self.minDaysForHigh && leadMinutes <= Self.maxLeadForHighMinutes
            ? .high : .medium
    }

    /// Applies the rule to a forecast for an arrival, by the climatology of its model.
    package init(
        _ bridge: BridgeIndex, leadMinutes: Double, in situation: Situation,
        _ climatology: Climatology
    ) {
        let arrival = SeattleTime.civil(at: situation.issueTime.adding(minutes: leadMinutes))
        self.init(
            bridge, leadMinutes: leadMinutes, in: situation,
            history: BridgeHistory(
                openingsPerDay: 0,
                coveredDays: Double(climatology.coveredDays[bridge.rawValue]),
                coveredDaysOfSeason: climatology.coveredDays(of: bridge, like: arrival.date)))
    }

    /// Whether a climatology has too few days of the season of a date for arrivals over half an hour ahead, at all
    /// bridges.
    package static func isSeasonUnknown(on date: CivilDate, to climatology: Climatology) -> Bool {
        BridgeIndex.all.allSatisfy {
            climatology.coveredDays(of: $0, like: date) < minDaysOfSeason
        }
    }

    /// LOW < MEDIUM < HIGH.
    public static func < (lhs: Self, rhs: Self) -> Bool {
        lhs != rhs && (lhs == .low || rhs == .high)
    }
}

package enum ForecastBasis: String, Sendable, CaseIterable {
    /// The present state of the bridges of the waterway.
    case live
    /// The network's forecast without live states, from the day, the hour and the records. It differs from climatology,
    /// the frequency in the records.
    case calendar

    /// The basis of a forecast of a bridge for an arrival.
    ///
    /// The rule is that of ``FeatureBuilder``, which leaves live states out beyond an hour and where nothing is known
    /// along the waterway. For a bridge without a sensor its neighbours count.
    /// - Parameter leadMinutes: From the situation's issue time to the arrival.
    package init(_ bridge: BridgeIndex, leadMinutes: Double, in situation: Situation) {
        let isInformed =
            leadMinutes <= FeatureBuilder.longestLeadMinutes
            && BridgeCatalogue.along(BridgeCatalogue[bridge].waterway).contains {
                situation[$0].isInformed
            }
        self = isInformed ? .live : .calendar
    }
}

extension BridgeSituation {
    /// Whether its state or its recent past is known.
    package var isInformed: Bool { state != .unknown || observedSince != nil || !recent.isEmpty }
}
