// History and live state to tensor: the only code that computes inputs, for the network and for the trees that teach it.
// Belongs here: every number that network or trees look at, its spec beside its value; not: which rows are drawn to
// learn from.
import Foundation

/// Computes feature rows from a situation and a climatology.
public struct FeatureBuilder: Sendable {
    /// Beyond this lead time, in minutes, the live state says nothing more and is left out.
    public static let longestLeadMinutes = 60.0

    /// The climatology behind the prior and the features that compare with it.
    public var climatology: Climatology { shared.climatology }

    private let shared: SharedClimatology

    /// Creates a builder on a climatology.
    public init(climatology: Climatology) { shared = SharedClimatology(climatology) }

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
        let (lead, seen) = effective(bridge, leadMinutes: leadMinutes, density, situation)
        batch.append(bridge, leadMinutes: lead, density: density, in: seen, shared)
    }

    /// Appends the inputs of decision trees for the same row, F of ``TreeInputs``.
    ///
    /// - Returns: Log-odds of a delay by the prior alone, from which the trees begin.
    package func appendTreeInputs(
        _ bridge: BridgeIndex, leadMinutes: Double, density: Float, in situation: Situation,
        to values: inout [Float]
    ) -> Float {
        // The trees see what is known as it is: they are asked for rows of the records alone.
        TreeInputs.append(row(bridge, leadMinutes, density, situation), to: &values)
        let (lead, seen) = effective(bridge, leadMinutes: leadMinutes, density, situation)
        var logits: [Float] = []
        DelayPrior.appendLogits(row(bridge, lead, density, seen), to: &logits)
        let none = logits[0]
        return log(max(-expm1(none), 1e-6)) - none
    }

    private func row(
        _ bridge: BridgeIndex, _ leadMinutes: Double, _ density: Float, _ situation: Situation
    ) -> RowContext {
        RowContext(
            BridgeContext(bridge, in: IssueContext(situation, climatology)),
            MomentContext(leadMinutes: leadMinutes, after: situation.issueTime), density: density)
    }

    /// The lead and the situation that a row is made of.
    private func effective(
        _ bridge: BridgeIndex, leadMinutes: Double, _ density: Float, _ situation: Situation
    ) -> (leadMinutes: Double, Situation) {
        precondition(leadMinutes >= 0, "an arrival cannot lie before the issue time")
        precondition(density >= 0 && density < 1, "a degree of saturation lies in 0 ..< 1")
        let isFar = leadMinutes > Self.longestLeadMinutes
        guard isFar || situation.isBlank(along: BridgeCatalogue[bridge].waterway) else {
            return (leadMinutes, situation)
        }
        // Without live state the lead means nothing: every such row is one issued an hour before.
        let validTime = situation.issueTime.adding(minutes: leadMinutes)
        return (
            Self.longestLeadMinutes,
            .unknown(at: validTime.adding(minutes: -Self.longestLeadMinutes))
        )
    }
}

extension Situation {
    /// The situation as if nothing were known of what the bridges do now: what is said of it beside forecasts
    /// beyond ``FeatureBuilder/longestLeadMinutes``, which leave it out.
    package var withoutLiveState: Situation {
        var none = Situation.unknown(at: issueTime)
        for bridge in BridgeIndex.all { none[bridge].recordedUntil = self[bridge].recordedUntil }
        return none
    }

    /// Whether neither state nor recent openings of any bridge of a waterway are known.
    fileprivate func isBlank(along waterway: Waterway) -> Bool {
        BridgeCatalogue.along(waterway).allSatisfy { bridge in
            let known = self[bridge]
            return known.state == .unknown && known.observedSince == nil && known.recent.isEmpty
        }
    }
}
