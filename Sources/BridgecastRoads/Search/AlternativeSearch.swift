// Other ways over the crossings of a way that the search has found; rankings show them beside it.
package import BridgecastCore

/// Finds ways that cross the same water on the same bridges, and go elsewhere between them.
///
/// Between two crossings, the quickest ways from the one are a tree, and so are those to the other. Where the two trees
/// have edges in common lie plateaus; a way over a long plateau is one that drivers would take who prefer its roads, and
/// nothing on it is a detour (Abraham, Delling, Goldberg and Werneck, 2010, after the choice routing of Camvit). The
/// trees are those of one moment: paces as they are in the middle of the stretch. What is found is timed by the hour as
/// every path is.
package struct AlternativeSearch {
    let network: RoadNetwork
    let hierarchy: RoadHierarchy
    let clock: TripClock
    let origin, destination: Anchor

    /// How much longer than the quickest a way may take on a stretch: a share of that, and seconds.
    private static let (mostStretch, mostSecondsLonger) = (0.25, 60.0)
    /// How much of what a way does not share with the path its plateau is at least.
    private static let leastPlateauShare = 0.25
    /// Shorter stretches have no second ways, and shorter plateaus lead to none.
    private static let (shortestLegSeconds, shortestPlateauSeconds) = (240.0, 60.0)
    /// Plateaus of a stretch that are looked at, the most promising first.
    private static let mostPlateaus = 24

    package init(
        _ network: RoadNetwork, _ mode: Route.Mode, from origin: Anchor, to destination: Anchor,
        leaving departure: Timestamp
    ) {
        (self.network, self.origin, self.destination) = (network, origin, destination)
        hierarchy = network.hierarchy(mode)
        clock = TripClock(departure, mode == .car ? network.paces : .free)
    }

    /// Ways over the same crossings as a path, each of which differs from it on one stretch between two crossings; by
    /// what they seem to take, the quickest first.
    ///
    /// - Parameter path: Found on the network, between the same two ends and at the same departure.
    /// - Complexity: Two searches of the prepared roads per stretch.
    package func alternatives(to path: Path) -> [Path] {
        guard let trace = path.trace else { return [] }
        let legs = legs(of: path, trace)
        return legs.indices.flatMap { place in
            ways(beside: legs[place], trace).compactMap { way -> Path? in
                let edges =
                    trace.edges[..<legs[place].edges.lowerBound] + way.edges
                    + trace.edges[legs[place].edges.upperBound...]
                let found = PathBuilder(network, hierarchy, clock).path(
                    PathTrace(
                        edges: Array(edges), origin: place == 0 ? way.origin : trace.origin,
                        end: place == legs.count - 1 ? way.end : trace.end))
                let apart = found.minutes(besides: path) * 60
                return way.plateauSeconds < apart * Self.leastPlateauShare || isWayward(found)
                    ? nil : found
            }
        }.sorted { $0.costMinutes < $1.costMinutes }
    }

    /// What may stand in place of a stretch.
    private struct Way {
        let plateauSeconds: Double
        /// Where the trip begins, of its first stretch.
        let origin: Anchor.Spot
        let edges: [UInt32]
        let end: TripEnd
    }

    /// The ways over plateaus beside a stretch.
    private func ways(beside leg: PathLeg, _ trace: PathTrace) -> [Way] {
        guard leg.seconds >= Self.shortestLegSeconds else { return [] }
        var search = TripSearch(hierarchy, leg.clock, to: leg.ends)
        // The stretch itself may take longer at the paces of one moment: a tenth more than enough.
        search.latest = 1.1 * leg.seconds * (1 + Self.mostStretch) + 2 * Self.mostSecondsLonger
        search.widen(from: 0)
        search.run(from: leg.starts)
        let least = leg.ends.map { search.arrival(at: $0) }.min() ?? .infinity
        guard least.isFinite else { return [] }
        let most = least * (1 + Self.mostStretch) + Self.mostSecondsLonger
        // What is on plateaus is not what one pays for.
        let plateaus = search.plateaus(upTo: most).filter {
            $0.totalSeconds > least + 1 && $0.seconds >= Self.shortestPlateauSeconds
        }.sorted { $0.totalSeconds - $0.seconds < $1.totalSeconds - $1.seconds }
        return plateaus.prefix(Self.mostPlateaus).compactMap { plateau in
            guard let way = search.way(through: plateau.first) else { return nil }
            return Way(
                plateauSeconds: plateau.seconds,
                origin: leg.starts.first { $0.vertex == way.start }?.spot ?? trace.origin,
                edges: way.edges, end: way.end)
        }
    }

    /// Whether a way comes to a junction twice.
    private func isWayward(_ path: Path) -> Bool {
        let heads = path.pieces.map { network.map.arcs[$0.arc].head }
        return Set(heads).count < heads.count
    }
}
