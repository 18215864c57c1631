// What a backtest of routes found: whom drivers followed, and what it cost them.

/// What the backtest found.
package struct RouteBacktestReport: Encodable, Sendable {
    /// Trips by departure; and the places they go between.
    package let trips: Int
    /// Pairs of places, the same at every departure.
    package let pairs: Int
    /// Civil days with at least one trip.
    package let days: Int
    /// Mean duration of the route that was the quickest in hindsight, minutes a trip.
    package let hindsightMinutes: Double
    /// Figures of every policy, in the order of its cases.
    package let policies: [PolicyFigures]
    /// Share of regret that Bridgecast saves, against each of the others.
    package let saved: [RoutePolicy: Estimate]
    /// Share of trips on which Bridgecast and climatology go different ways, and minutes gained on these.
    package let differs: Double
    /// Mean minutes by which Bridgecast's way was quicker on those trips; < 0 if slower, 0 if there are none.
    package let gainWhereDifferent: Double
    /// How neighbouring bridges depend on each other beyond the forecast, at the same departures.
    package let dependence: BridgeDependence
}
