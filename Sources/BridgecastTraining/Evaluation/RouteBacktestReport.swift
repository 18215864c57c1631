// What a backtest of routes found: whom drivers followed, and what it cost them.

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
