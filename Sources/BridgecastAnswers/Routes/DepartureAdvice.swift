// Departures of a window, compared: the window that is searched, what was found, and its JSON.
package import BridgecastCore
internal import BridgecastEngine
package import BridgecastRouting
package import BridgecastSupport

extension DepartureWindow {
    /// Length of a curve without a deadline, and the longest before one, minutes.
    private static let defaultMinutes = 120.0

    /// The window to search: two hours, or up to the deadline but starting no earlier than useful.
    ///
    /// - Parameters:
    ///   - earliest: No departure is earlier.
    ///   - goal: When to arrive, and minutes of the quickest way then, without delays at bridges; nil for no deadline.
    ///   - confidence: Wanted probability of arriving by the deadline, 0 < p < 1.
    /// - Throws: ``DeadlineError`` if even the quickest way without any delay is too late.
    package init(
        from earliest: Timestamp, arriveBy goal: (deadline: Timestamp, quickestMinutes: Double)?,
        confidence: Double
    ) throws(DeadlineError) {
        guard let (deadline, quickest) = goal else {
            self.init(
                from: earliest, until: earliest.adding(minutes: Self.defaultMinutes),
                confidence: confidence)
            return
        }
        guard deadline.minutes(since: earliest) >= quickest else {
            throw DeadlineError(deadline: deadline, earliest: earliest, quickestMinutes: quickest)
        }
        let useful = deadline.adding(minutes: -(Self.defaultMinutes + 2 * quickest))
        self.init(
            from: max(earliest, useful), until: deadline, arriveBy: deadline, confidence: confidence
        )
    }
}

/// A time to arrive by that no departure meets.
package struct DeadlineError: Failure, Equatable {
    /// When to arrive, and the earliest departure.
    package let deadline, earliest: Timestamp
    /// Minutes of the quickest way without delays.
    package let quickestMinutes: Double

    package var kind: FailureKind { .usage }

    package var description: String {
        "\(TimeText.rfc3339(deadline)) cannot be met: without any delay it takes "
            + "\(Int(quickestMinutes.rounded(.up))) minutes from \(TimeText.clock(earliest))"
    }
}

package struct DepartureAdvice: Sendable {
    package let request: RouteRequest
    package let source: RouteSource
    /// When to arrive; nil for none.
    package let deadline: Timestamp?
    /// Wanted probability of arriving by then, 0 < p < 1.
    package let confidence: Double
    /// What was known.
    package let context: ForecastContext
    package let curve: DepartureCurve

    /// Searches the departures of a window.
    ///
    /// - Parameter context: Of the window's first departure.
    /// - Throws: ``RankingError``.
    package init(
        _ request: RouteRequest, of source: RouteSource, _ window: DepartureWindow,
        in context: ForecastContext, weights: RouteWeights = .standard
    ) async throws(RankingError) {
        self.request = request
        self.source = source
        self.context = context
        deadline = window.deadline
        confidence = window.confidence
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

package struct DepartureDocument: JSONObjectAnswer {
    private let advice: DepartureAdvice

    package init(_ advice: DepartureAdvice) { self.advice = advice }

    package func writeFields(into json: inout JSONWriter) {
        let (origin, destination, mode) = advice.request.ends
        advice.context.envelope.write(into: &json)
        json.field("origin", origin)
        json.field("destination", destination)
        json.field("mode", mode.rawValue)
        json.field("arrive_by", advice.deadline)
        json.field("confidence", advice.confidence, decimals: 5)
        json.field("route_source", advice.source)
        json.field("attribution", advice.request.attribution)
        json.list("latest", advice.curve.latest) { json, latest in
            Self.write(latest.score, leaving: latest.departure, to: &json)
        }
        json.list("points", objects: advice.curve.points) { json, point in
            json.field("departure", point.departure)
            json.list("routes", point) { json, score in
                Self.write(score, leaving: point.departure, to: &json)
            }
        }
    }

    private static func write(
        _ score: RouteScore, leaving departure: Timestamp, to json: inout JSONWriter
    ) {
        json.object { json in
            json.field("departure", departure)
            json.field("route_id", score.route.id)
            json.field("route", score.route.name)
            json.field("expected_s", score.expectedMinutes * 60, decimals: 1)
            json.field("p50_s", score.p50Minutes * 60, decimals: 1)
            json.field("p90_s", score.p90Minutes * 60, decimals: 1)
            json.field("expected_arrival", score.expectedArrival(leaving: departure))
            json.field("probability_on_time", score.probabilityOnTime, decimals: 5)
            json.field("probability_stopped", score.probabilityStopped, decimals: 5)
        }
    }
}
