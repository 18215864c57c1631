// How long openings last by age, bridge and what is known. Its fit is in BridgecastTraining.
private import Foundation

/// A logistic hazard of being lowered in minute k + 1 of an opening that is still up after k.
///
/// ln(h / (1 - h)) = base(k) + own(bridge, k) + e(k) early . x + (1 - e(k)) late . x
///
/// `base` and `own` are linear between knots and constant beyond the last; `e` is 1 up to 2 minutes and 0 from 5 on;
/// `x` are what is known (`LengthCovariates`). After 18 minutes the hazard no longer depends on the age: the tail is
/// geometric.
public struct LengthLaw: Sendable, Equatable {
    /// Ages at which the base of all bridges is given, minutes.
    package static let baseKnots: [Double] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18]
    /// Ages at which the addition of a bridge is given.
    package static let ownKnots: [Double] = [0, 2, 4, 6, 8, 11, 15]
    /// Minutes with a hazard of their own; the last one's also holds for all later minutes.
    package static let minuteCount = 19
    /// Until when the early coefficients count alone, and from when the late ones do.
    private static let earlyMinutes = (all: 2.0, none: 5.0)
    /// Bounds of the odds of a hazard: e to the power of -9 and 9.
    private static let minOdds = 1.2340980408667956e-4
    private static let maxOdds = 8103.083927575384

    /// Coefficients that are fitted: base, bridges, early and late covariates.
    package static let coefficientCount =
        baseKnots.count + BridgeCatalogue.count * ownKnots.count + 2 * LengthCovariates.names.count
    /// Numbers of a law: coefficients, then by bridge the mean of ln(minutes) and the share of long openings.
    public static let parameterCount = coefficientCount + 2 * BridgeCatalogue.count

    /// All numbers, ``parameterCount`` of them, as a model file carries them.
    public let parameters: [Float]
    /// Odds against being lowered without covariates, [bridge, minute].
    private let oddsAgainst: [Double]

    /// Creates a law; nil if the count is not ``parameterCount``, a magnitude exceeds 30 or a share is not in 0...1.
    public init?(_ parameters: [Float]) {
        guard parameters.count == Self.parameterCount, parameters.allSatisfy({ abs($0) <= 30 }),
            parameters.suffix(BridgeCatalogue.count).allSatisfy({ $0 >= 0 && $0 <= 1 })
        else { return nil }
        self.parameters = parameters
        oddsAgainst = BridgeIndex.all.flatMap { bridge in
            (0..<Self.minuteCount).map { minute in
                exp(
                    -Self.terms(bridge, minute: minute).reduce(0) {
                        $0 + Double(parameters[$1.index]) * $1.weight
                    })
            }
        }
    }

    /// The coefficients that the hazard of a bridge in a minute depends on without covariates, with their weights.
    package static func terms(
        _ bridge: BridgeIndex, minute: Int
    ) -> [(index: Int, weight: Double)] {
        let own = baseKnots.count + bridge.rawValue * ownKnots.count
        return hats(Double(minute), baseKnots, from: 0) + hats(Double(minute), ownKnots, from: own)
    }

    /// The indices of the first coefficients of the covariates, for the first minutes and for the later ones.
    package static let covariateIndices: (early: Int, late: Int) = {
        let early = coefficientCount - 2 * LengthCovariates.names.count
        return (early, early + LengthCovariates.names.count)
    }()

    /// How much the early coefficients count in a minute, 0...1; the late ones count for the rest.
    package static func earlyWeight(minute: Int) -> Double {
        let (all, none) = earlyMinutes
        return min(max((none - Double(minute)) / (none - all), 0), 1)
    }

    /// The mean of ln(minutes) of a bridge's openings.
    package func meanLogMinutes(of bridge: BridgeIndex) -> Double {
        Double(parameters[Self.coefficientCount + bridge.rawValue])
    }

    /// The share of a bridge's openings that are long, 0...1.
    package func longShare(of bridge: BridgeIndex) -> Double {
        Double(parameters[Self.coefficientCount + BridgeCatalogue.count + bridge.rawValue])
    }

    /// The survival curve of a bridge's openings, given what is known; four exponentials.
    package func survival(of bridge: BridgeIndex, _ known: LengthCovariates) -> LengthSurvival {
        let (early, late) = Self.covariateIndices
        var first = 0.0
        var later = 0.0
        for index in 0..<known.values.count {
            first += Double(parameters[early + index]) * known.values[index]
            later += Double(parameters[late + index]) * known.values[index]
        }
        var hazards = InlineArray<19, Double>(repeating: 0)
        // The covariates multiply the odds of many minutes by the same factor.
        var newestShare = -1.0
        var factor = 1.0
        for minute in 0..<Self.minuteCount {
            let share = Self.earlyWeight(minute: minute)
            if share != newestShare {
                newestShare = share
                factor = exp(-(share * first + (1 - share) * later))
            }
            let odds = oddsAgainst[bridge.rawValue * Self.minuteCount + minute] * factor
            hazards[minute] = 1 / (1 + min(max(odds, Self.minOdds), Self.maxOdds))
        }
        return LengthSurvival(hazards: hazards)
    }

    private static func hats(
        _ value: Double, _ knots: [Double], from first: Int
    ) -> [(index: Int, weight: Double)] {
        guard let after = knots.firstIndex(where: { $0 > value }) else {
            return [(first + knots.count - 1, 1)]
        }
        let share = (value - knots[after - 1]) / (knots[after] - knots[after - 1])
        return [(first + after - 1, 1 - share), (first + after, share)]
    }
}

/// What is known at issue time that makes openings of a bridge longer or shorter than its mean; 0 where nothing is.
package struct LengthCovariates: Sendable {
    /// Names of the values, in order.
    package static let names = ["lastLengths", "convoyLengths", "night", "weekday", "longLately"]

    /// The values that no other feature has.
    static let notInOtherFeatures = [0, 1, 4]

    /// - lastLengths: Mean of ln(length) of the last six hours' openings less the bridge's mean, the newest with the
    ///   most weight, drawn to 0.
    /// - convoyLengths: The same of the openings along the waterway that began in the last 40 minutes.
    /// - night: 0...1, cyclic, highest at 2:00.
    /// - weekday: 1 on weekdays, 0 on weekends and federal holidays.
    /// - longLately: ln of the long openings of four weeks over those expected, drawn to 0.
    package private(set) var values: InlineArray<5, Double> = [0, 0, 0, 0, 0]

    /// Openings this many minutes ago have the weight 1/e.
    private static let decayMinutes = 120.0
    /// The weight of the mean, in openings.
    private static let prior = 1.0
    private static let convoyMinutes = 40.0

    /// Reads the values out of a situation; O(openings of six hours).
    package init(_ bridge: BridgeIndex, in situation: Situation, _ law: LengthLaw) {
        let civil = SeattleTime.civil(at: situation.issueTime)
        self.init(bridge, in: situation, civil: civil, dayType: DayType(civil.date), law: law)
    }

    init(
        _ bridge: BridgeIndex, in situation: Situation, civil: CivilDateTime,
        dayType: DayType, law: LengthLaw
    ) {
        let own = situation[bridge]
        values[0] = Self.lastLengths(own, at: situation.issueTime, law.meanLogMinutes(of: bridge))
        values[1] = Self.convoyLengths(bridge, in: situation, law)
        values[2] = 0.5 + 0.5 * cos(2 * .pi * (civil.minuteOfDay / 60 - 2) / 24)
        values[3] = dayType == .weekday ? 1 : 0
        let lately = own.lengthsInFourWeeks
        let expected = law.longShare(of: bridge) * Double(lately.count)
        values[4] = log((Double(lately.longCount) + Self.prior) / (expected + Self.prior))
    }

    private static func lastLengths(
        _ own: BridgeSituation, at issueTime: Timestamp, _ mean: Double
    ) -> Double {
        var sum = 0.0
        var weights = prior
        for opening in own.recent {
            guard let end = opening.end else { continue }
            let weight = exp(-issueTime.minutes(since: end) / decayMinutes)
            sum += weight * (LengthTotals.logMinutes(end.minutes(since: opening.start)) - mean)
            weights += weight
        }
        return sum / weights
    }

    private static func convoyLengths(
        _ bridge: BridgeIndex, in situation: Situation, _ law: LengthLaw
    ) -> Double {
        var sum = 0.0
        var weights = prior
        for other in BridgeCatalogue.along(BridgeCatalogue[bridge].waterway) where other != bridge {
            for opening in situation[other].recent {
                guard situation.issueTime.minutes(since: opening.start) <= convoyMinutes else {
                    break
                }
                let end = opening.end ?? situation.issueTime
                let longer =
                    LengthTotals.logMinutes(end.minutes(since: opening.start))
                    - law.meanLogMinutes(of: other)
                // An opening under way may show that it is long, never that it is short.
                guard opening.end != nil || longer > 0 else { continue }
                sum += longer
                weights += 1
            }
        }
        return sum / weights
    }
}
