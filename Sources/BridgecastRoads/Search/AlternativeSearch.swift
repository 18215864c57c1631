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
    private let network: RoadNetwork
    private let hierarchy: RoadHierarchy
    private let clock: TripClock
    private let origin, destination: Anchor

    /// How much longer than what it replaces a way may take, as a share of that, and seconds more.
    private static let (mostStretch, mostSeconds) = (0.25, 60.0)
    /// How much of what is not shared a plateau must be at least.
    private static let leastPlateau = 0.25
    /// Stretches that take less are not looked at, seconds.
    private static let shortestLeg = 240.0
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
                return way.plateauSeconds < apart * Self.leastPlateau || isWayward(found)
                    ? nil : found
            }
        }.sorted { $0.costMinutes < $1.costMinutes }
    }

    /// A stretch of a path between two crossings, or an end and a crossing.
    private struct Leg {
        let edges: Range<Int>
        let starts: [TripStart]
        let ends: [TripEnd]
        /// Seconds that it takes.
        let seconds: Double
        /// The paces in its middle.
        let clock: TripClock
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
    private func ways(beside leg: Leg, _ trace: PathTrace) -> [Way] {
        guard leg.seconds >= Self.shortestLeg else { return [] }
        var search = TripSearch(hierarchy, leg.clock, to: leg.ends)
        search.latest = leg.seconds * (1 + Self.mostStretch) * 1.1 + 2 * Self.mostSeconds
        search.widen(from: 0)
        search.run(from: leg.starts)
        let least = leg.ends.map { search.arrival(at: $0) }.min() ?? .infinity
        guard least.isFinite else { return [] }
        let most = least * (1 + Self.mostStretch) + Self.mostSeconds
        // What is on plateaus is not what one pays for.
        let plateaus = search.plateaus(upTo: most).filter {
            $0.totalSeconds > least + 1 && $0.seconds >= Self.shortestLeg / 4
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

    /// The stretches of a path, in order: one more than it has crossings.
    private func legs(of path: Path, _ trace: PathTrace) -> [Leg] {
        let gates = path.pieces.filter { $0.crossing != nil }.compactMap { piece in
            hierarchy.gates.first { Int($0.arc) == piece.arc }
        }
        // When one is at the origin, behind each crossing, and at the destination.
        var times = [clock.departure]
        var time = clock.departure
        for piece in path.pieces {
            time += piece.minutes * 60
            if piece.crossing != nil { times.append(time) }
        }
        times.append(time)
        var legs: [Leg] = []
        var first = 0
        for place in 0...gates.count {
            let entry = place < gates.count ? gates[place].entry : nil
            let end =
                entry.flatMap { entry in
                    trace.edges[first...].firstIndex {
                        $0 < hierarchy.upward.count && hierarchy.edge($0).other == entry
                    }
                }.map { $0 + 1 } ?? trace.edges.count
            let clock = TripClock(standingAt: (times[place] + times[place + 1]) / 2, of: self.clock)
            legs.append(
                Leg(
                    edges: first..<end,
                    starts: place == 0
                        ? network.starts(of: origin, hierarchy, clock)
                        : [TripStart(vertex: gates[place - 1].exit, seconds: 0, spot: nil)],
                    ends: entry.map {
                        [
                            TripEnd(
                                vertex: $0, deciseconds: 0, reluctantDeciseconds: 0,
                                paceGroup: .local, spot: trace.origin)
                        ]
                    } ?? network.ends(of: destination, hierarchy),
                    seconds: times[place + 1] - times[place], clock: clock))
            first = end
        }
        return legs
    }
}
