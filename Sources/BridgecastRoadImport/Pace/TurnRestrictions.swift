// Turns that the extract's restrictions forbid, by arcs; used by TurnCosts.
internal import BridgecastCore
internal import BridgecastRoads

/// Forbidden turns.
struct TurnRestrictions {
    private var forbidden: Set<[Int]> = []
    /// Arcs from which only some turns are allowed.
    private var only: [Int: Set<Int>] = [:]

    init(
        _ extract: RoadExtract, _ assembly: RoadMapAssembly, _ pieces: [RoadPiece],
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
                report.drop(.looseRestriction, element)
                continue
            }
            let map = assembly.map
            let from = map.arriving(node).map { Int($0) }.filter {
                Self.way(assembly.origins[$0], pieces, atEnd: true, extract) == restriction.from
            }
            let to = map.departing(node).filter {
                Self.way(assembly.origins[$0], pieces, atEnd: false, extract) == restriction.to
            }
            if from.isEmpty || to.isEmpty { report.drop(.looseRestriction, element) }
            add(restriction.kind, from, to, map)
        }
    }

    private mutating func add(
        _ kind: TurnRestriction.Kind, _ from: [Int], _ to: [Int], _ map: RoadMap
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

    /// The way at an arc's end or start.
    private static func way(
        _ origin: RoadMapAssembly.Origin, _ pieces: [RoadPiece], atEnd: Bool, _ extract: RoadExtract
    ) -> Int64? {
        let piece = pieces[origin.piece]
        let number = atEnd != origin.isBackward ? piece.lastWay : piece.firstWay
        return number >= 0 ? extract.ways[number].id : nil
    }

    /// Whether a turn may be made.
    func allows(from: Int, to: Int) -> Bool {
        if let only = only[from], !only.contains(to) { return false }
        return forbidden.isEmpty || !forbidden.contains([from, to])
    }
}
