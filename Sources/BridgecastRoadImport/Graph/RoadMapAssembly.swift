// Arcs, junctions, shapes and names as flat arrays, made of pieces of road; the last step of an import.
internal import BridgecastCore
internal import BridgecastRoads

/// A map with what its arcs were made of.
struct RoadMapAssembly {
    /// What an arc was made of.
    struct Origin {
        /// Number of its piece, and whether it leads against the piece's line.
        let piece: Int
        let isBackward: Bool
    }

    private(set) var map = RoadMap(nodes: [], arcs: [], shapes: [], names: [""])
    /// By arc.
    private(set) var origins: [Origin] = []
    /// Points of the extract, by junction of the map.
    private(set) var junctions: [Int32] = []

    /// Assembles what some mode may use.
    ///
    /// O(points).
    init(_ pieces: [RoadPiece], _ strands: RoadStrands) {
        var nodeNumbers = [Int32](repeating: -1, count: strands.points.count)
        var nameNumbers = [-1: 0]
        var (shapes, names) = ([RoadPoint](), [""])
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
                let (tail, head) = (Int(nodeNumbers[piece.tail]), Int(nodeNumbers[piece.head]))
                var arc = RoadArc(
                    tail: isBackward ? head : tail, head: isBackward ? tail : head,
                    name: nameNumbers[profile.name] ?? 0, shape: shapes.count,
                    shapeCount: inner.count, metres: strands.metres(piece.points),
                    roadClass: profile.roadClass, paceGroup: .local, flags: profile.flags)
                if isBackward { arc.flags.insert(.shapeReversed) }
                arc.limitKmh = UInt8((profile.limit * RoadSpeeds.kmhPerMile).rounded())
                let direction = isBackward ? profile.backward : profile.forward
                (arc.lanes, arc.bikeRoomValue) = (direction.lanes, direction.bikeRoom.rawValue)
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

    /// In order of their tails; twins find each other.
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

    /// Sets what is known of arcs beside their lines.
    mutating func setTimes(_ set: (Int, inout RoadArc) -> Void) {
        for number in map.arcs.indices { set(number, &map.arcs[number]) }
    }

    /// Leaves out crossings that no arc is any more, and numbers the others anew.
    mutating func keepUsed(_ crossings: inout [Crossing], _ report: inout RoadImportReport) {
        let used = Set(map.arcs.map { Int($0.crossing) })
        let kept = crossings.indices.filter(used.contains)
        for number in crossings.indices where !used.contains(number) {
            report.remark("\(crossings[number].name) leads out of the extract: left out")
        }
        let numbers = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, UInt8($0)) })
        for arc in map.arcs.indices {
            if let number = numbers[Int(map.arcs[arc].crossing)] { map.arcs[arc].crossing = number }
        }
        crossings = kept.map { crossings[$0] }
        report.crossings = kept.map { report.crossings[$0] }
    }
}
