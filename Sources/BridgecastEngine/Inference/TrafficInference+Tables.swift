// Tables of forecasts by the model in use and by one that is named; behind the public call, boards and answers.
package import BridgecastCore

extension TrafficInference {
    /// As ``table(in:leaving:reaching:traffic:modes:)``, by a model of the host's choice.
    ///
    /// - Parameter model: The one that a host names in its answer, whatever is reloaded meanwhile.
    /// - Throws: ``InferenceError``.
    @concurrent
    package nonisolated func table(
        in situation: Situation, leaving departure: Timestamp? = nil, reaching minutes: Double,
        traffic: TrafficDensity = TrafficDensity(),
        modes: Set<Route.Mode> = Set(Route.Mode.allCases), model: LoadedModel
    ) async throws(InferenceError) -> ForecastTable {
        try table(
            in: situation, leaving: departure, reaching: minutes, traffic: traffic, modes: modes,
            by: Serving(model))
    }

    /// Computes a table at once and on the calling thread.
    nonisolated func table(
        in situation: Situation, leaving departure: Timestamp?, reaching minutes: Double,
        traffic: TrafficDensity, modes: Set<Route.Mode>, by serving: Serving
    ) throws(InferenceError) -> ForecastTable {
        let lead = departure?.minutes(since: situation.issueTime) ?? 0
        guard lead >= 0, minutes >= 0 else { throw .reach(minutes: min(lead, minutes)) }
        let plan = try ForecastTablePlan(
            situation, from: lead, reaching: lead + minutes, traffic: traffic, modes: modes)
        return try table(plan, by: serving)
    }
}
