// The search behind RouteSearch, which can stop at the quickest path and go on; rankings use it directly.
// Belongs here: ways from one end of a trip to the other; not: what they are called, or how they rank.
package import BridgecastCore

/// A search that stops at the quickest path and goes on from there: between the two its caller may find out
/// how far the others are worth looking for.
package struct WaySearch: ~Copyable {
    private let network: RoadNetwork
    private let hierarchy: RoadHierarchy
    private let clock: TripClock
    private let starts: [TripStart]
    private let crossingOfGate: [Int]
    /// The edges that lead on behind gates, and which of them belong to each.
    private let heads: [(edge: UInt32, vertex: UInt32)]
    private let headsOfGate: [Range<Int>]
    private var search: TripSearch
    private var open: [OpenSequence]
    private var found: [Path] = []
    private var isSearched = false
    private var searches = 0
    /// More sequences of crossings than any city's traveller chooses from; a file could be made to have no end of them.
    private static let mostSearches = 5_000
    /// Longest time wanted, seconds of the clock.
    private var latest = Double.infinity
    /// Sequences that were followed.
    private var passed: [PassedSequence] = []
    private var reached: [Int: [Reached]] = [:]

    package init(
        _ network: RoadNetwork, _ mode: Route.Mode, from origin: Anchor, to destination: Anchor,
        leaving departure: Timestamp
    ) {
        self.network = network
        let hierarchy = network.hierarchy(mode)
        self.hierarchy = hierarchy
        clock = TripClock(departure, mode == .car ? network.paces : .free)
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

    /// The path that seems quickest; nil if there is no way.
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
            // Nobody crosses twice: one after the other, then.
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

    /// That path and the others that seem to take up to so many minutes, and what the quickest is reluctant of on top;
    /// one per sequence of crossings, the quickest first.
    package mutating func all(upTo minutes: Double) -> [Path] {
        guard let quickest = quickest() else { return [] }
        // What the quickest is reluctant of, others may be too.
        let reluctance = quickest.costMinutes - quickest.minutes
        latest = clock.departure + max(quickest.costMinutes, minutes + reluctance) * 60
        if !search.isLong, latest - clock.departure >= TripClock.boundSeconds {
            search = TripSearch(hierarchy, clock, to: search.ends, isLong: true)
        }
        search.latest = latest + 1e-6
        if let soonest = starts.map(\.seconds).min() { search.widen(from: soonest) }
        while let next = nextSequence, open[next].bound <= latest { extend(open.remove(at: next)) }
        return bestBySequence(
            found.filter { clock.departure + $0.costMinutes * 60 <= latest + 1e-6 })
    }

    /// The sequence that may be the quickest to go on.
    private var nextSequence: Int? {
        guard searches < Self.mostSearches else { return nil }
        return open.indices.min { open[$0].bound < open[$1].bound }
    }

    /// Looks for the destination and for further crossings from where a sequence has led.
    private mutating func extend(_ sequence: OpenSequence) {
        searches += 1
        search.run(from: sequence.starts)
        if let path = path(of: sequence) { found.append(path) }
        passed.append(PassedSequence(sequence.crossings, network, times: search.times(at: heads)))
        for (number, gate) in hierarchy.gates.enumerated() {
            let time = search.time(at: gate.entry)
            let crossing = crossingOfGate[number]
            guard time < .infinity, time + search.least(gate.exit) <= latest,
                !sequence.crossings.contains(crossing)
            else { continue }
            let label = Reached(time: time, crossings: sequence.crossings + [crossing], network)
            guard !reached[number, default: []].contains(where: { $0.dominates(label) }),
                isWorthwhile(label, behind: number)
            else { continue }
            reached[number, default: []].append(label)
            let way = search.way(to: gate.entry)
            open.append(
                OpenSequence(
                    starts: [TripStart(vertex: gate.exit, seconds: time, spot: nil)],
                    bound: time + search.least(gate.exit), crossings: label.crossings,
                    origin: sequence.origin
                        ?? sequence.starts.spot(way.start),
                    edges: sequence.edges + way.edges))
        }
    }

    /// Whether one who has crossed gets anywhere where nobody who has crossed less is before him.
    private mutating func isWorthwhile(_ label: Reached, behind gate: Int) -> Bool {
        // From there one may go down to the destination without another vertex of the core.
        let exit = hierarchy.gates[gate].exit
        if search.coreEnds.contains(exit) { return true }
        let range = headsOfGate[gate]
        let arrivals = range.map { search.arrival(heads[$0].edge, at: label.time) }
        let places = range.filter { place in
            arrivals[place - range.lowerBound] + search.least(heads[place].vertex) <= latest
        }
        return !passed.contains { rival in
            rival.isAhead(of: label.crossings)
                && places.allSatisfy { rival.times[$0] <= arrivals[$0 - range.lowerBound] }
        }
    }

    /// The path over a sequence's crossings to the destination, if the last search has got there.
    private func path(of sequence: OpenSequence) -> Path? {
        let arrivals = search.ends.map { search.arrival(at: $0) }
        guard let best = arrivals.indices.min(by: { arrivals[$0] < arrivals[$1] }),
            arrivals[best].isFinite
        else { return nil }
        let way = search.way(to: search.ends[best].vertex)
        let origin =
            sequence.origin ?? sequence.starts.spot(way.start)
        guard let origin else { return nil }
        return PathBuilder(network, hierarchy, clock).path(
            PathTrace(
                edges: sequence.edges + way.edges, origin: origin, end: search.ends[best]))
    }

    /// The way between two places on one piece of road.
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

        /// Whether this way seems quicker whatever the bridges do, or has passed the same crossings and seems so.
        func dominates(_ other: Reached) -> Bool {
            time <= other.time
                && (crossings == other.crossings
                    || !meetsDrawbridge && other.meetsDrawbridge
                        && crossings.allSatisfy { other.crossings.contains($0) })
        }
    }

    /// A sequence may be reached over two ends of a crossing; the one that seems quicker stays.
    ///
    /// What crosses all that such a way crosses, in the same order, and more, is never worth it: it waits wherever that
    /// one waits.
    private func bestBySequence(_ paths: [Path]) -> [Path] {
        var best: [[Int]: Path] = [:]
        for path in paths
        where path.costMinutes < best[path.crossings]?.costMinutes ?? .infinity {
            best[path.crossings] = path
        }
        let sorted = best.values.sorted {
            $0.costMinutes == $1.costMinutes
                ? $0.crossings.lexicographicallyPrecedes($1.crossings)
                : $0.costMinutes < $1.costMinutes
        }
        return sorted.indices.filter { place in
            !sorted[..<place].contains { $0.crossesLess(than: sorted[place]) }
        }.map { sorted[$0] }.sorted { $0.minutes < $1.minutes }
    }
}
