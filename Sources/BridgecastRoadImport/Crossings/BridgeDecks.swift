// The decks of bridges: followed from line to line, as a deck consists of several ways, and cut out as spans.
internal import BridgecastCore
internal import BridgecastRoads

/// Follows decks from line to line; leaves that open are ways of their own.
struct DeckWalker {
    /// A segment of a deck: between two neighbouring points of a line, in a direction.
    struct Stretch: Equatable {
        let strand: Int
        let number: Int
        /// Whether it is followed from the line's end to its start.
        let isBackward: Bool
    }

    /// Leaves that open are within `reachMetres` of the middle of the water.
    private static let reachMetres = 150.0

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

    /// The next segment, if the deck continues and nothing else meets it.
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

    /// A crossing's segment and its neighbours that are leaves that open, in the order of the line.
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

    /// The segments after one, up to the last that opens.
    private func leaves(from start: Stretch, _ point: GeoPoint) -> [Stretch] {
        var result: [Stretch] = []
        var kept = 0
        var current = start
        while let next = next(current), next.strand != start.strand || next.number != start.number,
            directions(next) == directions(start),
            strands.points[Int(first(next))].metres(to: point) <= Self.reachMetres
        {
            result.append(next)
            if profile(next).isMovable { kept = result.count }
            current = next
        }
        return Array(result.prefix(kept))
    }

    func isMovable(_ crossing: WaterCrossing) -> Bool {
        leaves(of: crossing).contains { profile($0).isMovable }
    }

    func metres(from point: GeoPoint, to crossing: WaterCrossing) -> Double {
        leaves(of: crossing).map { stretch in
            MapPlane(around: point).metres(
                from: point, toSegmentFrom: strands.points[Int(first(stretch))],
                to: strands.points[Int(last(stretch))])
        }.min() ?? .infinity
    }

    /// The indices of the lines of a deck, over the water and beyond.
    func deck(of crossing: WaterCrossing) -> Set<Int> {
        var result: Set<Int> = [crossing.strand]
        for isBackward in [false, true] {
            var current = Stretch(
                strand: crossing.strand, number: Int(crossing.position), isBackward: isBackward)
            while let next = next(current),
                !result.contains(next.strand) || next.strand == current.strand,
                strands.points[Int(last(next))].metres(to: crossing.point) < 1_500
            {
                result.insert(next.strand)
                current = next
            }
        }
        return result
    }

    func profile(_ stretch: Stretch) -> RoadProfile {
        strands.profiles[strands.strands[stretch.strand].profile]
    }

    /// The modes along the segment and against it.
    private func directions(_ stretch: Stretch) -> [RoadModes] {
        let profile = profile(stretch)
        let modes = [profile.forward.modes, profile.backward.modes]
        return stretch.isBackward ? modes.reversed() : modes
    }

    func first(_ stretch: Stretch) -> Int32 {
        strands.strands[stretch.strand].points[stretch.number + (stretch.isBackward ? 1 : 0)]
    }
    func last(_ stretch: Stretch) -> Int32 {
        strands.strands[stretch.strand].points[stretch.number + (stretch.isBackward ? 0 : 1)]
    }
}

// MARK: - Spans

/// Cuts crossings of water out of the lines they are on, as lines of their own.
struct SpanCutter {
    /// A span without leaves ends so far from the middle of the water on both sides, metres.
    private static let halfMetres = 60.0

    private struct Span {
        let number: Int
        let crossing: WaterCrossing
        let stretches: [DeckWalker.Stretch]
        /// Whether its deck opens: then the span is its leaves.
        let opens: Bool
    }

    /// A part of a line that is cut out: its positions, and the points there.
    private struct Cut {
        let range: ClosedRange<Double>
        let first, last: Int32
    }

    private let decks: DeckWalker
    private var spans: [Span] = []
    private var onBridges: Set<Int> = []

    init(decks: DeckWalker) { self.decks = decks }

    mutating func add(_ crossing: WaterCrossing, number: Int) {
        onBridges.formUnion(decks.deck(of: crossing))
        let stretches = decks.leaves(of: crossing)
        let opens = stretches.contains { decks.profile($0).isMovable }
        spans.append(Span(number: number, crossing: crossing, stretches: stretches, opens: opens))
    }

    mutating func cut(_ strands: inout RoadStrands) {
        var added: [RoadStrand] = []
        var cuts: [Int: [Cut]] = [:]
        for span in spans {
            if span.opens {
                if let strand = leafStrand(span, strands, &cuts) {
                    added.append(named(strand, span, &strands))
                }
            } else if let strand = plainStrand(span, &strands, &cuts) {
                added.append(named(strand, span, &strands))
            }
        }
        for number in onBridges { markBridge(number, &strands) }
        for (number, ranges) in cuts.sorted(by: { $0.key < $1.key }) {
            let strand = strands.strands[number]
            let parts = Self.rest(
                of: strand, ranges.sorted { $0.range.lowerBound < $1.range.lowerBound })
            strands.strands[number] =
                parts.first ?? RoadStrand(way: strand.way, profile: strand.profile, points: [])
            added += parts.dropFirst()
        }
        strands.strands = strands.strands.filter { $0.points.count >= 2 } + added
    }

    private func leafStrand(
        _ span: Span, _ strands: RoadStrands, _ cuts: inout [Int: [Cut]]
    ) -> RoadStrand? {
        guard
            !span.stretches.contains(where: { stretch in
                cuts[stretch.strand]?.contains { $0.range.contains(Double(stretch.number) + 0.5) }
                    ?? false
            })
        else { return nil }
        var points = [decks.first(span.stretches[0])]
        for stretch in span.stretches {
            points.append(decks.last(stretch))
            let line = strands.strands[stretch.strand].points
            cuts[stretch.strand, default: []].append(
                Cut(
                    range: Double(stretch.number)...Double(stretch.number + 1),
                    first: line[stretch.number], last: line[stretch.number + 1]))
        }
        let strand = strands.strands[span.crossing.strand]
        return RoadStrand(way: strand.way, profile: strand.profile, points: points)
    }

    /// A part of the line around the middle of the water.
    private func plainStrand(
        _ span: Span, _ strands: inout RoadStrands, _ cuts: inout [Int: [Cut]]
    ) -> RoadStrand? {
        let number = span.crossing.strand
        let position = span.crossing.position
        let strand = strands.strands[number]
        guard !(cuts[number]?.contains { $0.range.contains(position) } ?? false) else { return nil }
        let stretch = Int(position)
        let a = Int(strand.points[stretch])
        let b = Int(strand.points[stretch + 1])
        let metres = strands.points[a].metres(to: strands.points[b])
        let reach = metres > 0 ? Self.halfMetres / metres : 1
        let share = position - Double(stretch)
        // Short rests do not become pieces.
        let from = share - reach
        let to = share + reach
        let first = from > 0.02 ? strands.add(between: a, and: b, share: from) : Int32(a)
        let last = to < 0.98 ? strands.add(between: a, and: b, share: to) : Int32(b)
        let start = Double(stretch) + (from > 0.02 ? from : 0)
        let end = Double(stretch) + (to < 0.98 ? to : 1)
        cuts[number, default: []].append(Cut(range: start...end, first: first, last: last))
        return RoadStrand(way: strand.way, profile: strand.profile, points: [first, last])
    }

    private static func rest(of strand: RoadStrand, _ cuts: [Cut]) -> [RoadStrand] {
        var result: [RoadStrand] = []
        var start = 0.0
        var first = strand.points[0]
        func append(to end: Double, _ last: Int32) {
            guard end > start else { return }
            let inner = strand.points.indices.filter { Double($0) > start && Double($0) < end }
            let points = [first] + inner.map { strand.points[$0] } + [last]
            result.append(RoadStrand(way: strand.way, profile: strand.profile, points: points))
        }
        for cut in cuts {
            append(to: cut.range.lowerBound, cut.first)
            start = cut.range.upperBound
            first = cut.last
        }
        append(to: Double(strand.points.count - 1), strand.points[strand.points.count - 1])
        return result
    }

    private func named(
        _ strand: RoadStrand, _ span: Span, _ strands: inout RoadStrands
    ) -> RoadStrand {
        var profile = strands.profiles[strand.profile]
        profile.crossing = span.number
        profile.isMovable = span.crossing.bridge != nil
        profile.flags.insert([.bridge, .noStopping])
        if strands.profiles[strand.profile].flags.contains(.tunnel) {
            profile.flags.remove(.bridge)
        }
        return RoadStrand(way: strand.way, profile: strands.number(profile), points: strand.points)
    }

    /// Trips do not begin or end on a bridge.
    private func markBridge(_ number: Int, _ strands: inout RoadStrands) {
        var profile = strands.profiles[strands.strands[number].profile]
        profile.flags.insert(.noStopping)
        strands.strands[number].profile = strands.number(profile)
    }
}
