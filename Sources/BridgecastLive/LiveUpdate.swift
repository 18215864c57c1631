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
}
