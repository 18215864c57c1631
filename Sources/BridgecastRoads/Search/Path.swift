// A path through the network, as the search finds it, and its legs between crossings.
/// A path through the network: pieces of road, crossings of water among them.
public struct Path: Sendable, Equatable {
    /// The travelled piece of a road.
    public struct Piece: Sendable, Equatable {
        package let arc: Int
        /// Where on the arc it begins and ends, 0...1.
        package let start, end: Double
        /// Metres, and minutes at the pace of the hour, including the turn onto it.
        public let metres, minutes: Double
        /// Index into ``RoadNetwork/crossings``, if it crosses water.
        public let crossing: Int?
    }

    /// In order.
    public let pieces: [Piece]
    /// Minutes including the network's ``Reluctance``, by which it was chosen.
    package let costMinutes: Double
    /// How the search found it; nil for a path on one arc, or made from given pieces.
    let trace: PathTrace?

    package init(pieces: [Piece], costMinutes: Double? = nil) {
        self.init(pieces: pieces, costMinutes: costMinutes, trace: nil)
    }

    init(pieces: [Piece], costMinutes: Double?, trace: PathTrace?) {
        self.pieces = pieces
        self.costMinutes = costMinutes ?? pieces.reduce(0) { $0 + $1.minutes }
        self.trace = trace
    }

    /// Whether both take the same roads at the same cost; traces are not compared.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.pieces == rhs.pieces && lhs.costMinutes == rhs.costMinutes
    }

    /// Minutes, without delays at bridges.
    public var minutes: Double { pieces.reduce(0) { $0 + $1.minutes } }
    /// Metres.
    public var metres: Double { pieces.reduce(0) { $0 + $1.metres } }
    /// Crossings in order, indices into ``RoadNetwork/crossings``; each is one piece of road.
    public var crossings: [Int] { pieces.compactMap(\.crossing) }

    /// Minutes on roads that another path does not take.
    package func minutes(besides other: Path) -> Double {
        let taken = Set(other.pieces.map(\.arc))
        return pieces.reduce(0) { $0 + (taken.contains($1.arc) ? 0 : $1.minutes) }
    }

    /// Whether another path crosses all that this one crosses, in the same order, and more.
    package func crossesLess(than other: Path) -> Bool {
        crossings.isProperSubsequence(of: other.crossings)
    }
}

extension [Int] {
    /// Whether another sequence of crossings has all of this one, in the same order, and more.
    package func isProperSubsequence(of others: [Int]) -> Bool {
        var rest = self[...]
        for crossing in others where crossing == rest.first { rest.removeFirst() }
        return rest.isEmpty && count < others.count
    }
}

// MARK: - Detours

extension Path {
    /// Whether it leaves a motorway or an expressway and joins the same one again.
    ///
    /// A path that drives on a street, or on a road of another number, has left; ramps, tunnels and bridges with
    /// names of their own and express lanes are part of the road. Collector lanes next to a freeway are ramps: a path
    /// that takes a long one and stays on the freeway has left.
    /// - Precondition: The path was found on the network.
    package func rejoinsMotorway(on network: RoadNetwork) -> Bool {
        var left: Set<Substring> = []
        var current: Set<Substring> = []
        var last: UInt32?
        var rampMetres = 0.0
        for piece in pieces {
            let arc = network.map.arcs[piece.arc]
            guard !arc.flags.contains(.link) else {
                rampMetres += piece.metres
                continue
            }
            guard arc.roadClass.isForThroughTraffic else {
                left.formUnion(current)
                current = []
                last = nil
                continue
            }
            if last == arc.name, rampMetres >= Self.longRampMetres { return true }
            last = arc.name
            rampMetres = 0
            // A bridge of the road has a name of its own.
            guard piece.crossing == nil else { continue }
            let name = network.map.names[Int(arc.name)]
            let number = Self.number(of: name)
            let road = number ?? name[...]
            guard !road.isEmpty, !current.contains(road) else { continue }
            // A road without a number may be the same road, as Aurora Ave N is SR 99.
            if number != nil, current.contains(where: { Self.number(of: $0) != nil }) {
                left.formUnion(current)
                current = []
            }
            if left.contains(road) { return true }
            current.insert(road)
        }
        return false
    }

    /// Longer ramps between two parts of one road run next to it, metres.
    private static let longRampMetres = 400.0

    /// The number that a road's name begins with: "SR 99" of "SR 99 Tunnel", "I-5" of "I-5 express lanes".
    private static func number(of name: some StringProtocol) -> Substring? {
        let words = name.split(separator: " ", maxSplits: 2)
        if let first = words.first, first.hasPrefix("I-"), Int(first.dropFirst(2)) != nil {
            return Substring(first)
        }
        guard words.count > 1, words[0] == "SR", Int(words[1]) != nil else { return nil }
        return "SR \(words[1])"
    }
}

extension RoadClass {
    fileprivate var isForThroughTraffic: Bool { self == .motorway || self == .trunk }
}

// MARK: - Legs

/// The part of a path between two crossings, or between an end and a crossing.
struct PathLeg {
    let edges: Range<Int>
    let starts: [SearchStart]
    let ends: [TripEnd]
    /// How long it takes on the path.
    let seconds: Double
    /// Stands still at the paces of the middle of the leg; times of starts and ends are by this clock.
    let clock: TripClock
    let isFirst, isLast: Bool

    /// The time at which the leg's edges begin, seconds of its clock.
    func startSeconds(_ trace: PathTrace) -> Double {
        guard isFirst else { return 0 }
        return starts.first { $0.spot == trace.origin }?.seconds ?? 0
    }

    /// How long the last piece of the trip takes after the leg's edges, seconds of its clock.
    func endSeconds(_ trace: PathTrace) -> Double {
        isLast ? clock.arrival(trace.end.deciseconds, trace.end.paceGroup, at: 0) : 0
    }
}

extension AlternativeSearch {
    /// The legs of a path in order, one more than its crossings; nil if they do not match its edges.
    func legs(of path: Path, _ trace: PathTrace) -> [PathLeg]? {
        let crossings = path.pieces.filter { $0.crossing != nil }
        let gates = crossings.compactMap { piece in
            hierarchy.gates.first { Int($0.arc) == piece.arc }
        }
        guard gates.count == crossings.count else { return nil }
        // The times at the origin, after each crossing, and at the destination.
        var times = [clock.departure]
        var time = clock.departure
        for piece in path.pieces {
            time += piece.minutes * 60
            if piece.crossing != nil { times.append(time) }
        }
        times.append(time)
        var legs: [PathLeg] = []
        var first = 0
        for index in 0...gates.count {
            let isLast = index == gates.count
            let clock = TripClock(standingAt: (times[index] + times[index + 1]) / 2, of: self.clock)
            guard
                let end = isLast
                    ? trace.edges.count : end(of: gates[index], in: trace, after: first)
            else { return nil }
            legs.append(
                PathLeg(
                    edges: first..<end,
                    starts: index == 0
                        ? network.starts(of: origin, hierarchy, clock)
                        : [SearchStart(vertex: gates[index - 1].exit, seconds: 0, spot: nil)],
                    ends: isLast
                        ? network.ends(of: destination, hierarchy)
                        : [TripEnd(at: gates[index].entry, trace.origin)],
                    seconds: times[index + 1] - times[index], clock: clock, isFirst: index == 0,
                    isLast: isLast))
            first = end
        }
        return legs
    }

    private func end(of gate: RoadHierarchy.Gate, in trace: PathTrace, after first: Int) -> Int? {
        trace.edges[first...].firstIndex {
            $0 < hierarchy.upward.count && hierarchy.edge($0).other == gate.entry
        }.map { $0 + 1 }
    }
}

extension TripEnd {
    /// An end at a vertex itself, with no time after it; its spot is not used.
    fileprivate init(at vertex: UInt32, _ spot: Anchor.Spot) {
        self.init(
            vertex: vertex, deciseconds: 0, reluctantDeciseconds: 0, paceGroup: .local, spot: spot)
    }
}
