// Other ways over the crossings of a path that the search has found. Not here: other crossings (RouteSearch).
package import BridgecastCore

/// Finds paths over the same bridges that take other roads between them.
///
/// Between two crossings the paths of least cost from the one are a tree, and so are those to the other. Chains of edges
/// common to both trees are plateaus. A path over a plateau is quickest up to the plateau's end and quickest from its
/// start on, so that no part of the leg that takes less than the plateau could be quicker (Abraham, Delling, Goldberg
/// and Werneck, 2010, after the choice routing of Camvit). The trees are for the paces at one time, the middle of the
/// leg. What is found is timed by the hour, as every path is.
package struct AlternativeSearch {
    /// A path may take this share of the quickest plus ``maxExtraSeconds`` longer, on a leg or in all.
    package static let maxExtraShare = 0.25
    package static let maxExtraSeconds = 60.0

    let network: RoadNetwork
    let hierarchy: RoadHierarchy
    let clock: TripClock
    let origin, destination: Anchor

    /// The smallest plateau, as a share of the time that a path does not share with the original.
    private static let minPlateauShare = 0.25
    private static let minLegSeconds = 240.0
    private static let minPlateauSeconds = 60.0
    /// Candidates that are examined on a leg.
    private static let maxWays = 24

    package init(
        _ network: RoadNetwork, _ mode: Route.Mode, from origin: Anchor, to destination: Anchor,
        leaving departure: Timestamp
    ) {
        self.network = network
        self.origin = origin
        self.destination = destination
        hierarchy = network.hierarchy(mode)
        clock = network.clock(departure, mode)
    }

    /// Paths over the same crossings that differ on one leg between two of them, by cost.
    ///
    /// - Parameter path: Found on the network, between the same two ends and at the same departure.
    /// - Complexity: One search of the prepared roads per leg, and one backwards.
    package func alternatives(to path: Path) -> [Path] {
        guard let trace = path.trace, let legs = legs(of: path, trace) else { return [] }
        return legs.indices.flatMap { index in
            ways(for: legs[index], of: trace).compactMap { way -> Path? in
                let edges =
                    trace.edges[..<legs[index].edges.lowerBound] + way.edges
                    + trace.edges[legs[index].edges.upperBound...]
                let found = PathBuilder(network, hierarchy, clock).path(
                    PathTrace(
                        edges: Array(edges), origin: index == 0 ? way.origin : trace.origin,
                        end: index == legs.count - 1 ? way.end : trace.end))
                // Plateaus are measured in seconds of cost.
                let costShare = found.costMinutes / found.minutes
                let apartSeconds = found.minutes(besides: path) * costShare * 60
                let isReasonable =
                    apartSeconds > 0 && way.plateauSeconds >= apartSeconds * Self.minPlateauShare
                return isReasonable && !passesTwice(found) ? found : nil
            }
        }.sorted { $0.costMinutes < $1.costMinutes }
    }

    private struct Way {
        let plateauSeconds: Double
        /// Where the trip begins; used on its first leg.
        let origin: Anchor.Spot
        let edges: [UInt32]
        let end: TripEnd
    }

    /// The ways over plateaus that may replace a leg.
    private func ways(for leg: PathLeg, of trace: PathTrace) -> [Way] {
        guard leg.seconds >= Self.minLegSeconds else { return [] }
        var search = TripSearch(hierarchy, leg.clock, to: leg.ends)
        // The quickest way at these paces takes no longer than the leg itself.
        let own = leg.edges.reduce(leg.startSeconds(trace)) { time, index in
            search.arrival(trace.edges[index], at: time)
        }
        let longest = (own + leg.endSeconds(trace)) * (1 + Self.maxExtraShare)
        search.latest = longest + Self.maxExtraSeconds
        search.widen(from: 0)
        search.run(from: leg.starts)
        let quickest = leg.ends.map { search.arrival(at: $0) }.min() ?? .infinity
        guard quickest.isFinite else { return [] }
        let limit = quickest * (1 + Self.maxExtraShare) + Self.maxExtraSeconds
        // Those with the least time off the plateau first.
        let plateaus = search.plateaus(upTo: min(limit, search.latest)).filter {
            $0.totalSeconds > quickest + 1 && $0.seconds >= Self.minPlateauSeconds
        }.sorted { $0.totalSeconds - $0.seconds < $1.totalSeconds - $1.seconds }
        let ways = plateaus.lazy.compactMap { plateau -> Way? in
            guard let way = search.way(through: plateau.first) else { return nil }
            return Way(
                plateauSeconds: plateau.seconds, origin: leg.starts.spot(way.start) ?? trace.origin,
                edges: way.edges, end: way.end)
        }
        return Array(ways.prefix(Self.maxWays))
    }

    /// Whether a path passes a junction twice; if it ends within a piece of road it does not reach its head.
    private func passesTwice(_ path: Path) -> Bool {
        let pieces = path.pieces.last?.end == 1 ? path.pieces[...] : path.pieces.dropLast()
        let heads = pieces.map { network.map.arcs[$0.arc].head }
        return Set(heads).count < heads.count
    }
}

// MARK: - Plateaus

/// Edges of the core on quickest paths both to their last vertex and from their first one.
struct Plateau {
    let first, last: UInt32
    /// Seconds from the first vertex to the last.
    let seconds: Double
    /// Seconds from the origin over the plateau to the destination.
    let totalSeconds: Double
}

extension TripSearch {
    /// The plateaus of the last search on paths of up to `seconds`, in the order of their vertices.
    ///
    /// - Precondition: The clock is stopped, and the bounds of all vertices that near to the ends are known
    ///   (``widen(from:)``).
    func plateaus(upTo seconds: Double) -> [Plateau] {
        var found: [Plateau] = []
        for vertex in hierarchy.firstOfCore..<UInt32(workspace.labels.count) {
            let label = workspace.labels[Int(vertex)]
            guard isKnown(label), label.time + Double(label.bound) <= seconds,
                !isAgreed(label.lastEdge, from: label.lastVertex)
            else { continue }
            var last = vertex
            while let next = agreed(last) { last = next }
            guard last != vertex else { continue }
            found.append(
                Plateau(
                    first: vertex, last: last,
                    seconds: workspace.labels[Int(last)].time - label.time,
                    totalSeconds: label.time + Double(label.bound)))
        }
        return found
    }

    /// The quickest path to a vertex of the core and from there to the ends; nil if it crosses water.
    func way(through vertex: UInt32) -> (start: UInt32, edges: [UInt32], end: TripEnd)? {
        var (start, edges) = way(to: vertex)
        var last = vertex
        while workspace.labels[Int(last)].nextEdge != VertexLabel.begins {
            let label = workspace.labels[Int(last)]
            if label.nextEdge == VertexLabel.crosses { return nil }
            edges.append(label.nextEdge)
            last = label.nextVertex
        }
        let end = ends.filter { $0.vertex == last }.min {
            clock.arrival($0.deciseconds, $0.paceGroup, at: 0)
                < clock.arrival($1.deciseconds, $1.paceGroup, at: 0)
        }
        return end.map { (start, edges, $0) }
    }

    private func agreed(_ vertex: UInt32) -> UInt32? {
        let label = workspace.labels[Int(vertex)]
        guard label.nextEdge < hierarchy.upward.count else { return nil }
        let next = workspace.labels[Int(label.nextVertex)]
        return isKnown(next) && next.lastEdge == label.nextEdge ? label.nextVertex : nil
    }

    /// Whether the edge by which the search left a vertex is also the one by which the path of its bound leaves it.
    private func isAgreed(_ edge: UInt32, from vertex: UInt32) -> Bool {
        guard edge < hierarchy.upward.count, vertex >= hierarchy.firstOfCore else { return false }
        let label = workspace.labels[Int(vertex)]
        return isKnown(label) && label.nextEdge == edge
    }

    private func isKnown(_ label: VertexLabel) -> Bool {
        label.stamp == workspace.stamp && label.boundStamp == workspace.boundStamp
    }
}
