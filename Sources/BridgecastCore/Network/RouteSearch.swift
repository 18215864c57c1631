// Ways through the road network: the quickest for every sequence of crossings.

/// A way through the network: stretches of road with crossings of water between them.
public struct Path: Sendable, Equatable {
    /// A piece of road.
    public struct Piece: Sendable, Equatable {
        /// Name of the road.
        public let road: String
        /// Metres, and minutes at the speed of the hour.
        public let metres, minutes: Double
        /// Index into ``RoadNetwork/crossings``, if it crosses water.
        public let crossing: Int?
        /// Where it ends.
        public let end: GeoPoint
    }

    /// In order.
    public let pieces: [Piece]

    /// Minutes without delays at bridges.
    public var minutes: Double { pieces.reduce(0) { $0 + $1.minutes } }
    /// Metres.
    public var metres: Double { pieces.reduce(0) { $0 + $1.metres } }
    /// Crossings in order, indices into ``RoadNetwork/crossings``.
    public var crossings: [Int] { pieces.compactMap(\.crossing) }
}

/// Finds ways through a network.
///
/// For every sequence of crossings that can be driven without delays in a given time there is one path:
/// the one with the least mean travel time between them. Nothing is lost by that. Roads are
/// first-in-first-out, and the spread of a stretch grows with its mean (``Route/Travel/init(minutes:)``), so
/// of two ways over the same bridges the quicker one is earlier at every quantile; bridges keep the order
/// of those who wait. So the best path by expected time and the best by any quantile are both among
/// these (brute force on random networks agrees, `RouteSearchTests`). No path passes a crossing twice: it would
/// be back where it has been.
public struct RouteSearch: Sendable {
    private let network: RoadNetwork
    private let mode: Route.Mode

    /// Creates a search.
    public init(_ network: RoadNetwork, mode: Route.Mode) {
        self.network = network
        self.mode = mode
    }

    /// The quickest path, and the others up to a time.
    ///
    /// - Parameters:
    ///   - departure: Decides how fast roads are; the clock of a trip runs without delays at bridges.
    ///   - limit: Longest time wanted, minutes, given the quickest path; asked once. nil: no others.
    /// - Returns: One path per sequence of crossings, the quickest first; none if there is no way.
    /// - Complexity: One search of the roads, O(edges log edges), per way of reaching a crossing.
    public func paths(
        from origin: Anchor, to destination: Anchor, leaving departure: Timestamp,
        limit: (Path) throws -> Double?
    ) rethrows -> [Path] {
        let clock = DayClock(departure)
        let lowerBounds = network.leastMinutes(to: destination, mode)
        let entries = origin.entries.map { ($0.node, network.minutes($0, mode, clock)) }
        var open = [OpenSequence(front: SearchFront(entries: entries))]
        var found: [Path] = []
        if let straight = network.direct(origin, destination, mode, clock) {
            found.append(straight)
        }
        var most = Double.infinity
        var isLimited = false
        var withoutCrossing: ShortestTree?
        var reached: [Int: [Reached]] = [:]
        while let next = open.indices.min(by: {
            bound(open[$0], lowerBounds) < bound(open[$1], lowerBounds)
        }) {
            let sequence = open.remove(at: next)
            let least = bound(sequence, lowerBounds)
            if !isLimited, let best = found.min(by: { $0.minutes < $1.minutes }),
                best.minutes <= least
            {
                most = try max(best.minutes, limit(best) ?? best.minutes)
                isLimited = true
            }
            guard least <= most else { break }
            let tree = network.shortestTree(
                from: sequence.front, mode, clock, leastToGo: lowerBounds, most: most)
            if withoutCrossing == nil { withoutCrossing = tree }
            if let path = network.path(sequence, tree, from: origin, to: destination, mode, clock) {
                found.append(path)
            }
            for exit in network.exits(of: tree, mode, clock)
            where !sequence.crossings.contains(exit.crossing) {
                let node = exit.edge.to
                let label = Reached(
                    minutes: exit.minutes, crossings: sequence.crossings + [exit.crossing], network)
                // Who can be here earlier without crossing anything has no reason to come this way.
                guard exit.minutes + lowerBounds[node] <= most,
                    exit.minutes < withoutCrossing?.minutes[node] ?? .infinity,
                    !reached[node, default: []].contains(where: { $0.dominates(label) })
                else { continue }
                reached[node, default: []].append(label)
                open.append(
                    OpenSequence(
                        front: SearchFront(entries: [(node, exit.minutes)]),
                        crossings: label.crossings,
                        parents: sequence.parents + [OpenSequence.Parent(tree: tree, exit: exit)]))
            }
        }
        return Self.bestBySequence(found.filter { $0.minutes <= most })
    }

    /// How the far end of a crossing was reached.
    private struct Reached {
        let minutes: Double
        let crossings: [Int]
        let meetsDrawbridge: Bool

        init(minutes: Double, crossings: [Int], _ network: RoadNetwork) {
            self.minutes = minutes
            self.crossings = crossings
            meetsDrawbridge = crossings.contains { network.crossings[$0].bridge != nil }
        }

        /// Whether who comes this way is ahead at every quantile, whatever the bridges do, or has passed
        /// the same crossings.
        func dominates(_ other: Reached) -> Bool {
            minutes <= other.minutes
                && (!meetsDrawbridge && other.meetsDrawbridge || crossings == other.crossings)
        }
    }

    /// Minutes that a sequence takes at least.
    private func bound(_ sequence: OpenSequence, _ lowerBounds: [Double]) -> Double {
        sequence.front.entries.map { $0.minutes + lowerBounds[$0.node] }.min() ?? .infinity
    }

    /// A sequence may be reached over two ends of a crossing; the quicker one stays.
    private static func bestBySequence(_ paths: [Path]) -> [Path] {
        var best: [[Int]: Path] = [:]
        for path in paths where path.minutes < best[path.crossings]?.minutes ?? .infinity {
            best[path.crossings] = path
        }
        return best.values.sorted {
            $0.minutes == $1.minutes
                ? $0.crossings.lexicographicallyPrecedes($1.crossings) : $0.minutes < $1.minutes
        }
    }
}

/// Where a search of the roads begins.
struct SearchFront {
    let entries: [(node: Int, minutes: Double)]
}

/// Crossings passed, and the searches that led over them.
struct OpenSequence {
    struct Parent {
        let tree: ShortestTree
        let exit: Exit
    }

    let front: SearchFront
    var crossings: [Int] = []
    var parents: [Parent] = []
}

/// A crossing that is reached: its edge, and when one is over it.
struct Exit {
    let edge: RoadNetwork.Edge
    let crossing: Int
    let minutes: Double
}

/// Minutes to every node without crossing water, and the edges by which.
struct ShortestTree {
    var minutes: [Double]
    var lastEdge: [Int]
}
