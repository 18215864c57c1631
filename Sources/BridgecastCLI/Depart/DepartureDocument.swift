// What `depart` found, as JSON.
import BridgecastCore
import BridgecastEngine
import BridgecastRoads

/// The JSON of `depart`.
struct DepartureDocument: Encodable {
    struct Entry: Encodable {
        let departure: String
        let routeID: String
        let route: String
        let expectedS: Double
        let p90S: Double
        let expectedArrival: String
        let probabilityOnTime: Double?
        let probabilityStopped: Double

        init(_ score: RouteScore, leaving departure: Timestamp) {
            self.departure = TimeText.rfc3339(departure)
            routeID = score.route.id
            route = score.route.name
            expectedS = score.expectedMinutes * 60
            p90S = score.p90Minutes * 60
            expectedArrival = TimeText.rfc3339(score.expectedArrival(leaving: departure))
            probabilityOnTime = score.probabilityOnTime
            probabilityStopped = score.probabilityStopped
        }
    }

    struct Point: Encodable {
        let departure: String
        let routes: [Entry]
    }

    let issueTime: String
    let origin: String
    let destination: String
    let mode: Route.Mode
    let arriveBy: String?
    let confidence: Double
    let warnings: [String]
    let routeSource: RouteSource
    /// Whose data the roads are made from.
    let attribution: String?
    let latest: [Entry]
    let points: [Point]

    init(_ advice: DepartureAdvice) {
        issueTime = TimeText.rfc3339(advice.context.issueTime)
        (origin, destination, mode) = advice.request.ends
        arriveBy = advice.deadline.map(TimeText.rfc3339)
        confidence = advice.confidence
        warnings = advice.context.notes
        routeSource = advice.source
        attribution = advice.request.attribution
        latest = advice.curve.latest.map { Entry($0.score, leaving: $0.departure) }
        points = advice.curve.points.map { point in
            Point(
                departure: TimeText.rfc3339(point.departure),
                routes: point.map { Entry($0, leaving: point.departure) })
        }
    }
}
