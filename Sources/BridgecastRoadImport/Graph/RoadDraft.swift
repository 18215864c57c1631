// All roads as a map, and then the parts of it that hang together for each mode; used by RoadImport.
internal import BridgecastCore
internal import BridgecastRoads

/// Pieces of road with their times, from which a map of what hangs together is made.
struct RoadDraft {
    /// Turns in order of the arcs they begin on.
    struct Turns {
        var links: [TurnLink] = []
        var first: [UInt32] = [0]
    }

    private let strands: RoadStrands
    private(set) var pieces: [RoadPiece]
    private let extract: RoadExtract
    private let assembly: RoadMapAssembly
    private let costs: TurnCosts

    init(_ extract: RoadExtract, _ strands: RoadStrands, _ report: inout RoadImportReport) {
        (self.extract, self.strands) = (extract, strands)
        pieces = PieceCutter.pieces(strands)
        let controls = JunctionControls(pieces, strands, extract.nodeTags)
        let times = ArcTimes(pieces, strands, controls)
        var assembly = RoadMapAssembly(pieces, strands)
        let origins = assembly.origins
        assembly.setTimes { times.set(&$1, origins[$0]) }
        self.assembly = assembly
        let restrictions = TurnRestrictions(extract, assembly, pieces, &report)
        costs = TurnCosts(assembly, pieces, strands, controls, restrictions)
    }

    /// The map of what hangs together, and its turns.
    func connected(_ report: inout RoadImportReport) -> (RoadMapAssembly, Turns) {
        let arcs = assembly.map.arcs
        let car = connectedByCar()
        let bike = connected(arcs.map { $0.bikeDeciseconds > 0 })
        let walk = connected(arcs.map { $0.walkDeciseconds > 0 })
        var kept = pieces
        for (number, arc) in arcs.enumerated() {
            let origin = assembly.origins[number]
            var lost: RoadModes = []
            func lose(_ mode: RoadModes, _ time: UInt16, _ reason: DropReason) {
                guard time > 0 else { return }
                lost.insert(mode)
                report.drop(reason, element(origin))
            }
            if !car[number] { lose(.car, arc.carDeciseconds, .unconnectedByCar) }
            if !bike[number] { lose(.bike, arc.bikeDeciseconds, .unconnectedByBike) }
            if !walk[number] { lose(.walk, arc.walkDeciseconds, .unconnectedOnFoot) }
            if origin.isBackward {
                kept[origin.piece].backward.subtract(lost)
            } else {
                kept[origin.piece].forward.subtract(lost)
            }
        }
        return rebuilt(kept, car)
    }

    private func element(_ origin: RoadMapAssembly.Origin) -> RoadElement? {
        let way = pieces[origin.piece].firstWay
        return way >= 0 ? RoadElement(kind: .way, id: extract.ways[way].id) : nil
    }

    /// The number of an arc's way in OpenStreetMap; 0 if it has none.
    func wayID(_ origin: RoadMapAssembly.Origin) -> Int64 { element(origin)?.id ?? 0 }

    // MARK: Parts

    private func connectedByCar() -> [Bool] {
        let isDriven = assembly.map.arcs.map { $0.carDeciseconds > 0 }
        var (first, heads) = ([Int32(0)], [Int32]())
        for arc in assembly.map.arcs.indices {
            if isDriven[arc] {
                heads += costs.links(from: arc, isDriven).map { Int32($0.to) }
            }
            first.append(Int32(heads.count))
        }
        let part = ConnectedPart.largest(first: first, heads: heads)
        return zip(part, isDriven).map { $0 && $1 }
    }

    private func connected(_ isOpen: [Bool]) -> [Bool] {
        let map = assembly.map
        var (first, heads) = ([Int32(0)], [Int32]())
        for node in map.nodes.indices {
            heads += map.departing(node).filter { isOpen[$0] }.map { Int32(map.arcs[$0].head) }
            first.append(Int32(heads.count))
        }
        let part = ConnectedPart.largest(first: first, heads: heads)
        return map.arcs.indices.map {
            isOpen[$0] && part[Int(map.arcs[$0].tail)] && part[Int(map.arcs[$0].head)]
        }
    }

    // MARK: The map again

    /// Assembles the map anew; times and turns are those of the draft.
    private func rebuilt(_ kept: [RoadPiece], _ car: [Bool]) -> (RoadMapAssembly, Turns) {
        var result = RoadMapAssembly(kept, strands)
        var drafted: [Int: Int] = [:]
        for (number, origin) in assembly.origins.enumerated() { drafted[Self.key(origin)] = number }
        let before = result.origins.map { drafted[Self.key($0)] ?? 0 }
        let origins = result.origins
        result.setTimes { number, arc in
            let old = assembly.map.arcs[before[number]]
            let (piece, isBackward) = (kept[origins[number].piece], origins[number].isBackward)
            let modes = isBackward ? piece.backward : piece.forward
            if modes.contains(.car) { arc.carDeciseconds = old.carDeciseconds }
            if modes.contains(.bike) { arc.bikeDeciseconds = old.bikeDeciseconds }
            if modes.contains(.walk) { arc.walkDeciseconds = old.walkDeciseconds }
            arc.paceGroupValue = old.paceGroupValue
        }
        var after = [Int](repeating: -1, count: assembly.map.arcs.count)
        for (number, old) in before.enumerated() { after[old] = number }
        var turns = Turns()
        for (number, arc) in result.map.arcs.enumerated() {
            if arc.carDeciseconds > 0 {
                turns.links += costs.links(from: before[number], car).map {
                    TurnLink(from: number, to: after[$0.to], deciseconds: $0.deciseconds)
                }
            }
            turns.first.append(UInt32(turns.links.count))
        }
        return (result, turns)
    }

    private static func key(_ origin: RoadMapAssembly.Origin) -> Int {
        origin.piece * 2 + (origin.isBackward ? 1 : 0)
    }
}
