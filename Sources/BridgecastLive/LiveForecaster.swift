// From what is known now to everything that is shown, in one inference batch; used by LiveService.
public import Bridgecast
private import Metrics

/// Forecasts all bridges, and routes, from live states laid over the records.
public actor LiveForecaster {
    private let inference: TrafficInference
    private let routes: [Route]
    private let weights: RouteWeights
    /// How far ahead anybody looks, minutes.
    private let reachMinutes: Double
    private var reader: SituationReader

    /// Creates a forecaster.
    ///
    /// - Parameters:
    ///   - history: The records up to now.
    ///   - routes: Ranked with every forecast; may be empty.
    ///   - reachMinutes: How far ahead the table of each forecast reaches at the least.
    /// - Throws: ``RankingError`` if routes or weights cannot be ranked.
    public init(
        _ inference: TrafficInference, history: OpeningHistory, routes: [Route] = [],
        weights: RouteWeights = .standard, reachMinutes: Double = BridgeUpdate.outlookMinutes
    ) throws(RankingError) {
        self.inference = inference
        self.routes = routes
        self.weights = weights
        self.reachMinutes = max(
            BridgeUpdate.outlookMinutes, reachMinutes, try RouteSet.packing(routes).reachMinutes)
        try weights.check(hasDeadline: false)
        reader = SituationReader(history)
    }

    /// Takes newer records over.
    public func use(_ history: OpeningHistory) { reader = SituationReader(history) }

    /// Forecasts every bridge: one batch, whoever and however many are watching.
    ///
    /// - Parameters:
    ///   - live: The live states; nil if there are none. States that are too old are not used.
    /// - Throws: ``InferenceError``.
    public func update(
        _ live: LiveSnapshot?, traffic: LiveTraffic, at now: Timestamp
    ) async throws(InferenceError) -> LiveUpdate {
        var situation = reader.situation(at: now)
        if let live { situation = situation.applying(live) }
        // One model for what is computed and what is said of it: another may be loaded meanwhile.
        let (model, densities) = (inference.model, traffic.densities(at: now))
        let table = try await inference.table(
            in: situation, reaching: reachMinutes, traffic: densities, model: model)
        Counter(label: "bridgecast_batches_total").increment()
        return LiveUpdate(situation, table, traffic: densities, model: model)
    }

    /// Ranks the routes with a forecast; they leave now.
    ///
    /// - Returns: Nil without routes.
    ///
    /// - Throws: ``RankingError``.
    public func ranking(_ update: LiveUpdate) throws(RankingError) -> RouteRanking? {
        guard !routes.isEmpty else { return nil }
        return try update.table.rank(routes, leaving: update.issueTime, weights: weights)
    }
}
