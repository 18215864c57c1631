// What a backtest of routes found: whom drivers followed, and what it cost them.

/// Whom a driver follows.
package enum RoutePolicy: String, CaseIterable, Sendable, Encodable, CodingKeyRepresentable {
    /// The route that the model's forecast, made at departure, expects to be the quickest.
    case bridgecast
    /// The same by climatology alone: usual frequencies, no live state.
    case climatology
    /// The way that is quickest without any delay, whatever the bridges do.
    case shortest
    /// The quickest way without a drawbridge, where there is one.
    case fixedBridge = "fixed_bridge"
}

/// Figures of one policy; minutes a trip.
package struct PolicyFigures: Encodable, Sendable {
    package let policy: RoutePolicy
    package let meanMinutes: Double
    /// By how much longer trips took than the best route in hindsight.
    package let regretMinutes: Estimate
    /// Share of trips that were stopped.
    package let stopped: Double
}

/// What the backtest found.
package struct RouteBacktestReport: Encodable, Sendable {
    /// Trips by departure; and the places they go between.
    package let trips: Int
    package let pairs: Int
    package let days: Int
    package let hindsightMinutes: Double
    package let policies: [PolicyFigures]
    /// Share of regret that Bridgecast saves, against each of the others.
    package let saved: [RoutePolicy: Estimate]
    /// Share of trips on which Bridgecast and climatology go different ways, and minutes gained on these.
    package let differs: Double
    package let gainWhereDifferent: Double
    package let dependence: BridgeDependence
}
