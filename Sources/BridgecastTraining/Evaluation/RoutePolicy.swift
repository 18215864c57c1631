// Whom a driver of the backtest follows.

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
