// Which signals belong together, what they are signals of, and how roads meet at them; used by ArcDelays and TurnCosts.
internal import BridgecastCore
internal import BridgecastRoads

/// Signals and signs of all roads for cars.
struct JunctionControls {
    let points: [GeoPoint]
    let profiles: [RoadProfile]
    /// How many lines' ends and passages there are at each point; 2 is no junction.
    private(set) var degree: [UInt8]
    private(set) var marks: [Int32: NodeMarks] = [:]
    /// Number of the cluster of a signal: the point of its first signal.
    private(set) var cluster: [Int32: Int32] = [:]
    /// The same for the junctions that they are signals of, too.
    private(set) var core: [Int32: Int32] = [:]
    /// A signal on the way to a junction counts for those who come to this point next.
    private(set) var applies: [Int32: Int32] = [:]
    /// Profiles of the roads at a cluster.
    private var roads: [Int32: Set<Int>] = [:]
    private var grid: [Int64: [Int32]] = [:]

    init(_ pieces: [RoadPiece], _ strands: RoadStrands, _ nodeTags: [Int: RoadTags]) {
        (points, profiles) = (strands.points, strands.profiles)
        degree = [UInt8](repeating: 0, count: strands.points.count)
        let driven = pieces.filter { !$0.forward.union($0.backward).isDisjoint(with: .car) }
        for piece in driven { count(piece) }
        for (node, tags) in nodeTags where degree[node] > 0 {
            if let mark = NodeMarks(tags) { marks[Int32(node)] = mark }
        }
        group()
        for piece in driven { orient(piece) }
        for piece in driven {
            for point in piece.points {
                if let cluster = core[point] { roads[cluster, default: []].insert(piece.profile) }
            }
        }
    }

    private mutating func count(_ piece: RoadPiece) {
        for (index, point) in piece.points.enumerated() {
            let isEnd = index == 0 || index == piece.points.count - 1
            degree[Int(point)] = UInt8(min(255, Int(degree[Int(point)]) + (isEnd ? 1 : 2)))
        }
    }

    // MARK: Clusters

    /// Chains of signals close to each other.
    private mutating func group() {
        let signals = marks.filter { $0.value.isSignal }.keys.sorted()
        for signal in signals { grid[cell(signal, 0, 0), default: []].append(signal) }
        for root in signals where cluster[root] == nil {
            var stack = [root]
            while let signal = stack.popLast() {
                cluster[signal] = root
                for other in near(signal, ControlDelays.clusterMetres) where cluster[other] == nil {
                    cluster[other] = root
                    stack.append(other)
                }
            }
        }
        core = cluster
    }

    /// Cells of about 45 m.
    private func cell(_ point: Int32, _ north: Int, _ east: Int) -> Int64 {
        let place = points[Int(point)]
        let row = Int((place.latitude + 90) / 0.0004) + north
        let column = Int((place.longitude + 180) / 0.0006) + east
        return Int64(row) << 32 | Int64(column)
    }

    /// Signals within some metres of a point, at most 90.
    func near(_ point: Int32, _ metres: Double) -> [Int32] {
        let reach = metres > 40 ? 2 : 1
        var result: [Int32] = []
        for north in -reach...reach {
            for east in -reach...reach {
                for other in grid[cell(point, north, east)] ?? []
                where points[Int(point)].metres(to: points[Int(other)]) <= metres {
                    result.append(other)
                }
            }
        }
        return result
    }

    // MARK: Directions

    /// Signals on the way to a junction count towards it only; that junction belongs to their cluster.
    private mutating func orient(_ piece: RoadPiece) {
        for (position, point) in piece.points.enumerated() {
            guard let mark = marks[point], mark.isSignal, degree[Int(point)] == 2 else { continue }
            let sides = [1, -1].compactMap {
                step -> (metres: Double, step: Int, junction: Int32)? in
                junction(piece.points, position, step).map { ($0.metres, step, $0.point) }
            }
            var step = 0
            switch mark.signalDirection {
            case .forward: step = 1
            case .backward: step = -1
            case .both: step = 0
            case .unsaid:
                step = sides.min { ($0.metres, $0.step) < ($1.metres, $1.step) }?.step ?? 0
            }
            guard step != 0 else { continue }
            let next = position + step
            applies[point] = piece.points.indices.contains(next) ? piece.points[next] : nil
            for side in sides where side.step == step && core[side.junction] == nil {
                core[side.junction] = cluster[point]
            }
        }
    }

    /// The next junction on a line, if it is near.
    private func junction(
        _ line: [Int32], _ position: Int, _ step: Int
    ) -> (metres: Double, point: Int32)? {
        var (metres, at) = (0.0, position)
        while line.indices.contains(at + step), metres <= ControlDelays.clusterMetres {
            metres += points[Int(line[at])].metres(to: points[Int(line[at + step])])
            at += step
            if degree[Int(line[at])] > 2, metres <= ControlDelays.clusterMetres {
                return (metres, line[at])
            }
        }
        return nil
    }

    // MARK: Questions

    /// Seconds that cars wait at the signals of a cluster.
    func signalSeconds(_ cluster: Int32, _ profile: RoadProfile, isDowntown: Bool) -> Double {
        if marks[cluster]?.isRampMeter ?? false { return ControlDelays.rampMeter }
        let others = (roads[cluster] ?? []).map { profiles[$0] }.filter {
            Self.isOther($0, profile)
        }
        guard let crossing = others.map(RoadSpeeds.rank).max() else {
            return ControlDelays.lonelySignal
        }
        return ControlDelays.signal(RoadSpeeds.rank(profile) - crossing, isDowntown: isDowntown)
    }

    /// Whether two roads are not the same one: by name, or by class where neither has a name.
    private static func isOther(_ a: RoadProfile, _ b: RoadProfile) -> Bool {
        if a.hasName || b.hasName { return a.hasName != b.hasName || a.sign != b.sign }
        return a.roadClass != b.roadClass || a.isLink != b.isLink
    }

    /// Whether a stop sign is for all who come to its junction.
    func isForAll(_ point: Int32) -> Bool {
        guard let mark = marks[point] else { return false }
        return mark.isForAll || degree[Int(point)] > 2 && !mark.isForMinor
    }

    /// Whether a button crossing stands alone.
    func isLonelyButton(_ point: Int32) -> Bool {
        near(point, ControlDelays.buttonMetres).isEmpty
    }
}
