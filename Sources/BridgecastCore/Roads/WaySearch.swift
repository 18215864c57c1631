// The search behind RouteSearch, which can stop at the quickest path and go on; rankings use it directly.

/// A search that stops at the quickest path and goes on from there: between the two its caller may find out
/// how far the others are worth looking for.
package struct WaySearch {
    private let network: RoadNetwork
    private let mode: Route.Mode
    private let clock: DayClock
    private let (origin, destination): (Anchor, Anchor)
    private let lowerBounds: [Double]
    private var open: [OpenSequence]
    private var found: [Path] = []
    /// Longest time wanted, minutes.
    private var most = Double.infinity
    private var withoutCrossing: ShortestTree?
    private var reached: [Int: [Reached]] = [:]

    package init(
        _ network: RoadNetwork, _ mode: Route.Mode, from origin: Anchor, to destination: Anchor,
        leaving departure: Timestamp
    ) {
        (self.network, self.mode) = (network, mode)
        (self.origin, self.destination) = (origin, destination)
        let clock = DayClock(departure)
        self.clock = clock
        lowerBounds = network.leastMinutes(to: destination, mode)
        let entries = origin.entries.map { ($0.node, network.minutes($0, mode, clock)) }
        open = [OpenSequence(front: SearchFront(entries: entries))]
        if let straight = network.direct(origin, destination, mode, clock) { found = [straight] }
    }

    /// The quickest path; nil if there is no way.
    package mutating func quickest() -> Path? {
        while let next = nextSequence {
            let best = found.min { $0.minutes < $1.minutes }
            if let best, best.minutes <= bound(open[next]) { return best }
            extend(open.remove(at: next))
        }
        return found.min { $0.minutes < $1.minutes }
    }

    /// The quickest path and every other up to so many minutes, one per sequence of crossings, the quickest first.
    package mutating func all(upTo minutes: Double) -> [Path] {
        guard let quickest = quickest() else { return [] }
        most = max(quickest.minutes, minutes)
        while let next = nextSequence, bound(open[next]) <= most { extend(open.remove(at: next)) }
        return Self.bestBySequence(found.filter { $0.minutes <= most })
    }

    /// The sequence that may be the quickest to go on.
    private var nextSequence: Int? {
        open.indices.min { bound(open[$0]) < bound(open[$1]) }
    }

    /// Looks for the destination and for further crossings from where a sequence has led.
    private mutating func extend(_ sequence: OpenSequence) {
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

    /// Minutes that a sequence takes at least.
    private func bound(_ sequence: OpenSequence) -> Double {
        sequence.front.entries.map { $0.minutes + lowerBounds[$0.node] }.min() ?? .infinity
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
