// Paths from one end of a trip to the other, one per sequence of crossings.
public import BridgecastCore

extension RoadNetwork {
    /// The quickest path, and the others up to a time.
    ///
    /// For every sequence of crossings that can be driven without delays in the given time there is one path: the one
    /// with the least cost, which is its mean travel time and the network's `Reluctance`. A quicker way through local
    /// streets is lost by that. Without reluctance nothing is lost: roads are first-in-first-out, and the spread of a
    /// stretch grows with its mean (``Route/Travel/init(minutes:)``), so of two ways over the same bridges the quicker
    /// one is earlier at every quantile, and bridges keep the order of those who wait. Then the best path by expected
    /// time and the best by any quantile are both among these (brute force on random networks agrees,
    /// `RouteSearchTests`). No path passes a crossing twice.
    ///
    /// - Parameters:
    ///   - origin, destination: Anchors of this network.
    ///   - departure: Decides how fast roads are; travel is timed without delays at bridges.
    ///   - limit: Longest time wanted, minutes, given the quickest path; called once. nil: no others.
    /// - Returns: One path per sequence of crossings, the quickest first; none if there is no way.
    /// - Precondition: Both ends are of the network.
    /// - Complexity: One search of the prepared roads per way of reaching a crossing, a tenth of a millisecond each.
    public func paths(
        from origin: Anchor, to destination: Anchor, mode: Route.Mode, leaving departure: Timestamp,
        limit: (Path) throws -> Double?
    ) rethrows -> [Path] {
        var search = RouteSearch(self, mode, from: origin, to: destination, leaving: departure)
        guard let quickest = search.quickest() else { return [] }
        return search.all(upTo: try limit(quickest) ?? 0)
    }
}

/// A search that stops at the quickest path and can go on from there, once its caller knows the time limit for others.
package struct RouteSearch: ~Copyable {
    private let network: RoadNetwork
    private let hierarchy: RoadHierarchy
    private let clock: TripClock
    private let starts: [SearchStart]
    private let crossingOfGate: [Int]
    /// The edges after gates, with the vertices at their ends.
    private let heads: [(edge: UInt32, vertex: UInt32)]
    /// Indices into `heads` by gate.
    private let headsOfGate: [Range<Int>]
    private var search: TripSearch
    private var open: [OpenSequence]
    private var found: [Path] = []
    private var isSearched = false
    private var searches = 0
    /// More sequences of crossings than anybody chooses from; a crafted file could have endlessly many.
    private static let maxSearches = 5_000
    /// Longest time wanted, seconds of the clock.
    private var latest = Double.infinity
    private var passed: [PassedSequence] = []
    /// How gates were reached, by gate.
    private var reached: [Int: [Reached]] = [:]

    package init(
        _ network: RoadNetwork, _ mode: Route.Mode, from origin: Anchor, to destination: Anchor,
        leaving departure: Timestamp
    ) {
        self.network = network
        let hierarchy = network.hierarchy(mode)
        self.hierarchy = hierarchy
        clock = network.clock(departure, mode)
        search = TripSearch(hierarchy, clock, to: network.ends(of: destination, hierarchy))
        crossingOfGate = hierarchy.gates.map { Int(network.map.arcs[Int($0.arc)].crossing) }
        var heads: [(edge: UInt32, vertex: UInt32)] = []
        headsOfGate = hierarchy.gates.map { gate in
            let first = heads.count
            heads += hierarchy.up(gate.exit).map { (UInt32($0), hierarchy.upward[$0].other) }
            return first..<heads.count
        }
        self.heads = heads
        starts = network.starts(of: origin, hierarchy, clock)
        open = [OpenSequence(starts: starts, bound: clock.departure)]
        if let path = direct(origin, destination) { found = [path] }
    }

    /// The path of least cost; nil if there is none.
    package mutating func quickest() -> Path? {
        if isSearched { return found.min { $0.costMinutes < $1.costMinutes } }
        isSearched = true
        search.runAcross(from: starts)
        if !search.isLong, search.latest - clock.departure >= TripClock.boundSeconds {
            search = TripSearch(hierarchy, clock, to: search.ends, isLong: true)
            search.runAcross(from: starts)
        }
        guard let path = path(of: OpenSequence(starts: starts, bound: 0)) else {
            return found.first
        }
        if Set(path.crossings).count == path.crossings.count {
            found.append(path)
        } else {
            // No path may cross twice: search sequence by sequence.
            search = TripSearch(hierarchy, clock, to: search.ends, isLong: true)
            search.widen(from: clock.departure)
            while let next = nextSequence {
                let best = found.min { $0.costMinutes < $1.costMinutes }
                if let best, clock.departure + best.costMinutes * 60 <= open[next].bound {
                    return best
                }
                extend(open.remove(at: next))
            }
        }
        return found.min { $0.costMinutes < $1.costMinutes }
    }

    /// The quickest path, and the others that cost up to `minutes` plus the reluctance of the quickest; one per
    /// sequence of crossings, the quickest first.
    package mutating func all(upTo minutes: Double) -> [Path] {
        guard let quickest = quickest() else { return [] }
        latest = clock.departure + Self.maxCostMinutes(upTo: minutes, quickest: quickest) * 60
        if !search.isLong, latest - clock.departure >= TripClock.boundSeconds {
            search = TripSearch(hierarchy, clock, to: search.ends, isLong: true)
        }
        search.latest = latest + 1e-6
        if let soonest = starts.map(\.seconds).min() { search.widen(from: soonest) }
        while let next = nextSequence, open[next].bound <= latest { extend(open.remove(at: next)) }
        return bestBySequence(
            found.filter { clock.departure + $0.costMinutes * 60 <= latest + 1e-6 })
    }

    /// What the paths of ``all(upTo:)`` cost at most: others may include as much reluctance as the quickest.
    package static func maxCostMinutes(upTo minutes: Double, quickest: Path) -> Double {
        max(quickest.costMinutes, minutes + quickest.costMinutes - quickest.minutes)
    }

    private var nextSequence: Int? {
        guard searches < Self.maxSearches else { return nil }
        return open.indices.min { open[$0].bound < open[$1].bound }
    }

    /// Searches from the end of a sequence for the destination and for further crossings.
    private mutating func extend(_ sequence: OpenSequence) {
        searches += 1
        search.run(from: sequence.starts)
        if let path = path(of: sequence) { found.append(path) }
        passed.append(PassedSequence(sequence.crossings, network, times: search.times(at: heads)))
        for (number, gate) in hierarchy.gates.enumerated() {
            let time = search.time(at: gate.entry)
            let crossing = crossingOfGate[number]
            guard time < .infinity, time + search.bound(gate.exit) <= latest,
                !sequence.crossings.contains(crossing)
            else { continue }
            let label = Reached(time: time, crossings: sequence.crossings + [crossing], network)
            guard !reached[number, default: []].contains(where: { $0.dominates(label) }),
                isWorthwhile(label, after: number)
            else { continue }
            reached[number, default: []].append(label)
            let way = search.way(to: gate.entry)
            open.append(
                OpenSequence(
                    starts: [SearchStart(vertex: gate.exit, seconds: time, spot: nil)],
                    bound: time + search.bound(gate.exit), crossings: label.crossings,
                    origin: sequence.origin ?? sequence.starts.spot(way.start),
                    edges: sequence.edges + way.edges))
        }
    }

    /// Whether a sequence that ends at a gate reaches a vertex earlier than all sequences that dominate it.
    private mutating func isWorthwhile(_ label: Reached, after gate: Int) -> Bool {
        // Downward edges may lead from there to the destination.
        let exit = hierarchy.gates[gate].exit
        if search.coreEnds.contains(exit) { return true }
        let range = headsOfGate[gate]
        let arrivals = range.map { search.arrival(heads[$0].edge, at: label.time) }
        let useful = range.filter { head in
            arrivals[head - range.lowerBound] + search.bound(heads[head].vertex) <= latest
        }
        return !passed.contains { rival in
            rival.isAhead(of: label.crossings)
                && useful.allSatisfy { rival.times[$0] <= arrivals[$0 - range.lowerBound] }
        }
    }

    /// The path over a sequence's crossings to the destination, if the last search has reached it.
    private func path(of sequence: OpenSequence) -> Path? {
        let arrivals = search.ends.map { search.arrival(at: $0) }
        guard let best = arrivals.indices.min(by: { arrivals[$0] < arrivals[$1] }),
            arrivals[best].isFinite
        else { return nil }
        let way = search.way(to: search.ends[best].vertex)
        guard let origin = sequence.origin ?? sequence.starts.spot(way.start) else { return nil }
        return PathBuilder(network, hierarchy, clock).path(
            PathTrace(edges: sequence.edges + way.edges, origin: origin, end: search.ends[best]))
    }

    private func direct(_ origin: Anchor, _ destination: Anchor) -> Path? {
        let ways = origin.spots.flatMap { from in
            destination.spots.filter { $0.arc == from.arc && $0.share >= from.share }.map { to in
                PathBuilder(network, hierarchy, clock).path(
                    on: from.arc, from: from.share, to: to.share)
            }
        }
        return ways.min { $0.costMinutes < $1.costMinutes }
    }

    /// How the far end of a crossing was reached.
    private struct Reached {
        let time: Double
        let crossings: [Int]
        let meetsDrawbridge: Bool

        init(time: Double, crossings: [Int], _ network: RoadNetwork) {
            self.time = time
            self.crossings = crossings
            meetsDrawbridge = crossings.contains { network.crossings[$0].bridge != nil }
        }

        /// Whether it is no later, and has passed the same crossings, or no drawbridge and only crossings of the other.
        func dominates(_ other: Reached) -> Bool {
            time <= other.time
                && (crossings == other.crossings
                    || !meetsDrawbridge && other.meetsDrawbridge
                        && crossings.allSatisfy { other.crossings.contains($0) })
        }
    }

    /// The path of least cost of each sequence: it may be reached over two ends of a crossing.
    ///
    /// A path over all crossings of another, in the same order, and more is left out: it waits wherever that one waits.
    private func bestBySequence(_ paths: [Path]) -> [Path] {
        var best: [[Int]: Path] = [:]
        for path in paths where path.costMinutes < best[path.crossings]?.costMinutes ?? .infinity {
            best[path.crossings] = path
        }
        let sorted = best.values.sorted {
            $0.costMinutes == $1.costMinutes
                ? $0.crossings.lexicographicallyPrecedes($1.crossings)
                : $0.costMinutes < $1.costMinutes
        }
        return sorted.indices.filter { index in
            !sorted[..<index].contains { $0.crossesLess(than: sorted[index]) }
        }.map { sorted[$0] }.sorted { $0.minutes < $1.minutes }
    }
}

/// A sequence that was searched: the arrivals at the vertices after all gates.
private struct PassedSequence {
    let crossings: [Int]
    private let meetsDrawbridge: Bool
    /// By index of `RouteSearch.heads`.
    let times: [Double]

    init(_ crossings: [Int], _ network: RoadNetwork, times: [Double]) {
        self.crossings = crossings
        self.times = times
        meetsDrawbridge = crossings.contains { network.crossings[$0].bridge != nil }
    }

    /// Whether an earlier path stays so whatever the bridges do, and may cross all that `other` may.
    func isAhead(of other: [Int]) -> Bool {
        other.starts(with: crossings)
            || !meetsDrawbridge && crossings.allSatisfy { other.contains($0) }
    }
}

private struct OpenSequence {
    let starts: [SearchStart]
    /// A lower bound of the arrival at the destination, seconds of the ``TripClock``.
    let bound: Double
    /// Indices into ``RoadNetwork/crossings``.
    var crossings: [Int] = []
    /// Where on the origin's arcs the path begins.
    var origin: Anchor.Spot?
    var edges: [UInt32] = []
}
