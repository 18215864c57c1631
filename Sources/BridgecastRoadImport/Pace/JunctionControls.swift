// Signals and signs: what is at each node, which signals belong together, how roads meet at them, and how long they delay.
internal import BridgecastCore
internal import BridgecastRoads
import Foundation

struct JunctionControls {
    let points: [GeoPoint]
    let profiles: [RoadProfile]
    /// The number of line ends at each point, a passing line counted twice; 2 is not a junction.
    private(set) var degree: [UInt8]
    private(set) var marks: [Int32: NodeMarks] = [:]
    /// The cluster of a signal: the point of its first signal.
    private(set) var cluster: [Int32: Int32] = [:]
    /// The same, including the junctions that the signals belong to.
    private(set) var core: [Int32: Int32] = [:]
    /// A signal before a junction applies to cars that come to this point next.
    private(set) var applies: [Int32: Int32] = [:]
    private var roads: [Int32: Set<Int>] = [:]
    /// Signals in cells of about 45 m.
    private var grid = PointGrid(height: 0.0004, width: 0.0006)

    init(_ pieces: [RoadPiece], _ strands: RoadStrands, _ nodeTags: [Int: RoadTags]) {
        points = strands.points
        profiles = strands.profiles
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

    private mutating func group() {
        let signals = marks.filter { $0.value.isSignal }.keys.sorted()
        for signal in signals { grid.insert(signal, at: points[Int(signal)]) }
        for root in signals where cluster[root] == nil {
            var stack = [root]
            while let signal = stack.popLast() {
                cluster[signal] = root
                for other in near(signal, metres: ControlDelays.clusterMetres)
                where cluster[other] == nil {
                    cluster[other] = root
                    stack.append(other)
                }
            }
        }
        core = cluster
    }

    /// Signals within a distance of a point, at most 90 m.
    private func near(_ point: Int32, metres: Double) -> [Int32] {
        grid.near(points[Int(point)], reach: metres > 40 ? 2 : 1)
            .filter { points[Int(point)].metres(to: points[Int($0)]) <= metres }
    }

    // MARK: Directions

    /// Signals before a junction apply towards it only; the junction belongs to their cluster.
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
            case .unknown:
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
        var metres = 0.0
        var index = position
        while line.indices.contains(index + step), metres <= ControlDelays.clusterMetres {
            metres += points[Int(line[index])].metres(to: points[Int(line[index + step])])
            index += step
            if degree[Int(line[index])] > 2, metres <= ControlDelays.clusterMetres {
                return (metres, line[index])
            }
        }
        return nil
    }

    // MARK: Delays

    /// Seconds that cars wait at the signals of a cluster.
    func signalSeconds(_ cluster: Int32, _ profile: RoadProfile, isDowntown: Bool) -> Double {
        if marks[cluster]?.isRampMeter ?? false { return ControlDelays.rampMeter }
        let others = (roads[cluster] ?? []).map { profiles[$0] }.filter {
            Self.isOther($0, profile)
        }
        guard let crossing = others.map(RoadSpeeds.rank).max() else {
            return ControlDelays.isolatedSignal
        }
        return ControlDelays.signal(RoadSpeeds.rank(profile) - crossing, isDowntown: isDowntown)
    }

    /// Whether two roads differ: by name, or by class if neither has a name.
    private static func isOther(_ a: RoadProfile, _ b: RoadProfile) -> Bool {
        if a.hasName || b.hasName { return a.hasName != b.hasName || a.sign != b.sign }
        return a.roadClass != b.roadClass || a.isLink != b.isLink
    }

    /// Whether a stop sign applies to all approaches of its junction.
    func isForAll(_ point: Int32) -> Bool {
        guard let mark = marks[point] else { return false }
        return mark.isForAll || degree[Int(point)] > 2 && !mark.isForMinor
    }

    /// Whether a button crossing is far from signals.
    func isIsolatedButton(_ point: Int32) -> Bool {
        near(point, metres: ControlDelays.buttonMetres).isEmpty
    }
}

// MARK: - Marks of nodes

/// Signals, signs and humps at a node, from its tags.
struct NodeMarks {
    /// Along the drawing of the way, or against it.
    enum Direction {
        case unknown, forward, backward, both
    }

    var isSignal = false
    var isRampMeter = false
    var signalDirection = Direction.unknown
    var isStop = false
    var isGiveWay = false
    var isForAll = false
    var isForMinor = false
    var direction = Direction.unknown
    /// A crossing where people on foot stop cars with a button.
    var hasButton = false
    /// The delay at a hump, seconds.
    var calming = 0.0

    /// Nil if there is nothing to wait for.
    init?(_ tags: RoadTags) {
        let highway = tags["highway"] ?? ""
        let signals = tags["traffic_signals"]
        isSignal =
            highway.hasPrefix("traffic_signals")
            && !["blinker", "emergency", "continuous_green", "no"].contains(signals)
        isRampMeter = signals == "ramp_meter"
        isStop = highway.hasPrefix("stop")
        isGiveWay = highway == "give_way"
        calming =
            (tags["traffic_calming"] ?? "").split(separator: ";").map {
                Self.calmingSeconds[String($0)] ?? 0
            }.max() ?? 0
        hasButton =
            highway == "crossing"
            && (tags["crossing"]?.contains("traffic_signals") ?? false
                || tags["crossing:signals"] == "yes")
        guard isSignal || isStop || isGiveWay || hasButton || calming > 0 else { return nil }
        isForAll = tags["stop"] == "all"
        isForMinor = tags["stop"] == "minor"
        direction = Self.direction(tags["direction"])
        signalDirection = Self.direction(tags["traffic_signals:direction"] ?? tags["direction"])
    }

    private static func direction(_ text: String?) -> Direction {
        switch text {
        case "forward": .forward
        case "backward": .backward
        case "both": .both
        default: .unknown
        }
    }

    /// Judgement.
    private static let calmingSeconds = [
        "hump": 2.5, "table": 2.0, "bump": 2.5, "cushion": 1.5, "chicane": 1.0, "choker": 1.0,
        "island": 0.5,
    ]
}

// MARK: - Delays

/// Delays at signals and signs, seconds, with the source of each number.
enum ControlDelays {
    /// Signals of one junction are within `clusterMetres` of each other.
    static let clusterMetres = 40.0
    /// A button crossing within `buttonMetres` of signals is coordinated with them.
    static let buttonMetres = 60.0

    /// Highway Capacity Manual: 5 s for stopping and starting, plus waiting for one's turn at all-way stops.
    static let stopForAll = 8.0
    static let stop = 5.0
    static let giveWay = 3.0
    static let rampMeter = 10.0
    /// Signals without another road.
    static let isolatedSignal = 2.5
    /// At a crossing with a button; they come in pairs.
    static let button = 1.3

    /// Signals of a junction by the rank of the road minus that of the crossing road, -2...2: uniform delay of the Highway
    /// Capacity Manual for a cycle of 100 s (the city's policy of 2020: 50 to 90 s downtown, 120 s and more elsewhere).
    static func signal(_ difference: Int, isDowntown: Bool) -> Double {
        let limit = isDowntown ? 1 : 2
        let delay = signals[min(max(difference, -limit), limit) + 2]
        return isDowntown ? delay * 0.65 : delay
    }

    private static let signals = [
        (green: 0.30, saturation: 0.35, progression: 1.0), (0.38, 0.45, 1.0), (0.47, 0.50, 0.85),
        (0.58, 0.45, 0.65), (0.65, 0.40, 0.50),
    ].map { green, saturation, progression in
        let delay = progression * 50 * (1 - green) * (1 - green) / (1 - saturation * green)
        return (delay * 10).rounded() / 10
    }

    // MARK: Gaps

    /// Waits for a gap in the traffic of a road of rank 2 to 6.
    struct Gaps {
        let right, across, left: Double
        /// Turning left from that road through oncoming traffic.
        let opposing: Double
    }

    static func gaps(rank: Int) -> Gaps { allGaps[min(max(rank, 2), 6) - 2] }

    /// Vehicles an hour off the peaks on roads of rank 2 to 6, by the city's counts, and gaps of the Highway Capacity
    /// Manual: critical 6.2 s (right), 6.5 s (across), 6.9 s (left), 4.1 s (left from the major road).
    private static let allGaps = [300.0, 600, 1100, 1300, 1300].map { flow in
        Gaps(
            right: wait(0.35 * flow, gap: 6.2, following: 3.3),
            across: wait(0.8 * flow, gap: 6.5, following: 4.0),
            left: wait(0.9 * flow, gap: 6.9, following: 3.5),
            opposing: wait(0.5 * flow, gap: 4.1, following: 2.2))
    }

    /// 3,600 s over the potential capacity of the Highway Capacity Manual, to tenths.
    private static func wait(_ flow: Double, gap: Double, following: Double) -> Double {
        let seconds = 3600 * (1 - exp(-flow * following / 3600)) / (flow * exp(-flow * gap / 3600))
        return (seconds * 10).rounded() / 10
    }

    // MARK: Bikes and walkers

    static let bikeAtSignal = 10.0
    static let bikeAtStop = 3.0
    /// Crossing an arterial without signals.
    static let bikeAcross = 5.0
    /// Highway Capacity Manual: (cycle - green)² / (2 cycle), cycle 100 s, green 45 s.
    static let walkAtSignal = 15.0
    static let walkAcross = 5.0
}
