// How long openings last: the chance of being lowered in the next minute, by age, bridge and what is known.
// Belongs here: lengths of openings as a law and its curves; not: its fit (BridgecastTraining/Lengths).
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
    /// Ages at which what a bridge adds is given.
    package static let ownKnots: [Double] = [0, 2, 4, 6, 8, 11, 15]
    /// Minutes with a hazard of their own; the last is that of all later ones.
    package static let minuteCount = 19
    /// Where what is known of the first minutes gives way to what is known of the later ones.
    private static let earlyMinutes = (all: 2.0, none: 5.0)
    /// No odds of a hazard count beyond these, e to the power of -9 and 9.
    private static let leastOdds = 1.2340980408667956e-4
    private static let greatestOdds = 8103.083927575384

    /// Coefficients that are fitted: base, bridges, early and late covariates.
    package static let coefficientCount =
        baseKnots.count + BridgeCatalogue.count * ownKnots.count + 2 * LengthCovariates.names.count
    /// Numbers of a law: coefficients, then by bridge the mean of ln(minutes) and the share of long openings.
    public static let parameterCount = coefficientCount + 2 * BridgeCatalogue.count

    /// All numbers, ``parameterCount`` of them, as a model file carries them.
    public let parameters: [Float]
    /// Odds against being lowered without covariates, [bridge, minute].
    private let oddsAgainst: [Double]

    /// Takes over numbers; nil if they are not so many, one is not finite or beyond 30, or a share is none.
    public init?(_ parameters: [Float]) {
        guard parameters.count == Self.parameterCount,
            parameters.allSatisfy({ abs($0) <= 30 }),
            parameters.suffix(BridgeCatalogue.count).allSatisfy({ $0 >= 0 && $0 <= 1 })
        else { return nil }
        self.parameters = parameters
        oddsAgainst = BridgeIndex.all.flatMap { bridge in
            (0..<Self.minuteCount).map { minute in
                exp(
                    -Self.terms(bridge, minute: minute).reduce(0) {
                        $0 + Double(parameters[$1.place]) * $1.weight
                    })
            }
        }
    }

    /// The coefficients that the hazard of a bridge in a minute depends on without covariates, with their weights.
    package static func terms(
        _ bridge: BridgeIndex, minute: Int
    ) -> [(place: Int, weight: Double)] {
        let own = baseKnots.count + bridge.rawValue * ownKnots.count
        return hats(Double(minute), baseKnots, from: 0) + hats(Double(minute), ownKnots, from: own)
    }

    /// The places of the covariates' coefficients, those of the first minutes and those of the later ones.
    package static let covariatePlaces: (early: Int, late: Int) = {
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
        let (early, late) = Self.covariatePlaces
        var (first, later) = (0.0, 0.0)
        for index in 0..<known.values.count {
            first += Double(parameters[early + index]) * known.values[index]
            later += Double(parameters[late + index]) * known.values[index]
        }
        var hazards = InlineArray<19, Double>(repeating: 0)
        // What is known multiplies the odds of many minutes by the same.
        var (newestShare, factor) = (-1.0, 1.0)
        for minute in 0..<Self.minuteCount {
            let share = Self.earlyWeight(minute: minute)
            if share != newestShare {
                (newestShare, factor) = (share, exp(-(share * first + (1 - share) * later)))
            }
            let odds = oddsAgainst[bridge.rawValue * Self.minuteCount + minute] * factor
            hazards[minute] = 1 / (1 + min(max(odds, Self.leastOdds), Self.greatestOdds))
        }
        return LengthSurvival(hazards: hazards)
    }

    private static func hats(
        _ value: Double, _ knots: [Double], from place: Int
    ) -> [(place: Int, weight: Double)] {
        guard let after = knots.firstIndex(where: { $0 > value }) else {
            return [(place + knots.count - 1, 1)]
        }
        let share = (value - knots[after - 1]) / (knots[after] - knots[after - 1])
        return [(place + after - 1, 1 - share), (place + after, share)]
    }
}
