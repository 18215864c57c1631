// Roads as a graph: nodes, directed edges with a class, crossings of water by name, places.
public import Foundation

/// A crossing of water that routes are told apart by.
public struct Crossing: Sendable, Equatable {
    /// For people, such as "Aurora Bridge".
    public let name: String
    /// The drawbridge, or nil if it never opens.
    public let bridge: BridgeIndex?
}

/// A place that people name.
public struct Place: Sendable, Equatable {
    /// For people.
    public let name: String
    /// Other names.
    public let aliases: [String]
    let node: Int
}

/// A road network for cars, bikes and people on foot.
///
/// Times on an edge depend on when it is entered, by the class's hourly factors, and are
/// first-in-first-out: who enters an edge later leaves it later. Files that break this are refused.
public struct RoadNetwork: Sendable {
    /// For people.
    public let name: String
    /// Everything that has a name and can be a start or an end.
    public let places: [Place]
    /// Crossings of water, drawbridges among them.
    public let crossings: [Crossing]

    struct Edge: Sendable {
        let from: Int
        let to: Int
        let metres: Double
        let roadClass: Int
        let road: Int
        /// Index into `crossings`.
        let crossing: Int?
    }

    let points: [GeoPoint]
    let nodeIDs: [String]
    let roads: [String]
    let classes: [RoadClass]
    /// Sorted by `from`.
    let edges: [Edge]
    /// Edges of node n: firstEdge[n] ..< firstEdge[n + 1].
    let firstEdge: [Int]
    /// The same for edges that lead to a node: indices into `edges`.
    let incoming: [[Int]]
    /// Edges that cross water.
    let crossingEdges: [Int]
    /// By ``Route/Mode/index``; see `speedTable`.
    let speedTables: [[Double]]

    /// Reads and checks a network.
    ///
    /// - Parameter json: In the form that `Sources/BridgecastCore/Resources/README.md` describes.
    /// - Throws: ``RoadNetworkError``.
    public init(json: Data) throws(RoadNetworkError) {
        let builder = try RoadNetworkBuilder(json)
        name = builder.file.name
        points = builder.points
        nodeIDs = builder.nodeIDs
        roads = builder.roads
        classes = builder.classes
        crossings = builder.crossings
        places = builder.places
        let sorted = builder.edges.sorted { $0.from < $1.from }
        edges = sorted
        var first = [Int](repeating: 0, count: points.count + 1)
        for edge in sorted { first[edge.from + 1] += 1 }
        for node in points.indices { first[node + 1] += first[node] }
        firstEdge = first
        var incoming = [[Int]](repeating: [], count: points.count)
        for (index, edge) in sorted.enumerated() { incoming[edge.to].append(index) }
        self.incoming = incoming
        speedTables = Route.Mode.allCases.map { Self.speedTable(builder.classes, $0) }
        crossingEdges = sorted.indices.filter { sorted[$0].crossing != nil }
        try checkConnected()
    }

    /// Seattle's arterials, freeways, trails and crossings; read when first asked for.
    ///
    /// Lengths come from coordinates; speeds and hourly factors are estimates of ours, not measurements.
    public static let seattle: RoadNetwork = {
        do {
            return try RoadNetwork(json: Data(PackageResources.seattle_network_json))
        } catch {
            preconditionFailure("the shipped network is tested: \(error)")
        }
    }()

    /// For each mode: every node that has a road for it can be reached from every other, and back.
    private func checkConnected() throws(RoadNetworkError) {
        for mode in Route.Mode.allCases {
            let usable = edges.filter { classes[$0.roadClass].allows(mode) }
            guard let start = usable.first?.from else { continue }
            let ends = Set(usable.flatMap { [$0.from, $0.to] })
            let there = reached(from: start, usable.map { ($0.from, $0.to) })
            if let lost = ends.subtracting(there).min() {
                throw .notConnected(mode: mode, from: nodeIDs[start], to: nodeIDs[lost])
            }
            let back = reached(from: start, usable.map { ($0.to, $0.from) })
            if let lost = ends.subtracting(back).min() {
                throw .notConnected(mode: mode, from: nodeIDs[lost], to: nodeIDs[start])
            }
        }
    }

    private func reached(from start: Int, _ links: [(from: Int, to: Int)]) -> Set<Int> {
        var next = [[Int]](repeating: [], count: points.count)
        for link in links { next[link.from].append(link.to) }
        var seen = Set([start])
        var open = [start]
        while let node = open.popLast() {
            for other in next[node] where seen.insert(other).inserted { open.append(other) }
        }
        return seen
    }
}

/// What kind of road an edge is: how fast it is, when, and for whom.
struct RoadClass: Sendable {
    let name: String
    /// Speed of cars in an empty street, signals included, metres a minute; nil where there are none.
    let carMetresPerMinute: Double?
    let bikeMetresPerMinute: Double?
    let walkMetresPerMinute: Double?
    /// Share of that speed at each full hour, by ``DayType`` raw value; linear between.
    let factors: [[Double]]
    /// The largest of them.
    let bestFactor: Double

    func allows(_ mode: Route.Mode) -> Bool { freeSpeed(mode) != nil }

    /// Metres a minute when nobody else is there.
    func freeSpeed(_ mode: Route.Mode) -> Double? {
        switch mode {
        case .car: carMetresPerMinute
        case .bike: bikeMetresPerMinute
        case .walk: walkMetresPerMinute
        }
    }

    /// Minutes for a length at the best of times.
    func leastMinutes(_ metres: Double, _ mode: Route.Mode) -> Double {
        guard let speed = freeSpeed(mode) else { return .infinity }
        return metres / (mode == .car ? speed * bestFactor : speed)
    }
}

/// Speeds of all classes for one mode at one time of day, metres a minute.
struct ClassSpeeds {
    fileprivate let table: [Double]
    fileprivate let now: Int
    fileprivate let next: Int
    fileprivate let share: Double

    /// 0 where the mode may not go.
    func callAsFunction(ofClass roadClass: Int) -> Double {
        let row = roadClass * ClassSpeeds.rowLength
        let speed = table[row + now]
        return speed + (table[row + next] - speed) * share
    }

    fileprivate static let rowLength = DayType.allCases.count * 24
}

extension RoadNetwork {
    /// Speeds by class, day type and full hour; one table for each mode.
    static func speedTable(_ classes: [RoadClass], _ mode: Route.Mode) -> [Double] {
        classes.flatMap { roadClass -> [Double] in
            let speed = roadClass.freeSpeed(mode) ?? 0
            return roadClass.factors.joined().map { mode == .car ? speed * $0 : speed }
        }
    }

    /// The speeds at a time of day: linear between full hours.
    func speeds(_ mode: Route.Mode, _ clock: DayClock) -> ClassSpeeds {
        let hour = clock.minuteOfDay / 60
        let lower = Int(hour)
        let today = clock.dayType.rawValue * 24
        let next = lower == 23 ? clock.nextDayType.rawValue * 24 : today + lower + 1
        return ClassSpeeds(
            table: speedTables[mode.index], now: today + lower, next: next,
            share: hour - Double(lower))
    }

    /// Minutes for a length of a class, entered at a time of day; infinite where the mode may not go.
    func minutes(
        _ metres: Double, _ roadClass: Int, _ mode: Route.Mode, entering clock: DayClock
    ) -> Double {
        metres / speeds(mode, clock)(ofClass: roadClass)
    }
}

extension Route.Mode {
    /// Its place in tables by mode.
    var index: Int {
        switch self {
        case .car: 0
        case .bike: 1
        case .walk: 2
        }
    }
}

/// The time of day along a trip; crossing midnight it goes on with the next day's type.
///
/// A trip over a
/// change of the clocks keeps the clock it began with.
struct DayClock {
    private(set) var minuteOfDay: Double
    private(set) var dayType: DayType
    private(set) var nextDayType: DayType
    private let date: CivilDate

    init(_ moment: Timestamp) {
        let civil = SeattleTime.civil(at: moment)
        self.init(civil.date, civil.minuteOfDay)
    }

    private init(_ date: CivilDate, _ minuteOfDay: Double) {
        self.date = date
        self.minuteOfDay = minuteOfDay
        dayType = DayType(date)
        nextDayType = DayType(date.adding(days: 1))
    }

    func adding(minutes: Double) -> DayClock {
        let total = minuteOfDay + minutes
        guard total >= 1440 else {
            var later = self
            later.minuteOfDay = total
            return later
        }
        let days = Int(total / 1440)
        return DayClock(date.adding(days: days), total - Double(days) * 1440)
    }
}
