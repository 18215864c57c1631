// From a path on the network to a route that can be scored, with a name people recognise.

extension Path {
    /// The route along the path: stretches with the usual spread, drawbridges between them.
    ///
    /// A drawbridge is taken to be met in the middle of its piece of road.
    /// - Precondition: The path was found on the network.
    public func route(
        on network: RoadNetwork, id: String, origin: String, destination: String, mode: Route.Mode
    ) -> Route {
        var steps: [Route.Step] = []
        var minutes = 0.0
        for piece in pieces {
            guard let bridge = piece.crossing.flatMap({ network.crossings[$0].bridge }) else {
                minutes += piece.minutes
                continue
            }
            steps.append(.travel(Route.Travel(minutes: minutes + piece.minutes / 2)))
            steps.append(.crossing(bridge))
            minutes = piece.minutes / 2
        }
        steps.append(.travel(Route.Travel(minutes: minutes)))
        return Route(
            id: id, name: name(on: network), origin: origin, destination: destination, mode: mode,
            steps: steps)
    }

    /// Its crossings, and the longest road of each stretch between them that is worth a word.
    ///
    /// - Precondition: The path was found on the network.
    public func name(on network: RoadNetwork) -> String {
        var names: [String] = []
        var stretch: [Piece] = []
        func describeStretch() {
            var metresByRoad: [(road: String, metres: Double)] = []
            for piece in stretch where !piece.road.isEmpty {
                if let index = metresByRoad.firstIndex(where: { $0.road == piece.road }) {
                    metresByRoad[index].metres += piece.metres
                } else {
                    metresByRoad.append((piece.road, piece.metres))
                }
            }
            let worthAWord = metresByRoad.filter { $0.metres >= max(400, metres / 8) }
            // The two longest, in the order they come.
            let longest = worthAWord.sorted { $0.metres > $1.metres }.prefix(2).map(\.road)
            names += worthAWord.map(\.road).filter { longest.contains($0) && !names.contains($0) }
            stretch = []
        }
        for piece in pieces {
            guard let crossing = piece.crossing else {
                stretch.append(piece)
                continue
            }
            describeStretch()
            names.append(network.crossings[crossing].name)
        }
        describeStretch()
        return names.isEmpty ? pieces.last?.road ?? "" : names.joined(separator: ", ")
    }
}
