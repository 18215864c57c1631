// Why a route cannot be scored.
public import BridgecastCore

/// A route that cannot be scored: a stretch is no duration, or all of it takes too long.
public struct RouteSetError: Failure, Equatable {
    /// The route's id.
    public let route: String
    /// The step that is no duration, from 0; nil if the route takes too long in all.
    public let step: Int?
    private let problem: String

    init(route: String, step: Int, _ travel: Route.Travel) {
        (self.route, self.step) = (route, step)
        problem =
            "step \(step): mean \(travel.meanMinutes) and spread \(travel.spreadMinutes) minutes; both must be "
            + "numbers from 0 to \(Int(RouteSet.longestMinutes))"
    }

    init(route: String, totalMinutes: Double) {
        (self.route, step) = (route, nil)
        problem =
            "takes \(totalMinutes) minutes in all; at most \(Int(RouteSet.longestMinutes)), a day"
    }

    /// Whose matter it is.
    public var kind: FailureKind { .data }

    /// Which route and stretch, and what is wrong with it.
    public var description: String { "route '\(printable(route, most: 60))', \(problem)" }
}
