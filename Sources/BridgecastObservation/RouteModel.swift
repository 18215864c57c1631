public import BridgecastCore
public import Observation

/// A route with its latest score and the models of the bridges it crosses.
@Observable public final class RouteModel: Identifiable {
    /// The route.
    public let route: Route
    /// The route's id.
    public var routeID: String { route.id }
    /// The bridges it crosses, in order; shared with every other route over them.
    public let bridgeStatuses: [BridgeStatusModel]
    /// The latest figures; nil before the first.
    public private(set) var latest: RouteScore?

    /// Creates a model without a score.
    public init(route: Route, bridgeStatuses: [BridgeStatusModel]) {
        self.route = route
        self.bridgeStatuses = bridgeStatuses
    }

    /// Weighted sum of the criteria in minutes, less is better; nil before the first score.
    public var score: Double? { latest?.score }

    /// Applies new figures; equal ones do not notify.
    ///
    /// - Precondition: The score is of this route.
    public func apply(_ score: RouteScore) {
        precondition(score.route.id == route.id, "a score belongs to one route")
        if latest != score { latest = score }
    }
}
