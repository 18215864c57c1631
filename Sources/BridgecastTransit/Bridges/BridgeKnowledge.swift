// What the transit part asks of the bridges: their forecasts and states, whoever makes them.
// Belongs here: buses over drawbridges; not: how bridges are forecast (BridgecastEngine).
public import BridgecastCore

/// Forecasts and states of the drawbridges at one moment.
public struct BridgeKnowledge: Sendable {
    /// When the forecasts were made.
    public let issueTime: Timestamp
    /// The last arrival that is forecast.
    public let validUntil: Timestamp
    /// What is known of the bridges.
    public let situation: Situation
    /// How saturated the approaches are: it tells how long a queue stands after an opening.
    let traffic: TrafficDensity
    private let table: ForecastTable
    private let climatology: Climatology
    private let explanation: ForecastReason

    /// Takes a table of forecasts for those who queue, such as buses, and what it was made from.
    ///
    /// - Parameter traffic: What the forecasts were made for; it tells how long queues stand.
    /// - Precondition: The table speaks for ``Route/Mode/car``.
    public init(
        _ table: ForecastTable, situation: Situation, climatology: Climatology,
        traffic: TrafficDensity = TrafficDensity()
    ) {
        precondition(table.modes.contains(.car), "buses queue")
        (self.table, self.situation, self.traffic) = (table, situation, traffic)
        self.climatology = climatology
        issueTime = table.issueTime
        validUntil = table.issueTime.adding(minutes: table.reachMinutes)
        explanation = ForecastReason(situation: situation, climatology: climatology)
    }

    /// The delay of a bus that comes to a bridge at a moment; nil beyond ``validUntil`` and before ``issueTime``.
    public func delay(at bridge: BridgeIndex, arrival: Timestamp) -> DelayDistribution? {
        try? table.delay(at: bridge, arrival: arrival, mode: .car)
    }

    /// Why a delay is what it is; never empty.
    public func reasons(
        for bridge: BridgeIndex, arrival: Timestamp, delay: DelayDistribution
    ) -> [Reason] {
        let usual = climatology.usualProbabilityDelayed(
            at: bridge, arrival: arrival, density: traffic.density(of: bridge, at: arrival),
            in: situation)
        return explanation.reasons(
            for: bridge, arrival: arrival,
            forecast: UsualComparison(chance: delay.probabilityDelayed, usual: usual))
    }

    /// Since when a bridge is up; nil if it is not known to be up, and an inner nil if only since when is not known.
    public func raised(_ bridge: BridgeIndex) -> Timestamp?? {
        guard case .raised(let since) = situation[bridge].state else { return .none }
        return .some(since)
    }

    /// That a bridge is up and how long openings like this last; nil if it is not known to be up.
    package func stillUp(_ bridge: BridgeIndex) -> String? { explanation.stillUp(bridge) }
}
