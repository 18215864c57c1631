// The forecast for one arrival in a bridge's outlook; part of summaries and outlooks.
package import BridgecastCore

/// A point of a bridge's outlook.
package struct OutlookEntry: Sendable, JSONAnswer {
    /// The arrival.
    package let validTime: Timestamp
    /// From the issue time to the arrival.
    package let leadMinutes: Double
    /// The delay of a car.
    package let delay: DelayDistribution
    /// The usual chance of being stopped, from history alone.
    package let usualProbability: Double
    /// What the forecast rests on.
    package let basis: ForecastBasis

    /// Minutes between the points of the first two hours.
    package static let fineStepMinutes = 5.0
    /// An outlook reaches so far unless somebody asks for more, minutes.
    package static let usualReachMinutes = 120.0
    private static let coarseStepMinutes = 15.0

    /// A bridge's point for an arrival.
    package init(_ bridge: BridgeIndex, _ arrival: Timestamp, in view: BridgeView) {
        (validTime, leadMinutes) = (arrival, view.leadMinutes(arrival))
        delay = view.delay(bridge, arrival)
        usualProbability = view.usualProbability(bridge, arrival)
        basis = ForecastBasis(bridge, leadMinutes: leadMinutes, in: view.situation)
    }

    /// A bridge's points from the view's moment on: every five minutes for two hours, then every quarter of an hour.
    package static func all(
        of bridge: BridgeIndex, in view: BridgeView, reachMinutes: Double = usualReachMinutes
    ) -> [OutlookEntry] {
        let fine = stride(
            from: 0, through: min(reachMinutes, usualReachMinutes), by: fineStepMinutes)
        let coarse = stride(
            from: usualReachMinutes + coarseStepMinutes, through: reachMinutes,
            by: coarseStepMinutes)
        return (Array(fine) + Array(coarse)).map {
            OutlookEntry(bridge, view.moment.adding(minutes: $0), in: view)
        }
    }

    /// Writes it as an object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("valid_time", validTime)
            json.field("lead_time_s", leadMinutes * 60, decimals: 1)
            json.field("probability_stopped", delay.probabilityDelayed, decimals: 5)
            json.field("usual_probability_stopped", usualProbability, decimals: 5)
            json.field("expected_delay_s", delay.expectedSeconds, decimals: 1)
            json.field("basis", basis.rawValue)
        }
    }
}
