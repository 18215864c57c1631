// What `depart` found: the curve of departures, and what was asked.
import BridgecastCore
import BridgecastEngine

/// What `depart` found.
struct DepartureAdvice {
    let request: RouteRequest
    /// Where the routes come from.
    let source: RouteSource
    let deadline: Timestamp?
    let confidence: Double
    let context: ForecastContext
    let curve: DepartureCurve

    /// Leaving at once, and ten minutes later, by the best route of each; nil if the curve is too short.
    var nowOrLater: (now: RouteRanking, later: RouteRanking)? {
        let later = Int(Self.laterMinutes / DepartureCurve.stepMinutes)
        guard curve.points.count > later else { return nil }
        return (curve.points[0], curve.points[later])
    }

    static let laterMinutes = 10.0
}
