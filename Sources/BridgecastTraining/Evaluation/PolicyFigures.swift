// Figures of one policy of the backtest.

/// Figures of one policy; minutes a trip.
package struct PolicyFigures: Encodable, Sendable {
    /// Whom the driver follows.
    package let policy: RoutePolicy
    /// Mean duration of a trip with its delays, minutes.
    package let meanMinutes: Double
    /// By how much longer trips took than the best route in hindsight.
    package let regretMinutes: Estimate
    /// Share of trips that were stopped.
    package let stopped: Double
}
