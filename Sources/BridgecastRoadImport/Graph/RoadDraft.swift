// From pieces of road to a map as flat arrays, and its connected parts for each mode.
internal import BridgecastCore
internal import BridgecastRoads

/// A map of all pieces of road with their times, from which the connected part is taken.
struct RoadDraft {
    /// Turns in order of the arcs that they begin on.
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
        self.extract = extract
        self.strands = strands
        pieces = PieceCutter.pieces(strands)
        let controls = JunctionControls(pieces, strands, extract.nodeTags)
        let times = ArcTimes(pieces, strands, controls)
        var assembly = RoadMapAssembly(pieces, strands)
        let origins = assembly.origins
        assembly.setTimes { times.set(&$1, origins[$0]) }
        self.assembly = assembly
        let restrictions = TurnRestrictions(extract, assembly, pieces: pieces, &report)
        costs = TurnCosts(
            assembly, pieces: pieces, strands: strands, controls: controls,
            restrictions: restrictions)
    }

    func connected(_ report: inout RoadImportReport) -> (RoadMapAssembly, Turns) {
        let arcs = assembly.map.arcs
        let car = connectedByCar()
        let bike = connected(arcs.map { $0.bikeDeciseconds > 0 })
        let walk = connected(arcs.map { $0.walkDeciseconds > 0 })
        var kept = pieces
        for (number, arc) in arcs.enumerated() {
            let origin = assembly.origins[number]
            var lost: RoadModes = []
            func lose(_ mode: RoadModes, _ deciseconds: UInt16, _ reason: DropReason) {
                guard deciseconds > 0 else { return }
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

    /// The id of an arc's way in OpenStreetMap; 0 if it has none.
    func wayID(_ origin: RoadMapAssembly.Origin) -> Int64 { element(origin)?.id ?? 0 }

    // MARK: Parts

    private func connectedByCar() -> [Bool] {
        let isDriven = assembly.map.arcs.map { $0.carDeciseconds > 0 }
        var first: [Int32] = [0]
        var heads: [Int32] = []
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
        var first: [Int32] = [0]
        var heads: [Int32] = []
        for node in map.nodes.indices {
            heads += map.departing(node).filter { isOpen[$0] }.map { Int32(map.arcs[$0].head) }
            first.append(Int32(heads.count))
        }
        let part = ConnectedPart.largest(first: first, heads: heads)
        return map.arcs.indices.map {
            isOpen[$0] && part[Int(map.arcs[$0].tail)] && part[Int(map.arcs[$0].head)]
        }
    }

    // MARK: The connected map

    /// Assembles the map again; times and turns are those of the draft.
    private func rebuilt(_ kept: [RoadPiece], _ car: [Bool]) -> (RoadMapAssembly, Turns) {
        var result = RoadMapAssembly(kept, strands)
        var drafted: [Int: Int] = [:]
        for (number, origin) in assembly.origins.enumerated() { drafted[Self.key(origin)] = number }
        let before = result.origins.map { drafted[Self.key($0)] ?? 0 }
        let origins = result.origins
        result.setTimes { number, arc in
            let old = assembly.map.arcs[before[number]]
            let piece = kept[origins[number].piece]
            let modes = origins[number].isBackward ? piece.backward : piece.forward
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

// MARK: - Assembly

struct RoadMapAssembly {
    struct Origin {
        let piece: Int
        /// Whether the arc leads against the piece's line.
        let isBackward: Bool
    }

    private(set) var map = RoadMap(nodes: [], arcs: [], shapes: [], names: [""])
    /// By index of the arc.
    private(set) var origins: [Origin] = []
    /// The points of the strands, by junction of the map.
    private(set) var junctions: [Int32] = []

    /// Assembles what is open to any mode; O(points).
    init(_ pieces: [RoadPiece], _ strands: RoadStrands) {
        var nodeNumbers = [Int32](repeating: -1, count: strands.points.count)
        var nameNumbers = [-1: 0]
        var shapes: [RoadPoint] = []
        var names = [""]
        var unsorted: [(arc: RoadArc, origin: Origin)] = []
        for (number, piece) in pieces.enumerated()
        where !piece.forward.union(piece.backward).isEmpty {
            let profile = strands.profiles[piece.profile]
            for end in [piece.tail, piece.head] where nodeNumbers[end] < 0 {
                nodeNumbers[end] = Int32(junctions.count)
                junctions.append(Int32(end))
            }
            let name = strands.names.all[profile.name]
            if name.isEmpty { nameNumbers[profile.name] = 0 }
            if nameNumbers[profile.name] == nil {
                nameNumbers[profile.name] = names.count
                names.append(name)
            }
            let inner = piece.points.dropFirst().dropLast()
            for isBackward in [false, true]
            where !(isBackward ? piece.backward : piece.forward).isEmpty {
                let tail = Int(nodeNumbers[piece.tail])
                let head = Int(nodeNumbers[piece.head])
                var arc = RoadArc(
                    tail: isBackward ? head : tail, head: isBackward ? tail : head,
                    name: nameNumbers[profile.name] ?? 0, shape: shapes.count,
                    shapeCount: inner.count, metres: strands.metres(piece.points),
                    roadClass: profile.roadClass, paceGroup: .local, flags: profile.flags)
                if isBackward { arc.flags.insert(.shapeReversed) }
                arc.limitKmh = UInt8((profile.limit * RoadSpeeds.kmhPerMile).rounded())
                let direction = isBackward ? profile.backward : profile.forward
                arc.lanes = direction.lanes
                arc.bikeRoomValue = direction.bikeRoom.rawValue
                arc.layer = profile.layer
                if profile.crossing >= 0 { arc.crossing = UInt8(profile.crossing) }
                unsorted.append((arc, Origin(piece: number, isBackward: isBackward)))
            }
            shapes += inner.map { RoadPoint(strands.points[Int($0)]) }
        }
        sort(&unsorted)
        origins = unsorted.map(\.origin)
        map = RoadMap(
            nodes: junctions.map { RoadPoint(strands.points[Int($0)]) }, arcs: unsorted.map(\.arc),
            shapes: shapes, names: names)
    }

    private func sort(_ arcs: inout [(arc: RoadArc, origin: Origin)]) {
        arcs.sort {
            ($0.arc.tail, $0.origin.piece, $0.origin.isBackward ? 1 : 0)
                < ($1.arc.tail, $1.origin.piece, $1.origin.isBackward ? 1 : 0)
        }
        var first: [Int: Int] = [:]
        for number in arcs.indices {
            let piece = arcs[number].origin.piece
            if let other = first[piece] {
                arcs[number].arc.twin = UInt32(other)
                arcs[other].arc.twin = UInt32(number)
            } else {
                first[piece] = number
            }
        }
    }

    mutating func setTimes(_ set: (Int, inout RoadArc) -> Void) {
        for number in map.arcs.indices { set(number, &map.arcs[number]) }
    }

    /// Removes crossings without an arc, and renumbers the others.
    mutating func keepUsed(_ crossings: inout [Crossing], _ report: inout RoadImportReport) {
        let used = Set(map.arcs.map { Int($0.crossing) })
        let kept = crossings.indices.filter(used.contains)
        for number in crossings.indices where !used.contains(number) {
            report.remark(
                "\(crossings[number].name) is cut off by the edge of the extract: left out")
        }
        let numbers = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, UInt8($0)) })
        for arc in map.arcs.indices {
            if let number = numbers[Int(map.arcs[arc].crossing)] { map.arcs[arc].crossing = number }
        }
        crossings = kept.map { crossings[$0] }
        report.crossings = kept.map { report.crossings[$0] }
    }
}

// MARK: - Connected parts

/// Finds strongly connected parts (Tarjan 1972), without recursion.
enum ConnectedPart {
    /// Whether each vertex is in the largest part; O(vertices + edges).
    ///
    /// - Parameter first: Where each vertex's edges begin in `heads`, and where the last ones end.
    static func largest(first: [Int32], heads: [Int32]) -> [Bool] {
        let count = first.count - 1
        var index = [Int32](repeating: -1, count: count)
        var low = [Int32](repeating: 0, count: count)
        var part = [Int32](repeating: -1, count: count)
        var sizes: [Int] = []
        var open: [Int32] = []
        var path: [Int32] = []
        var next = first
        var counter: Int32 = 0
        for root in 0..<count where index[root] < 0 {
            path.append(Int32(root))
            while let vertex = path.last.map({ Int($0) }) {
                if index[vertex] < 0 {
                    index[vertex] = counter
                    low[vertex] = counter
                    counter += 1
                    open.append(Int32(vertex))
                }
                if next[vertex] < first[vertex + 1] {
                    let head = Int(heads[Int(next[vertex])])
                    next[vertex] += 1
                    if index[head] < 0 {
                        path.append(Int32(head))
                    } else if part[head] < 0 {
                        low[vertex] = min(low[vertex], index[head])
                    }
                    continue
                }
                path.removeLast()
                if let before = path.last.map({ Int($0) }) {
                    low[before] = min(low[before], low[vertex])
                }
                if low[vertex] == index[vertex] {
                    var size = 0
                    while let last = open.popLast() {
                        part[Int(last)] = Int32(sizes.count)
                        size += 1
                        if Int(last) == vertex { break }
                    }
                    sizes.append(size)
                }
            }
        }
        let largest = sizes.indices.max { sizes[$0] < sizes[$1] } ?? -1
        return part.map { Int($0) == largest }
    }
}
