// History and live state to inputs: the only code that computes them, for the network and for the trees that teach it.
// Belongs here: every number that network or trees look at, its spec beside its value; not: which rows are drawn to
// learn from.
import Foundation

/// Computes feature rows from a situation and a climatology.
public struct FeatureBuilder: Sendable {
    /// Beyond this lead time, in minutes, the live state says nothing more and is left out.
    public static let longestLeadMinutes = 60.0

    /// The climatology behind the prior and the features that compare with it.
    public let climatology: Climatology

    /// Creates a builder on a climatology.
    public init(climatology: Climatology) { self.climatology = climatology }

    /// Appends the row for one bridge and arrival time.
    ///
    /// - Precondition: The lead is not negative, the density a degree of saturation; ``ForecastRequest`` says
    ///   what is wrong with one that comes from outside.
    /// - Parameters:
    ///   - leadMinutes: From the situation's issue time to the arrival, not negative. Beyond
    ///     ``longestLeadMinutes`` the row is one without live state, and such a row is the same for
    ///     every lead.
    ///   - density: Degree of saturation of the approach at the arrival, 0 ..< 1.
    ///   - batch: Receives one row of F inputs and 12 prior logits. What it has in common with earlier rows of
    ///     the batch, because the moment is the same or the bridge and the situation, is not computed again.
    public func append(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        to batch: inout FeatureBatch
    ) {
        precondition(leadMinutes >= 0, "an arrival cannot lie before the issue time")
        precondition(density >= 0 && density < 1, "a degree of saturation lies in 0 ..< 1")
        batch.append(
            bridge, leadMinutes: leadMinutes, density: density, in: situation, climatology)
    }

    /// Appends the inputs of decision trees for the same row, F of ``TreeInputs``.
    ///
    /// - Parameter earlier: What earlier rows have found out about the situation.
    /// - Returns: Log-odds of a delay by the prior alone, from which the trees begin.
    package func appendTreeInputs(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        to values: inout [Float], _ earlier: inout EarlierTreeRows
    ) -> Float {
        // The trees see what is known as it is: they are asked for rows of the records alone.
        let known = earlier.known(bridge, in: situation, climatology)
        let issue = known.issue
        let seen = RowContext(
            known, MomentContext(leadMinutes: leadMinutes, after: issue.issueTime),
            DensityContext(density))
        TreeInputs.append(seen, to: &values)
        var logits: [Float] = []
        if leadMinutes > Self.longestLeadMinutes || issue.isBlank(around: bridge) {
            let issueTime = Self.blankIssueTime(situation, leadMinutes: leadMinutes)
            let blank = IssueContext(
                .unknown(at: issueTime), climatology, rateRatios: issue.rateRatios)
            DelayPrior.appendLogits(
                row(bridge, Self.longestLeadMinutes, density, in: blank), to: &logits)
        } else {
            DelayPrior.appendLogits(seen, to: &logits)
        }
        return Self.delayLogOdds(logNone: logits[0])
    }

    /// Log-odds of a delay by the logarithm of the probability of none, as a prior has it.
    package static func delayLogOdds(logNone: Float) -> Float {
        log(max(-expm1(logNone), 1e-6)) - logNone
    }

    /// When a row without live state counts as issued: an hour before the arrival.
    static func blankIssueTime(_ situation: Situation, leadMinutes: Double) -> Timestamp {
        situation.issueTime.adding(minutes: leadMinutes).adding(minutes: -longestLeadMinutes)
    }

    private func row(
        _ bridge: BridgeIndex, _ leadMinutes: Double, _ density: Float, in issue: IssueContext
    ) -> RowContext {
        RowContext(
            BridgeContext(bridge, in: issue),
            MomentContext(leadMinutes: leadMinutes, after: issue.issueTime),
            DensityContext(density))
    }
}

extension Situation {
    /// The situation as if nothing were known of what the bridges do now: what is said of it beside forecasts
    /// beyond ``FeatureBuilder/longestLeadMinutes``, which leave it out.
    ///
    /// Counts of the last weeks stay. Today's go: on its first days a new bridge is told by the others' rate here.
    package var withoutLiveState: Situation {
        var none = Situation.unknown(at: issueTime)
        for bridge in BridgeIndex.all {
            none[bridge].recordedUntil = self[bridge].recordedUntil
            none[bridge].openingsInFourWeeks = self[bridge].openingsInFourWeeks
            none[bridge].coveredDaysInFourWeeks = self[bridge].coveredDaysInFourWeeks
        }
        return none
    }
}
