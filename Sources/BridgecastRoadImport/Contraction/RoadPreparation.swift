// From the map to the hierarchy of each mode: vertices, gates and links for the contraction.
package import BridgecastCore
package import BridgecastRoads

package struct RoadPreparation {
    private let map: RoadMap
    private let mode: Route.Mode
    private let reluctance: Reluctance
    private var vertices: [UInt32]
    private var gates: [RoadHierarchy.Gate] = []
    private var gateOfArc: [Int: Int] = [:]
    private var vertexCount = 0

    /// - Parameter turns: All turns that cars may take; ignored for other modes.
    package static func hierarchy(
        _ mode: Route.Mode, of map: RoadMap, turns: [TurnLink], paces: PaceTable,
        reluctance: Reluctance = .none
    ) throws(RoadImportError) -> RoadHierarchy {
        var preparation = RoadPreparation(map, mode, reluctance)
        return try preparation.contracted(turns, mode == .car ? paces : .free)
    }

    private init(_ map: RoadMap, _ mode: Route.Mode, _ reluctance: Reluctance) {
        self.map = map
        self.mode = mode
        self.reluctance = reluctance
        vertices = Array(
            repeating: RoadHierarchy.noVertex,
            count: mode == .car ? map.arcs.count : map.nodes.count)
    }

    private mutating func contracted(
        _ turns: [TurnLink], _ paces: PaceTable
    ) throws(RoadImportError) -> RoadHierarchy {
        let used = map.arcs.indices.filter { deciseconds($0) > 0 }
        for arc in used {
            guard map.arcs[arc].crossing == RoadArc.noCrossing else {
                gateOfArc[arc] = gates.count
                gates.append(
                    RoadHierarchy.Gate(arc: UInt32(arc), entry: newVertex(), exit: newVertex()))
                if mode != .car { addVertices(ofEndsOf: arc) }
                continue
            }
            if mode == .car {
                vertices[arc] = newVertex()
            } else {
                addVertices(ofEndsOf: arc)
            }
        }
        let links = mode == .car ? links(turns) : links(used)
        let kept = Set(gates.flatMap { [$0.entry, $0.exit] })
        let result = try Contraction.contract(vertexCount, links, kept: kept, paces: paces)
        let ranks = result.ranks
        return RoadHierarchy(
            mode: mode, firstOfCore: result.firstOfCore,
            vertices: vertices.map { $0 == RoadHierarchy.noVertex ? $0 : ranks[Int($0)] },
            gates: gates.map {
                RoadHierarchy.Gate(
                    arc: $0.arc, entry: ranks[Int($0.entry)], exit: ranks[Int($0.exit)])
            }, firstUp: result.firstUp, upward: result.upward, firstDown: result.firstDown,
            downward: result.downward)
    }

    private mutating func newVertex() -> UInt32 {
        vertexCount += 1
        return UInt32(vertexCount - 1)
    }

    private mutating func addVertices(ofEndsOf arc: Int) {
        for node in [Int(map.arcs[arc].tail), Int(map.arcs[arc].head)]
        where vertices[node] == RoadHierarchy.noVertex {
            vertices[node] = newVertex()
        }
    }

    private func deciseconds(_ arc: Int) -> Int {
        let arc = map.arcs[arc]
        return switch mode {
        case .car: Int(arc.carDeciseconds)
        case .bike: Int(arc.bikeDeciseconds)
        case .walk: Int(arc.walkDeciseconds)
        }
    }

    private func cost(_ arc: Int) -> Int {
        deciseconds(arc) + reluctance.deciseconds(on: map.arcs[arc], mode)
    }

    private func links(_ turns: [TurnLink]) -> [Contraction.Link] {
        turns.compactMap { turn in
            guard deciseconds(turn.from) > 0, deciseconds(turn.to) > 0 else { return nil }
            return Contraction.Link(
                from: gateOfArc[turn.from].map { gates[$0].exit } ?? vertices[turn.from],
                to: gateOfArc[turn.to].map { gates[$0].entry } ?? vertices[turn.to],
                deciseconds: cost(turn.to) + Int(turn.deciseconds)
                    + reluctance.deciseconds(
                        from: map.arcs[turn.from], onto: map.arcs[turn.to], mode),
                paceGroup: map.arcs[turn.to].paceGroup, arc: UInt32(turn.to))
        }
    }

    private func links(_ used: [Int]) -> [Contraction.Link] {
        used.flatMap { number -> [Contraction.Link] in
            let arc = map.arcs[number]
            let tail = vertices[Int(arc.tail)]
            let head = vertices[Int(arc.head)]
            func link(
                _ from: UInt32, _ to: UInt32, deciseconds: Int, arc: UInt32
            ) -> Contraction.Link {
                Contraction.Link(
                    from: from, to: to, deciseconds: deciseconds, paceGroup: .local, arc: arc)
            }
            guard let gate = gateOfArc[number] else {
                return [link(tail, head, deciseconds: cost(number), arc: UInt32(number))]
            }
            return [
                link(tail, gates[gate].entry, deciseconds: cost(number), arc: UInt32(number)),
                link(gates[gate].exit, head, deciseconds: 0, arc: HierarchyEdge.noArc),
            ]
        }
    }
}
