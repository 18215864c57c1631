// From a path on the network to a route that can be scored.
public import BridgecastCore

extension Path {
    /// The route along the path: stretches with the usual spread, drawbridges between them.
    ///
    /// A drawbridge is taken to be met in the middle of its piece of road.
    /// - Precondition: The path was found on the network.
    public func route(
        on network: RoadNetwork, id: String, origin: String, destination: String, mode: Route.Mode
    ) -> Route {
        let stretches = DirectionStretch.stretches(of: self, on: network)
        return route(stretches, on: network, id, from: origin, to: destination, mode)
    }

    /// The same of stretches that are known.
    func route(
        _ stretches: [DirectionStretch], on network: RoadNetwork, _ id: String?,
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
