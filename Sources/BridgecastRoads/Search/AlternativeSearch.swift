// Other ways over the crossings of a way that the search has found; rankings show them beside it.
package import BridgecastCore

/// Finds ways that cross the same water on the same bridges, and go elsewhere between them.
///
/// Between two crossings the ways that seem quickest from the one are a tree, and so are those to the other. Where the
/// two trees have edges in common lie plateaus. A way over a plateau is quickest up to its end and quickest from its
/// beginning on, so that no part of the leg that takes less than the plateau could be quicker (Abraham, Delling,
/// Goldberg and Werneck, 2010, after the choice routing of Camvit). The trees are those of one moment: paces as they
/// are in the middle of the leg. What is found is timed by the hour, as every path is.
package struct AlternativeSearch {
    /// How much longer than the quickest a way may take, as a share of that, and in seconds: on a leg here, and for
    /// rankings where the two differ.
    package static let (mostLongerShare, mostLongerSeconds) = (0.25, 60.0)

    let network: RoadNetwork
    let hierarchy: RoadHierarchy
    let clock: TripClock
    let origin, destination: Anchor

    /// How much of what a way does not share with the path its plateau is at least.
    private static let leastPlateauShare = 0.25
    /// Shorter legs have no second ways, and shorter plateaus lead to none.
    private static let (shortestLegSeconds, shortestPlateauSeconds) = (240.0, 60.0)
    /// Ways of a leg that are looked at.
    private static let mostWays = 24

    package init(
        _ network: RoadNetwork, _ mode: Route.Mode, from origin: Anchor, to destination: Anchor,
        leaving departure: Timestamp
    ) {
        (self.network, self.origin, self.destination) = (network, origin, destination)
        hierarchy = network.hierarchy(mode)
        clock = TripClock(departure, mode == .car ? network.paces : .free)
    }

    /// Ways over the same crossings as a path, each of which differs from it on one leg, the stretch between two
    /// crossings; by what they seem to take, the quickest first.
    ///
    /// - Parameter path: Found on the network, between the same two ends and at the same departure.
    /// - Complexity: One search of the prepared roads per leg, and one backwards.
    package func alternatives(to path: Path) -> [Path] {
        guard let trace = path.trace, let legs = legs(of: path, trace) else { return [] }
        return legs.indices.flatMap { place in
            ways(beside: legs[place], trace).compactMap { way -> Path? in
                let edges =
                    trace.edges[..<legs[place].edges.lowerBound] + way.edges
                    + trace.edges[legs[place].edges.upperBound...]
                let found = PathBuilder(network, hierarchy, clock).path(
                    PathTrace(
                        edges: Array(edges), origin: place == 0 ? way.origin : trace.origin,
                        end: place == legs.count - 1 ? way.end : trace.end))
                // Plateaus are measured in seconds that they seem to take.
                let seeming = found.costMinutes / found.minutes
                let apartSeconds = found.minutes(besides: path) * seeming * 60
                let isPlain =
                    apartSeconds > 0 && way.plateauSeconds >= apartSeconds * Self.leastPlateauShare
                return isPlain && !passesTwice(found) ? found : nil
            }
        }.sorted { $0.costMinutes < $1.costMinutes }
    }

    /// What may stand in place of a leg.
    private struct Way {
        let plateauSeconds: Double
        /// Where the trip begins, of its first leg.
        let origin: Anchor.Spot
        let edges: [UInt32]
        let end: TripEnd
    }

    /// The ways over plateaus beside a leg.
    private func ways(beside leg: PathLeg, _ trace: PathTrace) -> [Way] {
        guard leg.seconds >= Self.shortestLegSeconds else { return [] }
        var search = TripSearch(hierarchy, leg.clock, to: leg.ends)
        // The leg itself is a way, and the quickest at these paces takes no longer.
        let own = leg.edges.reduce(leg.startSeconds(trace)) { time, place in
            search.arrival(trace.edges[place], at: time)
        }
        let longest = (own + leg.endSeconds(trace)) * (1 + Self.mostLongerShare)
        search.latest = longest + Self.mostLongerSeconds
        search.widen(from: 0)
        search.run(from: leg.starts)
        let least = leg.ends.map { search.arrival(at: $0) }.min() ?? .infinity
        guard least.isFinite else { return [] }
        let most = least * (1 + Self.mostLongerShare) + Self.mostLongerSeconds
        // The least time off the plateau first.
        let plateaus = search.plateaus(upTo: min(most, search.latest)).filter {
            $0.totalSeconds > least + 1 && $0.seconds >= Self.shortestPlateauSeconds
        }.sorted { $0.totalSeconds - $0.seconds < $1.totalSeconds - $1.seconds }
        let ways = plateaus.lazy.compactMap { plateau -> Way? in
            guard let way = search.way(through: plateau.first) else { return nil }
            return Way(
                plateauSeconds: plateau.seconds, origin: leg.starts.spot(way.start) ?? trace.origin,
                edges: way.edges, end: way.end)
        }
        return Array(ways.prefix(Self.mostWays))
    }

    /// Whether a way comes to a junction twice; where it ends within a piece of road it does not come to its end.
    private func passesTwice(_ path: Path) -> Bool {
        let pieces = path.pieces.last?.end == 1 ? path.pieces[...] : path.pieces.dropLast()
        let heads = pieces.map { network.map.arcs[$0.arc].head }
        return Set(heads).count < heads.count
    }
}
