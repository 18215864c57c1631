// What is known at issue time of how long openings last just now; LengthLaw weighs it.
private import Foundation

/// What is known at issue time that makes openings of a bridge longer or shorter than usual; 0 where nothing is.
package struct LengthCovariates: Sendable {
    /// What the values are, in order.
    package static let names = ["lastLengths", "convoyLengths", "night", "weekday", "longLately"]

    /// Which of them no feature of another kind has already.
    static let notInOtherFeatures = [0, 1, 4]

    /// - lastLengths: Mean of ln(length) of the last six hours' openings less the bridge's mean, the newest with the
    ///   most weight, drawn to 0.
    /// - convoyLengths: The same of the openings along the waterway that began in the last 40 minutes.
    /// - night: 0...1, cyclic, highest at 2:00.
    /// - weekday: 1 on weekdays, 0 on weekends and federal holidays.
    /// - longLately: ln of the long openings of four weeks over those to expect, drawn to 0.
    package private(set) var values: InlineArray<5, Double> = [0, 0, 0, 0, 0]

    /// Openings this many minutes ago weigh 1/e.
    private static let memoryMinutes = 120.0
    /// So many openings' worth of the mean is mixed in.
    private static let prior = 1.0
    private static let convoyMinutes = 40.0

    /// Reads the values out of a situation; O(openings of six hours).
    package init(_ bridge: BridgeIndex, in situation: Situation, _ law: LengthLaw) {
        let civil = SeattleTime.civil(at: situation.issueTime)
        self.init(bridge, in: situation, civil, DayType(civil.date), law)
    }

    init(
        _ bridge: BridgeIndex, in situation: Situation, _ civil: CivilDateTime,
        _ dayType: DayType, _ law: LengthLaw
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
        var (sum, weights) = (0.0, prior)
        for opening in own.recent {
            guard let end = opening.end else { continue }
            let weight = exp(-issueTime.minutes(since: end) / memoryMinutes)
            sum +=
                weight * (LengthTotals.logMinutes(end.minutes(since: opening.start)) - mean)
            weights += weight
        }
        return sum / weights
    }

    private static func convoyLengths(
        _ bridge: BridgeIndex, in situation: Situation, _ law: LengthLaw
    ) -> Double {
        var (sum, weights) = (0.0, prior)
        for other in BridgeCatalogue.along(BridgeCatalogue[bridge].waterway)
        where other != bridge {
            for opening in situation[other].recent {
                guard situation.issueTime.minutes(since: opening.start) <= convoyMinutes else {
                    break
                }
                let end = opening.end ?? situation.issueTime
                let longer =
                    LengthTotals.logMinutes(end.minutes(since: opening.start))
                    - law.meanLogMinutes(of: other)
                // One that goes on tells only that it is long, not that it is short.
                guard opening.end != nil || longer > 0 else { continue }
                sum += longer
                weights += 1
            }
        }
        return sum / weights
    }
}
