// From what is known now to everything that is shown, in one inference batch; used by LiveService.
public import Bridgecast
private import Metrics

/// What a forecast brought.
public struct LiveUpdate: Sendable {
    /// When it was issued.
    public let issueTime: Timestamp
    /// What was known.
    public let situation: Situation
    /// All bridges.
    public let bridges: [BridgeUpdate]
    /// Delays of all bridges by lead.
    public let table: ForecastTable
}

/// Forecasts all bridges, and routes, from live states laid over the records.
public actor LiveForecaster {
    private let inference: TrafficInference
    private let routes: [Route]
    private let weights: RouteWeights
    private var history: OpeningHistory
    private var reader: SituationReader

    /// How far ahead the outlook reaches, minutes.
    public static let outlookMinutes = 60.0

    /// Creates a forecaster.
    ///
    /// - Parameters:
    ///   - history: The records up to now.
    ///   - routes: Ranked with every forecast; may be empty.
    public init(
        _ inference: TrafficInference, history: OpeningHistory, routes: [Route] = [],
        weights: RouteWeights = .standard
    ) {
        self.inference = inference
        self.routes = routes
        self.weights = weights
        self.history = history
        reader = SituationReader(history)
    }

    /// Takes newer records over.
    public func use(_ history: OpeningHistory) {
        self.history = history
        reader = SituationReader(history)
    }

    /// Forecasts every bridge: one batch, whoever and however many are watching.
    ///
    /// - Parameters:
    ///   - live: The live states; nil if there are none. States that are too old are not used.
    /// - Throws: As ``TrafficInference/forecast(_:in:)``.
    public func update(
        _ live: LiveSnapshot?, traffic: LiveTraffic, at now: Timestamp
    ) async throws -> LiveUpdate {
        var situation = reader.situation(at: now)
        if let live { situation = situation.applying(live) }
        let farthest = (routes.map(\.meanTravelMinutes).max() ?? 0) * 2
        let table = try await inference.table(
            in: situation, reaching: max(Self.outlookMinutes, farthest),
            traffic: traffic.densities(at: now))
        Counter(label: "bridgecast_batches_total").increment()
        return LiveUpdate(
            issueTime: now, situation: situation,
            bridges: BridgeIndex.all.map { bridgeUpdate($0, table, situation, now) }, table: table)
    }

    /// Ranks the routes with a forecast; they leave now.
    ///
    /// - Throws: ``RouteSetError`` if a route has a stretch that is no duration.
    public func routes(_ update: LiveUpdate) throws(RouteSetError) -> [RouteScore] {
        guard !routes.isEmpty else { return [] }
        let scoring = RouteScoring(
            forecasts: update.table, climatology: inference.model.climatology,
            issueTime: update.issueTime, weights: weights)
        return try scoring.rank(routes, leaving: update.issueTime)
    }

    private func bridgeUpdate(
        _ bridge: BridgeIndex, _ table: ForecastTable, _ situation: Situation, _ now: Timestamp
    ) -> BridgeUpdate {
        let outlook = table.leadsMinutes.filter { $0 <= Self.outlookMinutes }.map { lead in
            let delay = table.delay(at: bridge, leadMinutes: lead, queues: true)
            return OutlookPoint(
                leadMinutes: lead, probability: delay.probabilityDelayed,
                expectedDelaySeconds: delay.expectedSeconds)
        }
        return BridgeUpdate(
            bridge: bridge, issueTime: now, state: situation[bridge].state,
            delay: table.delay(at: bridge, leadMinutes: 0, queues: true),
            confidence: Confidence(
                bridge, leadMinutes: 0, in: situation, climatology: inference.model.climatology,
                newestRecord: history.coverage.end(of: bridge, before: now)),
            outlook: outlook)
    }
}
