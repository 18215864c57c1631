// From a path to a route that can be scored.
public import BridgecastCore

/// A route found on the roads and its path: the route is scored, directions and lines come from the path.
public struct PlannedRoute: Sendable, Equatable {
    /// The route for scoring.
    public let route: Route
    /// The path of the route.
    public let path: Path

    /// Makes the route of a path; its id is the names of its crossings.
    ///
    /// - Parameter road: The road that distinguishes it from another path over the same crossings; its id ends with it.
    /// - Precondition: The path was found on the network.
    public init(
        _ path: Path, on network: RoadNetwork, from origin: String, to destination: String,
        mode: Route.Mode, by road: String? = nil
    ) {
        self.path = path
        route = path.route(
            DirectionStretch.stretches(of: path, on: network), on: network, id: nil, from: origin,
            to: destination, mode, by: road)
    }
}

extension Path {
    /// The route along the path: stretches with the default spread, drawbridges between them.
    ///
    /// A drawbridge is reached in the middle of its piece of road.
    /// - Precondition: The path was found on the network.
    public func route(
        on network: RoadNetwork, id: String, origin: String, destination: String, mode: Route.Mode
    ) -> Route {
        let stretches = DirectionStretch.stretches(of: self, on: network)
        return route(stretches, on: network, id: id, from: origin, to: destination, mode)
    }

    func route(
        _ stretches: [DirectionStretch], on network: RoadNetwork, id: String?,
        from origin: String, to destination: String, _ mode: Route.Mode, by road: String? = nil
    ) -> Route {
        var steps: [Route.Step] = []
        var crossings: [String] = []
        var minutes = 0.0
        for stretch in stretches {
            if let crossing = stretch.road.crossing {
                crossings.append(network.crossings[crossing].name)
            }
            let travel = pieces[stretch.pieces].reduce(0) { $0 + $1.minutes }
            guard let bridge = stretch.road.crossing.flatMap({ network.crossings[$0].bridge })
            else {
                minutes += travel
                continue
            }
            steps.append(.travel(Route.Travel(minutes: minutes + travel / 2)))
            steps.append(.crossing(bridge))
            minutes = travel / 2
        }
        steps.append(.travel(Route.Travel(minutes: minutes)))
        let over = crossings.isEmpty ? "no crossing" : crossings.joined(separator: " + ")
        return Route(
            id: id ?? road.map { "\(over) by \($0)" } ?? over,
            name: name(stretches, on: network, by: road),
            origin: origin, destination: destination, mode: mode, steps: steps)
    }
}
