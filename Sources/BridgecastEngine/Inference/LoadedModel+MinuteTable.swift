// Forecasts by the minute for the next three hours: what boards of buses look up, of which each comes to a bridge at a moment
// of its own.
package import BridgecastCore

extension LoadedModel {
    /// How far a table by the minute reaches, minutes.
    package static let minuteTableReach = 180.0

    /// Forecasts for those who queue: every minute of the first half-hour, then every fifth.
    ///
    /// When a raised bridge comes down, a chance falls from nearly one to nearly none within two minutes: a coarser grid
    /// would draw a line across that.
    /// - Throws: ``InferenceError/notFinite(request:)``.
    /// - Complexity: 427 rows of the network, about a third of a millisecond; on the calling thread.
    package func minuteTable(
        in situation: Situation, traffic: TrafficDensity
    ) throws(InferenceError) -> ForecastTable {
        let leads =
            Array(stride(from: 0.0, through: 30, by: 1))
            + stride(from: 35, through: Self.minuteTableReach, by: 5)
        let plan = ForecastTablePlan(situation, leads: leads, traffic: traffic, modes: [.car])
        let batch = plan.rows(FeatureBuilder(climatology: climatology))
        var (probabilities, workspace): ([Float], Workspace) = ([], Workspace())
        predict(batch, into: &probabilities, workspace: &workspace, units: .all)
        return try plan.table(probabilities, climatology)
    }
}
