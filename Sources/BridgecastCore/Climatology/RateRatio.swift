private import Foundation

/// A bridge's rate of openings as a multiple of its climatology's, learned from its own count so far.
///
/// A bridge without history has the climatology of other bridges, which may open four times as often. Its own
/// openings are counted from the first hour on, and the count corrects the rate by the Gamma-Poisson rule: a ratio
/// that comes from a gamma distribution of mean 1 has, after n openings where climatology expected e, the mean
///
///     (shape + n) / (shape + e)
///
/// The bridge's own covered days in its climatology count as exposure on which climatology was right, growing without
/// bound towards ``enoughDays``: from there on, and where nothing is counted, the ratio is 1.
package struct RateRatio: Sendable, Equatable {
    /// Above 0; exactly 1 for a bridge with enough history.
    package let value: Float

    /// With this many covered days climatology is not corrected.
    package static let enoughDays = 60.0
    /// The prior's shape: how many openings' worth the rate of other bridges is.
    ///
    /// Of each of Seattle's seven, the rate over the mean of the other six is 0.36 to 2.13; the likeliest shape is
    /// 2.8 over all records, 2.2 to 2.9 over those of single winters.
    package static let priorShape = 2.5

    package static let one = RateRatio()

    private init() { value = 1 }

    /// The posterior mean.
    ///
    /// - Parameters:
    ///   - openings: Openings counted, 0 or more.
    ///   - expected: Openings that climatology expects where they were counted, 0 or more.
    ///   - ownDays: Covered days of the bridge in its climatology, 0 or more.
    ///   - openingsPerDay: Openings that climatology expects on a day.
    init(openings: Double, expected: Double, ownDays: Double, openingsPerDay: Double) {
        guard ownDays < Self.enoughDays, openings > 0 || expected > 0 else {
            self = .one
            return
        }
        let shape = (Self.priorShape + ownDays * openingsPerDay) / (1 - ownDays / Self.enoughDays)
        value = Float((shape + openings) / (shape + expected))
    }

    /// P(blocked) of a bridge that opens ``value`` times as often, 0 < p < 1.
    ///
    /// Openings that come and go independently leave a bridge free for a share of the time that is a power of their
    /// rate.
    package func scaled(_ probability: Float) -> Float {
        guard value != 1 else { return probability }
        let scaled = -expm1(Double(value) * log1p(-Double(probability)))
        return Float(min(max(scaled, 1e-5), 1 - 1e-5))
    }

    /// A rate of openings that is ``value`` times as high.
    package func scaled(rate: Float) -> Float { value * rate }

    /// The ratio by a bridge's openings of the 28 days before today, and of today.
    package init(_ bridge: BridgeIndex, in situation: Situation, _ climatology: Climatology) {
        let ownDays = Double(climatology.coveredDays[bridge.rawValue])
        let own = situation[bridge]
        guard ownDays < Self.enoughDays else {
            self = .one
            return
        }
        let today = SeattleTime.civil(at: situation.issueTime).date
        let summerShare = FourWeeks.summerShare(before: today)
        let perDay = DayType.allCases.map {
            Double(climatology.openingsPerDay.mean(bridge, $0, summerShare: summerShare))
        }
        var openings = Double(own.openingsInFourWeeks)
        var expected = climatology.expectedOpenings(
            bridge, onDays: own.coveredDaysInFourWeeks, summerShare: summerShare)
        if let since = own.observedSince {
            let now = SeattleTime.civil(at: situation.issueTime)
            let midnight = CivilDateTime(date: now.date, secondOfDay: 0)
            let isToday = since > SeattleTime.startOfDay(now.date)
            openings += Double(own.openingsToday)
            expected += Double(
                climatology.expectedOpenings(
                    bridge, on: DayType(now.date),
                    from: isToday ? SeattleTime.civil(at: since) : midnight, to: now))
        }
        self.init(
            openings: openings, expected: expected, ownDays: ownDays,
            openingsPerDay: perDay.reduce(0, +) / Double(perDay.count))
    }

    /// The ratios of all bridges, by ``BridgeIndex``; empty where all are 1.
    static func all(in situation: Situation, _ climatology: Climatology) -> [RateRatio] {
        guard climatology.coveredDays.contains(where: { Double($0) < enoughDays }) else {
            return []
        }
        let ratios = BridgeIndex.all.map { RateRatio($0, in: situation, climatology) }
        return ratios.allSatisfy { $0 == .one } ? [] : ratios
    }
}
