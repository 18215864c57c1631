// What rows about the same bridge in the same situation have in common, whatever the lead; made by EarlierRows.
import Foundation

/// A bridge in a situation: nothing here comes from after the issue time.
final class BridgeContext: Sendable {
    let bridge: BridgeIndex
    let rules: NavigationRules
    let issue: IssueContext
    /// What is known of the bridge itself.
    let own: BridgeSituation
    /// How long the span has been up, minutes; nil if it is not known to be up.
    ///
    /// Where the start is not known, the age that openings have on average stands in.
    let raisedMinutes: Double?
    /// When its last opening that is over ended.
    let lastClosing: Timestamp?
    /// P(blocked) at issue time by climatology, as log-odds.
    let usualLogit: Float
    /// ln(1 + openings a day), at most 3, on weekdays and on weekends.
    let dayRates: (weekday: Float, weekend: Float)
    /// Shares of its blocked time with a remaining delay in bins 1 to 11, by climatology.
    let binShares: InlineArray<11, Float>
    /// What is known of how long openings last just now; nil without a law of lengths.
    let lengthCovariates: LengthCovariates?
    /// The curve that follows; nil where the bridge's state is not known, too, for then nobody asks.
    let lengths: LengthSurvival?
    /// Its newest openings, and those of the other bridges of its waterway.
    let openings: NewestOpenings
    let neighbours: [NeighbourContext]
    /// How often it opens against what climatology says; that is not in the table below.
    private let rateRatio: RateRatio
    /// P(blocked) of all bridges by climatology, [bridge, day type, slot of a day].
    private let openProbability: BridgeDayTable<Float>

    init(_ bridge: BridgeIndex, in issue: IssueContext) {
        self.bridge = bridge
        rules = BridgeCatalogue[bridge].rules
        self.issue = issue
        let own = issue.situation[bridge]
        self.own = own
        if case .raised(let since) = own.state {
            raisedMinutes = since.map { issue.issueTime.minutes(since: $0) } ?? 3
        } else {
            raisedMinutes = nil
        }
        lastClosing = own.recent.lazy.compactMap(\.end).first
        let rateRatio = issue.rateRatio(of: bridge)
        self.rateRatio = rateRatio
        usualLogit = logit(
            rateRatio.scaled(issue.climatology.openProbability(of: bridge, at: issue.civil)))
        let perDay = issue.climatology.openingsPerDay
        dayRates = (
            min(3, log1p(rateRatio.scaled(rate: perDay[bridge, .weekday]))),
            min(3, log1p(rateRatio.scaled(rate: perDay[bridge, .weekend])))
        )
        binShares = issue.climatology.shares(of: bridge)
        let law = issue.climatology.lengthLaw
        let known = law.map {
            LengthCovariates(bridge, in: issue.situation, issue.civil, issue.dayType, $0)
        }
        lengthCovariates = known
        lengths = own.state == .unknown ? nil : known.flatMap { law?.survival(of: bridge, $0) }
        openings = NewestOpenings(own.recent)
        openProbability = issue.climatology.openProbability
        // Of bridges that nothing is known of every value is zero, as if they were not there.
        neighbours =
            issue.isBlank(around: bridge)
            ? [] : NeighbourContext.all(of: bridge, own, in: issue.situation)
    }

    /// P(blocked) at a moment by climatology, corrected by the bridge's own count where it has little history.
    func usual(at moment: MomentContext) -> Float {
        let slot = moment.validCivil.secondOfDay * openProbability.columns / 86_400
        return rateRatio.scaled(openProbability[bridge, moment.dayType, slot])
    }

    /// P(an opening lasts longer than `total` minutes, given that it has lasted `elapsed`) by what is known.
    func probabilityOutlasts(total: Double, elapsed: Double) -> Double {
        lengths?.probabilityOutlasts(total: total, elapsed: elapsed)
            ?? issue.climatology.probabilityOutlasts(bridge, total: total, elapsed: elapsed)
    }

    /// P(the delay is longer than each edge of the bins) of one who arrives when `served` minutes' worth of the queue
    /// of an opening has gone that has lasted `elapsed`.
    func delaysOutlast(served: Double, elapsed: Double) -> InlineArray<11, Double> {
        if let lengths { return lengths.delaysOutlast(served: served, elapsed: elapsed) }
        return InlineArray { bin in
            probabilityOutlasts(total: DelayBins.edgesMinutes[bin] + served, elapsed: elapsed)
        }
    }

    /// Minutes after which a share of the openings that have lasted `elapsed` minutes is over, to half a minute, at
    /// most 60.
    ///
    /// - Parameter share: 0 ..< 1; 0.5 gives the median.
    func minutesLeft(elapsed: Double, share: Double) -> Double {
        stride(from: 0.5, to: 60, by: 0.5).first { more in
            probabilityOutlasts(total: elapsed + more, elapsed: elapsed) <= 1 - share
        } ?? 60
    }
}
