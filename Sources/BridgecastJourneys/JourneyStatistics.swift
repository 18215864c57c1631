// What a journal says about a person's journeys: totals, delays, patterns, routes, and how good the forecasts were.
public import BridgecastCore
public import Foundation

/// Statistics of journeys over a range of time.
///
/// A figure that nothing is known for is nil: no mean of no journeys is a number.
public struct JourneyStatistics: Sendable, Equatable {
    /// The range.
    public var range: JourneyRange
    /// Its first time: that of the range, or the first journey's for all; nil without journeys.
    public var from: Timestamp?
    /// Its end: when they were computed.
    public var until: Timestamp
    /// A journey is on time if it arrives no later than this after its plan, minutes.
    public var thresholdMinutes: Double

    /// How many journeys began.
    public var journeys = 0
    /// How many arrived.
    public var arrived = 0
    /// How many were abandoned.
    public var abandoned = 0
    /// The mean delay of those that arrived, minutes; negative if they were early.
    public var meanDelayMinutes: Double?
    /// The median delay, minutes; of an even number the mean of both in the middle.
    public var medianDelayMinutes: Double?
    /// Journeys by the local hour at which they began, 24 counts.
    public var hourlyPattern = [Int](repeating: 0, count: 24)
    /// Journeys by the local day on which they began, Monday first, 7 counts.
    public var weeklyPattern = [Int](repeating: 0, count: 7)
    /// Journeys by month, from the first one's month to the last one's.
    public var monthlyTrend: [MonthCount] = []
    /// By route, the one with the most journeys first, then by name.
    public var routes: [RouteStatistics] = []
    /// How good the forecasts were; nil if no journey with a forecast arrived.
    public var forecasts: ForecastAccuracy?

    /// The hours with the most journeys, at most three, the busiest first; 0...23.
    public var peakHours: [Int] {
        hourlyPattern.indices.filter { hourlyPattern[$0] > 0 }
            .sorted { (hourlyPattern[$1], $0) < (hourlyPattern[$0], $1) }
            .prefix(Self.maxPeakHours).map { $0 }
    }

    /// The route with the most journeys; nil without any.
    public var busiestRoute: RouteStatistics? { routes.first }

    /// The default of ``thresholdMinutes``.
    public static let defaultThresholdMinutes = 5.0
    private static let maxPeakHours = 3

    /// The journeys of a month.
    public struct MonthCount: Sendable, Equatable {
        /// The month, such as `2026-02`.
        public var month: String
        /// How many journeys began in it.
        public var journeys: Int
    }

    /// Computes the statistics of journeys.
    ///
    /// - Parameters:
    ///   - journeys: All of the journal; those that began before the range or after `now` are left out.
    ///   - now: The end of the range.
    ///   - zone: The person's time zone, by whose calendar days, hours and months are counted.
    ///   - thresholdMinutes: See ``thresholdMinutes``.
    /// - Complexity: O(n) for journeys in order of their start, as the journal has them, else O(n log n).
    public init(
        of journeys: [Journey], range: JourneyRange, now: Timestamp, zone: TimeZone,
        thresholdMinutes: Double = Self.defaultThresholdMinutes
    ) {
        self.range = range
        self.thresholdMinutes = thresholdMinutes
        until = now
        let first = range.start(now: now, zone: zone)
        let end = now.adding(seconds: Journey.clockToleranceSeconds)
        let empty = JourneyTally(zone, thresholdSeconds: Int64((thresholdMinutes * 60).rounded()))
        var tally = empty
        var journeys = journeys
        if !tally.add(journeys, from: first, through: end) {
            journeys.sort { $0.start < $1.start }
            tally = empty
            _ = tally.add(journeys, from: first, through: end)
        }
        from = first ?? tally.firstStart
        tally.finish(&self, of: journeys)
    }
}

/// How often a route is used.
///
/// The rule: local days with a journey, divided by the days from its first journey in the range to the range's end, at
/// least 14. Four days in seven or more are daily, one in seven weekly, one in thirty monthly, fewer rarely.
public enum UsageFrequency: String, Sendable, Codable, CaseIterable {
    /// On four days in seven or more.
    case daily
    /// On one day in seven or more.
    case weekly
    /// On one day in thirty or more.
    case monthly
    /// Less often.
    case rarely

    static let minDays = 14

    /// - Parameters:
    ///   - days: Days with a journey.
    ///   - span: Days since the first, the last one counted too.
    init(days: Int, span: Int) {
        let span = max(span, Self.minDays)
        self =
            days * 7 >= span * 4
            ? .daily
            : days * 7 >= span
                ? .weekly
                : days * 30 >= span ? .monthly : .rarely
    }
}

/// The statistics of one route.
public struct RouteStatistics: Sendable, Equatable, Identifiable {
    /// See ``Journey/route``.
    public var id: String
    /// The name of its last journey.
    public var name: String
    /// How many journeys began.
    public var journeys: Int
    /// How many arrived.
    public var arrived: Int
    /// How many of those were on time.
    public var onTime: Int
    /// The mean delay of those that arrived, minutes; nil if none did.
    public var meanDelayMinutes: Double?
    /// How often it is used.
    public var frequency: UsageFrequency
    /// When its last journey began.
    public var lastUsed: Timestamp

    /// The share of its journeys that were on time, 0...1; nil if none arrived.
    public var reliability: Double? { arrived > 0 ? Double(onTime) / Double(arrived) : nil }

    /// The lower bound of ``reliability`` with 95 % confidence; nil if none arrived.
    ///
    /// Three journeys of three on time are not yet a reliable route: their bound is 0.44.
    public var reliabilityLowerBound: Double? {
        WilsonInterval(successes: onTime, trials: arrived)?.lower
    }
}

/// How good the forecasts at the start of a person's journeys were.
public struct ForecastAccuracy: Sendable, Equatable {
    /// Journeys with a forecast that arrived.
    public var journeys: Int
    /// The mean of travel time minus expected time, minutes; positive if journeys took longer.
    public var meanErrorMinutes: Double
    /// The mean of the error's magnitude, minutes.
    public var meanAbsoluteErrorMinutes: Double
    /// How many took no longer than their P90.
    public var withinP90: Int
    /// Those over a drawbridge of which it is known too whether they were stopped.
    public var stopsKnown: Int
    /// How many of those were stopped.
    public var stopped: Int
    /// The Brier score of the probability of being stopped, 0 (perfect) to 1; nil if no stop is known.
    ///
    /// Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78 (1950): the mean
    /// of the squared difference between probability and outcome, for one of two outcomes.
    public var brierScore: Double?

    /// The share that took no longer than their P90; 0.9 is right.
    public var p90Coverage: Double { Double(withinP90) / Double(journeys) }

    /// The Brier score of always forecasting the person's own base rate, known only afterwards; nil as ``brierScore``.
    public var referenceBrierScore: Double? {
        guard stopsKnown > 0 else { return nil }
        let rate = Double(stopped) / Double(stopsKnown)
        return rate * (1 - rate)
    }

    /// The share of the reference's Brier score that the forecasts removed; nil if the reference is 0.
    public var brierSkill: Double? {
        guard let brierScore, let referenceBrierScore, referenceBrierScore > 0 else { return nil }
        return 1 - brierScore / referenceBrierScore
    }
}

/// The 95 % score interval of a share.
///
/// Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American Statistical
/// Association 22 (1927), pages 209-212.
public struct WilsonInterval: Sendable, Equatable {
    /// The lower bound, 0...1.
    public let lower: Double
    /// The upper bound, 0...1.
    public let upper: Double

    /// The 97.5 % quantile of the normal distribution.
    private static let z = 1.959963984540054

    /// The interval of a number of successes; nil without trials.
    ///
    /// - Precondition: `successes` is 0...`trials`.
    public init?(successes: Int, trials: Int) {
        guard trials > 0 else { return nil }
        precondition((0...trials).contains(successes), "more successes than trials")
        let n = Double(trials)
        let share = Double(successes) / n
        let square = Self.z * Self.z
        let middle = share + square / (2 * n)
        let spread = Self.z * (share * (1 - share) / n + square / (4 * n * n)).squareRoot()
        let scale = 1 + square / n
        // Rounding may leave -1e-17 where the bound is 0.
        lower = max(0, (middle - spread) / scale)
        upper = min(1, (middle + spread) / scale)
    }
}
