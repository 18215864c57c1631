// What a search for departures found: the curve of departures, and what was asked.
package import BridgecastCore
package import BridgecastEngine

/// What a search for departures found.
package struct DepartureAdvice: Sendable {
    /// What routes were asked for.
    package let request: RouteRequest
    /// Where the routes come from.
    package let source: RouteSource
    /// When one wants to be there; nil if that does not matter.
    package let deadline: Timestamp?
    /// Wanted probability of being there by then, 0 < p < 1.
    package let confidence: Double
    /// What was known.
    package let context: ForecastContext
    /// The routes by departure.
    package let curve: DepartureCurve

    /// Searches the departures of a window.
    ///
    /// - Parameter context: Of the window's first departure.
    /// - Throws: ``RankingError``.
    package init(
        _ request: RouteRequest, of source: RouteSource, _ window: DepartureWindow,
        in context: ForecastContext, weights: RouteWeights = .standard
    ) async throws(RankingError) {
        (self.request, self.source, self.context) = (request, source, context)
        (deadline, confidence) = (window.deadline, window.confidence)
        curve = try await request.departures(window, in: context, weights: weights)
    }

    /// Leaving at once, and ten minutes later, by the best route of each; nil if the curve is too short.
    package var nowOrLater: (now: RouteRanking, later: RouteRanking)? {
        let later = Int(Self.laterMinutes / DepartureCurve.stepMinutes)
        guard curve.points.count > later else { return nil }
        return (curve.points[0], curve.points[later])
    }

    /// How much later the other departure of ``nowOrLater`` is, minutes.
    package static let laterMinutes = 10.0
}
