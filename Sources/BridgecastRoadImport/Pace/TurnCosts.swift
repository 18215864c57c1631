internal import BridgecastCore
internal import BridgecastRoads

struct TurnCosts {
    private struct Ends {
        let arriving, departing: Double
        let rank: Int
        let profile: RoadProfile
        let stop: ArcDelays.Stop
        let isOneWay: Bool
        /// The highest rank of the other roads that pass its head.
        var major = 0
        var isMajorOneWay = false

        var isFreeway: Bool {
            profile.roadClass == .motorway && !profile.isLink
                && RoadSpeeds.limit(profile) >= PaceGroups.freewayLimit
        }
    }

    /// Seconds by kind of turn, by judgement.
    private static let slight = 0.5
    private static let right = 2.0
    private static let left = 2.5
    private static let sharp = 5.0
    private static let atDeadEnd = 12.0
    private static let intoRing = 1.5
    /// From a ramp onto a freeway, with its meter.
    private static let merging = 12.0
    /// At signals, in addition to the delay of going straight.
    private static let leftAtSignal = 9.0
    /// Left turns on local streets with oncoming traffic.
    private static let opposedLocally = 0.5
    /// Local streets that meet without a sign.
    private static let unsigned = 1.0
    /// Sharper turns on a road of one name, or from or onto a ramp, are not made if there is another way, degrees.
    private static let uTurn = 160.0

    private enum Kind { case straight, slight, right, left, sharp }

    private let assembly: RoadMapAssembly
    private let controls: JunctionControls
    private let restrictions: TurnRestrictions
    private var ends: [Ends] = []

    private var map: RoadMap { assembly.map }

    init(
        _ assembly: RoadMapAssembly, pieces: [RoadPiece], strands: RoadStrands,
        controls: JunctionControls, restrictions: TurnRestrictions
    ) {
        self.assembly = assembly
        self.controls = controls
        self.restrictions = restrictions
        ends = assembly.origins.map { Self.ends(of: $0, pieces, strands, controls) }
        for arc in map.arcs.indices where isDriven(arc) {
            let major = major(arc)
            ends[arc].major = major.rank
            ends[arc].isMajorOneWay = major.isOneWay
        }
    }

    private static func ends(
        of origin: RoadMapAssembly.Origin, _ pieces: [RoadPiece], _ strands: RoadStrands,
        _ controls: JunctionControls
    ) -> Ends {
        let piece = pieces[origin.piece]
        let profile = strands.profiles[piece.profile]
        let line = origin.isBackward ? piece.points.reversed() : piece.points
        let points = line.map { strands.points[Int($0)] }
        let delays = ArcDelays(
            controls: controls, line: line, profile: profile, isBackward: origin.isBackward)
        let isBothWays =
            piece.forward.contains(.car) && piece.backward.contains(.car)
            && !profile.flags.contains(.reversible)
        return Ends(
            arriving: Bearings.arriving(points), departing: Bearings.departing(points),
            rank: RoadSpeeds.rank(profile), profile: profile, stop: delays.stop(),
            isOneWay: !isBothWays)
    }

    private func isDriven(_ arc: Int) -> Bool { map.arcs[arc].carDeciseconds > 0 }

    private func degree(_ arc: Int) -> UInt8 {
        controls.degree[Int(assembly.junctions[Int(map.arcs[arc].head)])]
    }

    func links(from arc: Int, _ isUsable: [Bool]) -> [TurnLink] {
        let twin = Int(map.arcs[arc].twin)
        let onward = map.departing(Int(map.arcs[arc].head)).filter { isUsable[$0] }
        let next = onward.filter { other in
            other != twin && (onward.count == 1 || !isUTurn(arc, other))
                && restrictions.allows(from: arc, to: other)
        }
        if next.isEmpty, onward.contains(twin) {
            return [TurnLink(from: arc, to: twin, deciseconds: UInt16(Self.atDeadEnd * 10))]
        }
        return next.map { other in
            let tenths = (seconds(arc, other) * 10).rounded(.toNearestOrEven)
            return TurnLink(from: arc, to: other, deciseconds: UInt16(min(max(tenths, 0), 6_000)))
        }
    }

    /// Whether it is a U-turn from one carriageway onto the other, or back at the end of a ramp.
    private func isUTurn(_ arc: Int, _ other: Int) -> Bool {
        let own = ends[arc].profile
        let onto = ends[other].profile
        return (own.sign == onto.sign || own.isLink || onto.isLink) && degree(arc) > 2
            && abs(angle(arc, other)) > Self.uTurn
    }

    private func angle(_ arc: Int, _ other: Int) -> Double {
        Bearings.turn(ends[arc].arriving, ends[other].departing)
    }

    // MARK: Seconds

    private func seconds(_ arc: Int, _ other: Int) -> Double {
        guard degree(arc) != 2 else { return 0 }
        let own = ends[arc]
        let onto = ends[other]
        if own.profile.isRing || onto.profile.isRing {
            return onto.profile.isRing && !own.profile.isRing ? Self.intoRing : 0
        }
        if own.profile.isLink, own.profile.roadClass == .motorway, onto.isFreeway {
            return Self.merging
        }
        let angle = angle(arc, other)
        if abs(angle) < 60, Self.isFast(own.profile) || Self.isFast(onto.profile) { return 0 }
        let kind = Self.kind(angle)
        let base = Self.base(kind)
        let junction = assembly.junctions[Int(map.arcs[arc].head)]
        if controls.core[junction] != nil {
            return base + (kind == .left && isOpposed(arc, other) ? Self.leftAtSignal : 0)
        }
        if own.stop == .all { return base }
        return own.major > own.rank ? gapSeconds(own, kind) : base + localSeconds(arc, other, kind)
    }

    /// The delay without signals onto or over a greater road: waiting for gaps in its traffic.
    private func gapSeconds(_ own: Ends, _ kind: Kind) -> Double {
        let gaps = ControlDelays.gaps(rank: own.major)
        let start = own.stop == .none ? ControlDelays.stop : 0
        switch kind {
        case .right: return start + gaps.right
        case .left: return start + (own.isMajorOneWay ? gaps.right : gaps.left)
        case .straight, .slight, .sharp:
            return start + gaps.across * (own.isMajorOneWay ? 0.6 : 1)
        }
    }

    /// The delay without signals elsewhere: oncoming traffic, or junctions without signs.
    private func localSeconds(_ arc: Int, _ other: Int, _ kind: Kind) -> Double {
        let own = ends[arc]
        if kind == .left, isOpposed(arc, other) {
            return own.rank <= 1 ? Self.opposedLocally : ControlDelays.gaps(rank: own.rank).opposing
        }
        return own.rank == 1 && own.major == 1 && own.stop == .none ? Self.unsigned : 0
    }

    private static func isFast(_ profile: RoadProfile) -> Bool {
        profile.isLink || profile.roadClass == .motorway
    }

    private static func kind(_ angle: Double) -> Kind {
        switch abs(angle) {
        case ..<25: .straight
        case ..<50: .slight
        case 140.nextUp...: .sharp
        default: angle > 0 ? .right : .left
        }
    }

    private static func base(_ kind: Kind) -> Double {
        switch kind {
        case .straight: 0
        case .slight: slight
        case .right: right
        case .left: left
        case .sharp: sharp
        }
    }

    // MARK: The junction

    private func isOpposed(_ arc: Int, _ other: Int) -> Bool {
        map.arriving(Int(map.arcs[arc].head)).contains { number in
            let opposite = Int(number)
            guard isDriven(opposite), opposite != Int(map.arcs[other].twin),
                map.arcs[opposite].tail != map.arcs[arc].tail
            else { return false }
            return abs(Bearings.turn(ends[arc].arriving, ends[opposite].arriving + 180)) < 40
        }
    }

    /// The highest rank of the other roads with at least two arms at an arc's head, and whether they are one-way.
    private func major(_ arc: Int) -> (rank: Int, isOneWay: Bool) {
        let node = Int(map.arcs[arc].head)
        let around =
            map.departing(node).filter(isDriven)
            + map.arriving(node).map { Int($0) }.filter(isDriven)
        var arms: [(rank: Int, far: UInt32, sign: Int)] = []
        let own = ends[arc].profile.sign
        for other in around where other != arc && other != Int(map.arcs[arc].twin) {
            let sign = ends[other].profile.sign
            if own != 0, sign == own { continue }
            let away =
                Int(map.arcs[other].tail) == node ? map.arcs[other].head : map.arcs[other].tail
            let arm = (ends[other].rank, away, sign)
            if !arms.contains(where: { $0 == arm }) { arms.append(arm) }
        }
        let best =
            arms.map(\.rank).filter { rank in arms.count { $0.rank == rank } >= 2 }.max() ?? 0
        let same = around.filter { ends[$0].rank == best }
        return (best, best > 0 && !same.isEmpty && same.allSatisfy { ends[$0].isOneWay })
    }
}

// MARK: - Turns

package struct TurnLink: Sendable, Equatable {
    package let from, to: Int
    /// Its time in tenths of a second, at the pace of the arc that is entered.
    package let deciseconds: UInt16

    package init(from: Int, to: Int, deciseconds: UInt16) {
        self.from = from
        self.to = to
        self.deciseconds = deciseconds
    }
}

struct TurnRestrictions {
    private var forbidden: Set<[Int]> = []
    /// Arcs from which only some turns are allowed.
    private var only: [Int: Set<Int>] = [:]

    init(
        _ extract: RoadExtract, _ assembly: RoadMapAssembly, pieces: [RoadPiece],
        _ report: inout RoadImportReport
    ) {
        guard !extract.turnRestrictions.isEmpty else { return }
        let nodes = Dictionary(
            assembly.junctions.enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first })
        for restriction in extract.turnRestrictions {
            let element = RoadElement(kind: .relation, id: restriction.id)
            let except = restriction.tags["except"]?.split(separator: ";") ?? []
            guard !except.contains("motorcar"), !except.contains("motor_vehicle") else {
                report.drop(.otherRestriction, element)
                continue
            }
            guard let point = extract.index(ofNode: restriction.via), let node = nodes[Int32(point)]
            else {
                report.drop(.unplacedRestriction, element)
                continue
            }
            let map = assembly.map
            let from = map.arriving(node).map { Int($0) }.filter {
                Self.way(assembly.origins[$0], pieces, atEnd: true, extract) == restriction.from
            }
            let to = map.departing(node).filter {
                Self.way(assembly.origins[$0], pieces, atEnd: false, extract) == restriction.to
            }
            if from.isEmpty || to.isEmpty { report.drop(.unplacedRestriction, element) }
            add(restriction.kind, from: from, to: to, on: map)
        }
    }

    private mutating func add(
        _ kind: TurnRestriction.Kind, from: [Int], to: [Int], on map: RoadMap
    ) {
        for start in from {
            if kind.isOnly {
                if !to.isEmpty { only[start, default: []].formUnion(to) }
            } else {
                for end in to where kind != .noUTurn || Int(map.arcs[start].twin) != end {
                    forbidden.insert([start, end])
                }
            }
        }
    }

    private static func way(
        _ origin: RoadMapAssembly.Origin, _ pieces: [RoadPiece], atEnd: Bool, _ extract: RoadExtract
    ) -> Int64? {
        let piece = pieces[origin.piece]
        let number = atEnd != origin.isBackward ? piece.lastWay : piece.firstWay
        return number >= 0 ? extract.ways[number].id : nil
    }

    func allows(from: Int, to: Int) -> Bool {
        if let only = only[from], !only.contains(to) { return false }
        return forbidden.isEmpty || !forbidden.contains([from, to])
    }
}
