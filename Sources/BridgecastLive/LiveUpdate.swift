// A forecast of all bridges and what it was made from, as the live service hands it on.
public import Bridgecast

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
    /// Traffic on the approaches, behind the delays.
    public let traffic: TrafficDensity
    /// The model that forecast.
    public let model: LoadedModel

    /// What a table forecasts of a situation.
    ///
    /// - Parameters:
    ///   - table: Made by the model from the situation and the traffic.
    package init(
        _ situation: Situation, _ table: ForecastTable, traffic: TrafficDensity, model: LoadedModel
    ) {
        (self.situation, self.table, self.traffic, self.model) = (situation, table, traffic, model)
        issueTime = situation.issueTime
        bridges = BridgeIndex.all.map { BridgeUpdate($0, table, situation) }
    }
}
