// What AppStateModel takes over at once: forecasts, situation, routes.
public import BridgecastCore

/// Everything one refresh brings.
nonisolated public struct AppStateUpdate: Sendable {
    /// Forecasts by bridge.
    public var bridges: [BridgeUpdate]
    /// Scores in order, the best first; nil if this update leaves the routes as they are.
    public var routes: [RouteScore]?
    /// What happened, oldest first.
    public var events: [BridgeEvent]

    /// Creates an update.
    public init(bridges: [BridgeUpdate], routes: [RouteScore]?, events: [BridgeEvent] = []) {
        self.bridges = bridges
        self.routes = routes
        self.events = events
    }

    /// Everything that a table says, and a ranking if there is one.
    ///
    /// - Parameter situation: What was known when the table was made.
    public init(_ table: ForecastTable, _ situation: Situation, routes: RouteRanking? = nil) {
        self.init(
            bridges: BridgeIndex.all.map { BridgeUpdate($0, table, situation) },
            routes: routes?.scores)
    }
}
