public import Bridgecast
private import Metrics

/// Forecasts all bridges, and routes, from live states laid over the records.
public actor LiveForecaster {
    private let inference: TrafficInference
    private let routes: [Route]
    private let weights: RouteWeights
    /// How far ahead the table reaches, minutes.
    private let reachMinutes: Double
    private var reader: SituationReader
    /// The day that the records were read on by ``useRecords(at:from:)``.
    private var recordsDate: CivilDate?

    /// Creates a forecaster.
    ///
    /// - Parameters:
    ///   - history: The records up to now.
    ///   - routes: Ranked with every forecast; may be empty.
    ///   - reachMinutes: The minimum reach of the table of each forecast, minutes.
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

    /// Takes the records of a new day over; does nothing on the day that they were read on.
    ///
    /// - Parameter records: Reads the records as known at a time.
    /// - Throws: The error of `records`; the records of the day before then remain in use.
    package func useRecords(
        at now: Timestamp, from records: @Sendable (Timestamp) throws -> OpeningHistory
    ) throws {
        let today = SeattleTime.civil(at: now).date
        guard recordsDate != today else { return }
        use(try records(now))
        recordsDate = today
    }

    /// Forecasts every bridge, in one batch however many are watching.
    ///
    /// - Parameter live: The live states; nil if there are none. States that are too old are not used.
    /// - Throws: ``InferenceError``.
    public func update(
        _ live: LiveSnapshot?, traffic: LiveTraffic, at now: Timestamp
    ) async throws(InferenceError) -> LiveUpdate {
        try await update(live, densities: traffic.densities(at: now), at: now)
    }

    /// Forecasts every bridge with given densities of the traffic.
    ///
    /// - Throws: ``InferenceError``.
    package func update(
        _ live: LiveSnapshot?, densities: TrafficDensity, at now: Timestamp
    ) async throws(InferenceError) -> LiveUpdate {
        var situation = reader.situation(at: now)
        if let live { situation = situation.applying(live) }
        // One model for the forecast and its description: another may be loaded meanwhile.
        let model = inference.model
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

/// A forecast of all bridges.
public struct LiveUpdate: Sendable {
    /// When it was issued.
    public let issueTime: Timestamp
    /// What was known.
    public let situation: Situation
    /// All bridges.
    public let bridges: [BridgeUpdate]
    /// Delays of all bridges by lead.
    public let table: ForecastTable
    /// Traffic on the approaches, which the delays include.
    public let traffic: TrafficDensity
    /// The model that forecast.
    public let model: LoadedModel

    /// Creates an update from a table.
    ///
    /// - Parameter table: Made by the model from the situation and the traffic.
    package init(
        _ situation: Situation, _ table: ForecastTable, traffic: TrafficDensity, model: LoadedModel
    ) {
        self.situation = situation
        self.table = table
        self.traffic = traffic
        self.model = model
        issueTime = situation.issueTime
        bridges = BridgeIndex.all.map { BridgeUpdate($0, table, situation) }
    }
}
