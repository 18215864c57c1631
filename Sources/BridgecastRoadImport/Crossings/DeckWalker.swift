// Follows a bridge's deck from line to line: decks consist of several ways, and leaves that open are ways of their own.
internal import BridgecastCore
internal import BridgecastRoads

/// Walks along decks.
struct DeckWalker {
    /// A stretch of a deck: between two neighbouring points of a line, as it is walked.
    struct Stretch: Equatable {
        let strand: Int
        /// The stretch's number on its line.
        let number: Int
        /// Whether it is walked from the line's end to its start.
        let isBackward: Bool
    }

    /// Leaves that open lie within so many metres of where the water's middle is passed.
    static let reachMetres = 150.0

    private let strands: RoadStrands
    private let uses: [UInt8]
    /// Lines that are bridges, by their first and last points.
    private var ends: [Int32: [(strand: Int, isStart: Bool)]] = [:]

    init(_ strands: RoadStrands) {
        self.strands = strands
        uses = strands.uses()
        for (number, strand) in strands.strands.enumerated()
        where strands.profiles[strand.profile].isBridgeOrTunnel {
            ends[strand.points[0], default: []].append((number, true))
            ends[strand.points[strand.points.count - 1], default: []].append((number, false))
        }
    }

    /// What is walked next, if the deck goes on there and nothing else meets it.
    func next(_ stretch: Stretch) -> Stretch? {
        let strand = strands.strands[stretch.strand]
        let number = stretch.number + (stretch.isBackward ? -1 : 1)
        let point = strand.points[stretch.isBackward ? stretch.number : stretch.number + 1]
        guard uses[Int(point)] == 2 else { return nil }
        if (0..<strand.points.count - 1).contains(number) {
            return Stretch(strand: stretch.strand, number: number, isBackward: stretch.isBackward)
        }
        guard let other = ends[point]?.first(where: { $0.strand != stretch.strand }) else {
            return nil
        }
        let last = strands.strands[other.strand].points.count - 2
        return Stretch(
            strand: other.strand, number: other.isStart ? 0 : last, isBackward: !other.isStart)
    }

    /// What a crossing's stretch and those beside it are, as long as they belong to leaves that open: in the order of
    /// the crossing's line.
    func leaves(of crossing: WaterCrossing) -> [Stretch] {
        let middle = Stretch(
            strand: crossing.strand, number: Int(crossing.position), isBackward: false)
        let after = leaves(from: middle, crossing.point)
        let turned = Stretch(strand: middle.strand, number: middle.number, isBackward: true)
        let before = leaves(from: turned, crossing.point).reversed().map {
            Stretch(strand: $0.strand, number: $0.number, isBackward: !$0.isBackward)
        }
        return before + [middle] + after
    }

    /// Stretches behind one, up to the last that opens.
    private func leaves(from start: Stretch, _ point: GeoPoint) -> [Stretch] {
        var (result, kept, at) = ([Stretch](), 0, start)
        while let next = next(at), next.strand != start.strand || next.number != start.number,
            directions(next) == directions(start),
            strands.points[Int(first(next))].metres(to: point) <= Self.reachMetres
        {
            result.append(next)
            if profile(next).isMovable { kept = result.count }
            at = next
        }
        return Array(result.prefix(kept))
    }

    func isMovable(_ crossing: WaterCrossing) -> Bool {
        leaves(of: crossing).contains { profile($0).isMovable }
    }

    /// Metres from a point to the deck where it crosses.
    func metres(from point: GeoPoint, to crossing: WaterCrossing) -> Double {
        leaves(of: crossing).map { stretch in
            MapPlane(around: point).metres(
                from: point, strands.points[Int(first(stretch))], strands.points[Int(last(stretch))]
            )
        }.min() ?? .infinity
    }

    /// Numbers of the lines of a deck, as far as it goes on over the water and beyond.
    func deck(of crossing: WaterCrossing) -> Set<Int> {
        var result: Set<Int> = [crossing.strand]
        for isBackward in [false, true] {
            var at = Stretch(
                strand: crossing.strand, number: Int(crossing.position), isBackward: isBackward)
            while let next = next(at), !result.contains(next.strand) || next.strand == at.strand,
                strands.points[Int(last(next))].metres(to: crossing.point) < 1_500
            {
                result.insert(next.strand)
                at = next
            }
        }
        return result
    }

    func profile(_ stretch: Stretch) -> RoadProfile {
        strands.profiles[strands.strands[stretch.strand].profile]
    }

    /// Who may go which way, as it is walked.
    private func directions(_ stretch: Stretch) -> [RoadModes] {
        let profile = profile(stretch)
        let modes = [profile.forward.modes, profile.backward.modes]
        return stretch.isBackward ? modes.reversed() : modes
    }

    /// Its points in the order in which it is walked.
    func first(_ stretch: Stretch) -> Int32 {
        strands.strands[stretch.strand].points[stretch.number + (stretch.isBackward ? 1 : 0)]
    }
    func last(_ stretch: Stretch) -> Int32 {
        strands.strands[stretch.strand].points[stretch.number + (stretch.isBackward ? 0 : 1)]
    }
}
