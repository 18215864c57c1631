// What is known and forecast of all bridges around a moment; summaries, outlooks and boards are made from it.
// Belongs here: what is answered about bridges and their forecasts; not: routes, or how forecasts are computed
// (BridgecastEngine).
package import BridgecastCore

/// What is known and forecast of all bridges, as seen by somebody who arrives at a moment or later.
package struct BridgeView: Sendable {
    /// What is known.
    package let situation: Situation
    /// The forecasts; they reach from the moment as far as anybody looks.
    package let table: ForecastTable
    /// Traffic on the approaches, behind the forecasts.
    package let traffic: TrafficDensity
    /// What is usual.
    package let climatology: Climatology
    /// The moment it is about.
    package let moment: Timestamp

    /// Creates a view; of the issue time if nothing else is said.
    package init(
        _ situation: Situation, _ table: ForecastTable, traffic: TrafficDensity,
        climatology: Climatology, at moment: Timestamp? = nil
    ) {
        (self.situation, self.table, self.traffic) = (situation, table, traffic)
        (self.climatology, self.moment) = (climatology, moment ?? situation.issueTime)
    }

    /// Minutes from the issue time to an arrival.
    package func leadMinutes(_ arrival: Timestamp) -> Double {
        arrival.minutes(since: situation.issueTime)
    }

    /// The delay of a car at a bridge for an arrival.
    package func delay(_ bridge: BridgeIndex, _ arrival: Timestamp) -> DelayDistribution {
        table.delayWithin(at: bridge, leadMinutes: leadMinutes(arrival), queues: true)
    }

    /// The usual chance that a car is stopped at a bridge at an arrival.
    package func usualProbability(_ bridge: BridgeIndex, _ arrival: Timestamp) -> Double {
        climatology.usualProbabilityDelayed(
            at: bridge, arrival: arrival, density: traffic.density(of: bridge, at: arrival),
            in: situation)
    }

    /// How far to trust the forecast for the moment.
    package func confidence(_ bridge: BridgeIndex) -> Confidence {
        Confidence(
            bridge, leadMinutes: leadMinutes(moment), in: situation,
            coveredDays: Double(climatology.coveredDays[bridge.rawValue]))
    }

    /// Why the forecast for the moment is what it is.
    ///
    /// - Parameter forecast: How its chance stands to the usual.
    package func reasons(_ bridge: BridgeIndex, _ forecast: UsualComparison) -> [Reason] {
        ForecastReason(situation: situation, climatology: climatology)
            .reasons(for: bridge, arrival: moment, forecast: forecast)
    }
}
