// A route that is scored together with the way it was made from; for those who show maps and directions of routes.
public import BridgecastCore

/// A route found on the roads, and its path: what scoring sees, and what directions and lines are made from.
public struct PlannedRoute: Sendable, Equatable {
    /// What is scored; rankings hold it.
    public let route: Route
    /// The way itself.
    public let path: Path

    /// Makes the route of a path; its id are the crossings.
    ///
    /// - Parameter road: What it is told apart by from another way over the same crossings; its id ends with it.
    /// - Precondition: The path was found on the network.
    public init(
        _ path: Path, on network: RoadNetwork, from origin: String, to destination: String,
        mode: Route.Mode, by road: String? = nil
    ) {
        self.path = path
        route = path.route(
            DirectionStretch.stretches(of: path, on: network), on: network, nil, from: origin,
            to: destination, mode, by: road)
    }
}
