// What a forecast rests on: what is known live, or history alone. Said beside every forecast of an answer.

/// What a forecast rests on.
package enum ForecastBasis: String, Sendable, CaseIterable {
    /// What is known of the bridges of the waterway now.
    case live
    /// The day and the hour alone.
    case climatology

    /// What the forecast of a bridge for an arrival rests on.
    ///
    /// It is the rule by which ``FeatureBuilder`` leaves live states out: beyond an hour, and where nothing is known
    /// along the waterway. Of a bridge without a sensor its neighbours tell.
    /// - Parameter leadMinutes: From the situation's issue time to the arrival.
    package init(_ bridge: BridgeIndex, leadMinutes: Double, in situation: Situation) {
        let isInformed =
            leadMinutes <= FeatureBuilder.longestLeadMinutes
            && BridgeCatalogue.along(BridgeCatalogue[bridge].waterway).contains {
                situation[$0].isInformed
            }
        self = isInformed ? .live : .climatology
    }
}

extension BridgeSituation {
    /// Whether its state or its recent past is known.
    package var isInformed: Bool { state != .unknown || observedSince != nil || !recent.isEmpty }
}
