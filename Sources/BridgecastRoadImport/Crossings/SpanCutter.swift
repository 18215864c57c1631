// Cuts crossings of water out of the lines they lie on, as lines of their own; used by CrossingFinder.
internal import BridgecastCore
internal import BridgecastRoads

/// Cuts spans.
struct SpanCutter {
    /// A span reaches so far to both sides of the water's middle where no leaves tell its ends, metres.
    static let halfMetres = 60.0

    private struct Span {
        let number: Int
        let crossing: WaterCrossing
        let stretches: [DeckWalker.Stretch]
        /// Whether its deck opens: then the span are its leaves.
        let opens: Bool
    }

    private let decks: DeckWalker
    private var spans: [Span] = []
    private var onBridges: Set<Int> = []

    init(decks: DeckWalker) { self.decks = decks }

    /// Notes a crossing.
    mutating func add(_ crossing: WaterCrossing, number: Int) {
        onBridges.formUnion(decks.deck(of: crossing))
        let stretches = decks.leaves(of: crossing)
        let opens = stretches.contains { decks.profile($0).isMovable }
        spans.append(
            Span(number: number, crossing: crossing, stretches: stretches, opens: opens))
    }

    /// Cuts all noted spans.
    mutating func cut(_ strands: inout RoadStrands) {
        var added: [RoadStrand] = []
        /// Cuts by line: position along it, and the point there.
        var cuts: [Int: [(range: ClosedRange<Double>, first: Int32, last: Int32)]] = [:]
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

    /// The leaves as a line.
    private func leafStrand(
        _ span: Span, _ strands: RoadStrands,
        _ cuts: inout [Int: [(range: ClosedRange<Double>, first: Int32, last: Int32)]]
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
                (
                    Double(stretch.number)...Double(stretch.number + 1), line[stretch.number],
                    line[stretch.number + 1]
                ))
        }
        let strand = strands.strands[span.crossing.strand]
        return RoadStrand(way: strand.way, profile: strand.profile, points: points)
    }

    /// A part of the line around the middle of the water.
    private func plainStrand(
        _ span: Span, _ strands: inout RoadStrands,
        _ cuts: inout [Int: [(range: ClosedRange<Double>, first: Int32, last: Int32)]]
    ) -> RoadStrand? {
        let (number, position) = (span.crossing.strand, span.crossing.position)
        let strand = strands.strands[number]
        guard !(cuts[number]?.contains { $0.range.contains(position) } ?? false) else { return nil }
        let stretch = Int(position)
        let (a, b) = (Int(strand.points[stretch]), Int(strand.points[stretch + 1]))
        let metres = strands.points[a].metres(to: strands.points[b])
        let reach = metres > 0 ? Self.halfMetres / metres : 1
        let share = position - Double(stretch)
        // Short rests are not worth a piece of their own.
        let (from, to) = (share - reach, share + reach)
        let first = from > 0.02 ? strands.add(between: a, b, from) : Int32(a)
        let last = to < 0.98 ? strands.add(between: a, b, to) : Int32(b)
        let start = Double(stretch) + (from > 0.02 ? from : 0)
        let end = Double(stretch) + (to < 0.98 ? to : 1)
        cuts[number, default: []].append((start...end, first, last))
        return RoadStrand(way: strand.way, profile: strand.profile, points: [first, last])
    }

    /// What remains of a line.
    private static func rest(
        of strand: RoadStrand, _ cuts: [(range: ClosedRange<Double>, first: Int32, last: Int32)]
    ) -> [RoadStrand] {
        var result: [RoadStrand] = []
        var (start, first) = (0.0, strand.points[0])
        func append(to end: Double, _ last: Int32) {
            guard end > start else { return }
            let inner = strand.points.indices.filter { Double($0) > start && Double($0) < end }
            let points = [first] + inner.map { strand.points[$0] } + [last]
            result.append(RoadStrand(way: strand.way, profile: strand.profile, points: points))
        }
        for cut in cuts {
            append(to: cut.range.lowerBound, cut.first)
            (start, first) = (cut.range.upperBound, cut.last)
        }
        append(to: Double(strand.points.count - 1), strand.points[strand.points.count - 1])
        return result
    }

    /// The same line as a crossing.
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

    /// Nobody begins or ends a trip on a bridge.
    private func markBridge(_ number: Int, _ strands: inout RoadStrands) {
        var profile = strands.profiles[strands.strands[number].profile]
        profile.flags.insert(.noStopping)
        strands.strands[number].profile = strands.number(profile)
    }
}
