// Figures of one policy of the backtest.

/// Figures of one policy; minutes a trip.
package struct PolicyFigures: Encodable, Sendable {
    package let policy: RoutePolicy
    package let meanMinutes: Double
    /// By how much longer trips took than the best route in hindsight.
    package let regretMinutes: Estimate
    /// Share of trips that were stopped.
    package let stopped: Double
}
