// Times roads: reading the file, finding places, searching routes and ranking them; and plain Dijkstra to compare with.
public import BridgecastCore
public import BridgecastEngine
import BridgecastRoads
internal import BridgecastRouting
public import Foundation

/// Times roads, from the file to ranked routes.
public struct RoadBench {
    /// Times, memory and ratios.
    public struct Result: Sendable, Encodable {
        /// Steps and their times.
        public let parts: [PartResult]
        /// Bytes of the file.
        public let fileBytes: Int
        /// Growth of the process when it first read the file, kB.
        public let residentKB: Int
        /// Peak memory of the process, kB.
        public let peakKB: Int
        /// Compared with a search without preparation.
        public let ratios: [RoadRatio]
    }

    private let model: LoadedModel
    private let situation: Situation
    private let file: URL
    private let milliseconds: UInt64

    /// - Parameters:
    ///   - file: A network of Seattle; it is read when the benchmark runs.
    ///   - milliseconds: How long each part is repeated.
    public init(_ model: LoadedModel, situation: Situation, file: URL, milliseconds: Int = 400) {
        self.model = model
        self.situation = situation
        self.file = file
        self.milliseconds = UInt64(max(1, milliseconds))
    }

    /// Times every part; the first reading of the file is a part of its own.
    public func run() async throws -> Result {
        let before = residentKB()
        let start = Stopwatch.now()
        let roads = try RoadNetwork(contentsOf: file)
        let first = Stopwatch.now() - start
        let growth = residentKB() - before
        var parts = [
            PartResult("reading and checking the roads, first time", count: 1, [first]),
            part("reading and checking the roads") { _ = try? RoadNetwork(contentsOf: file) },
        ]
        var ratios: [RoadRatio] = []
        for (mode, from, to) in Self.trips {
            let (searches, ratio) = try search(roads, mode: mode, from: from, to: to)
            parts += searches
            ratios.append(ratio)
        }
        parts += [try await ranking(roads)]
        for hours in [2, 24] { parts.append(try await curve(roads, hours: hours)) }
        parts += placeSearches(roads)
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        return Result(
            parts: parts, fileBytes: size, residentKB: growth, peakKB: peakResidentKB(),
            ratios: ratios)
    }

    private func placeSearches(_ roads: RoadNetwork) -> [PartResult] {
        let typed = "15th ave nw & nw mar"
        let prefixes = (1...typed.count).map { String(typed.prefix($0)) }
        return [
            part("completions while a street corner is typed", count: prefixes.count) {
                for prefix in prefixes { _ = roads.completions(of: prefix, limit: 8) }
            },
            part("leading coordinates to the nearest road") {
                _ = try? roads.anchor(GeoPoint(latitude: 47.6686, longitude: -122.3762), for: .car)
            },
        ]
    }

    private static let trips: [(Route.Mode, String, String)] = [
        (.car, "Ballard", "Downtown"), (.car, "Lake City", "Fauntleroy"),
        (.bike, "Ballard", "Downtown"), (.walk, "Ballard", "Downtown"),
    ]

    /// Times the quickest route, all that compete with it, and the quickest by plain search, in turn.
    private func search(
        _ roads: RoadNetwork, mode: Route.Mode, from: String, to: String
    ) throws -> ([PartResult], RoadRatio) {
        let trip = "\(from) to \(to)" + (mode == .car ? "" : ", \(mode.rawValue)")
        let origin = try roads.anchor(from, for: mode)
        let destination = try roads.anchor(to, for: mode)
        let departure = situation.issueTime
        var plainSearch = PlainRoadSearch(roads, mode: mode)
        func ours(_ limit: (Path) -> Double?) -> [Path] {
            roads.paths(from: origin, to: destination, mode: mode, leaving: departure, limit: limit)
        }
        func plain() -> Double? {
            plainSearch.minutes(from: origin, to: destination, leaving: departure)
        }
        let expected = ours { _ in nil }.map(\.costMinutes).min() ?? .infinity
        let found = plain() ?? .infinity
        guard abs(found - expected) < 1e-6 else {
            throw BenchError.differentMinutes(trip: trip, minutes: expected, plain: found)
        }
        var times = SearchTimes()
        let start = Stopwatch.now()
        repeat {
            times.addRound(
                quickest: { _ = ours { _ in nil } }, all: { ours(Self.patience).count },
                plain: { _ = plain() })
        } while Stopwatch.now() - start < 2 * milliseconds * 1_000_000
        return (times.parts(of: trip), times.ratio(for: trip))
    }

    private static func patience(_ quickest: Path) -> Double? {
        quickest.minutes * RoutePlanner.patience + RoutePlanner.patienceMinutes
    }

    /// From names to ranked routes with forecasts, as `predict --from --to` does when all is read.
    private func ranking(_ roads: RoadNetwork) async throws -> PartResult {
        let inference = TrafficInference(model)
        let planner = RoutePlanner(roads)
        var timings: [UInt64] = []
        var count = 0
        let begin = Stopwatch.now()
        repeat {
            let start = Stopwatch.now()
            let trip = try roads.trip(from: "Ballard", to: "Downtown")
            count = try await inference.rank(
                trip, by: planner, leaving: situation.issueTime, in: situation
            ).count
            timings.append(Stopwatch.now() - start)
        } while Stopwatch.now() - begin < milliseconds * 1_000_000
        return PartResult("names to ranked routes, Ballard to Downtown", count: count, timings)
    }

    /// Times a curve of departures; its count is that of departures.
    private func curve(_ roads: RoadNetwork, hours: Int) async throws -> PartResult {
        let inference = TrafficInference(model)
        let planner = RoutePlanner(roads)
        let trip = try roads.trip(from: "Ballard", to: "Capitol Hill")
        let start = situation.issueTime
        let window = DepartureWindow(
            from: start, until: start.adding(minutes: Double(hours * 60)))
        var timings: [UInt64] = []
        var count = 0
        let end = Stopwatch.now() + milliseconds * 1_000_000
        while timings.count < 3 || Stopwatch.now() < end {
            let start = Stopwatch.now()
            let curve = try await inference.departures(
                of: trip, by: planner, window, in: situation)
            timings.append(Stopwatch.now() - start)
            count = curve.points.count
        }
        return PartResult(
            "departures of \(hours) hours, Ballard to Capitol Hill", count: count, timings)
    }

    private func part(_ name: String, count: Int = 1, _ call: () -> Void) -> PartResult {
        PartResult(
            name, count: count,
            timedRound(calls: 5_000, nanoseconds: milliseconds * 1_000_000, call).single)
    }
}

/// The times of the searches of a trip.
private struct SearchTimes {
    private var quickest: [UInt64] = []
    private var all: [UInt64] = []
    private var plain: [UInt64] = []
    /// Routes found.
    private var count = 0
    private var ratios: [Double] = []

    mutating func addRound(quickest: () -> Void, all: () -> Int, plain: () -> Void) {
        let times = (0..<9).map { _ in
            let start = Stopwatch.now()
            quickest()
            return Stopwatch.now() - start
        }
        self.quickest += times
        var start = Stopwatch.now()
        count = all()
        self.all.append(Stopwatch.now() - start)
        start = Stopwatch.now()
        plain()
        let plainTime = Stopwatch.now() - start
        self.plain.append(plainTime)
        ratios.append(Double(plainTime) / median(times.map { Double($0) }))
    }

    func parts(of trip: String) -> [PartResult] {
        [
            PartResult("search, \(trip): the quickest way", count: 1, quickest),
            PartResult("search, \(trip): all ways", count: count, all),
            PartResult("plain Dijkstra, \(trip): the quickest way", count: 1, plain),
        ]
    }

    func ratio(for trip: String) -> RoadRatio {
        RoadRatio(
            trip: trip, median: median(ratios), low: ratios.min() ?? .nan,
            high: ratios.max() ?? .nan, rounds: ratios.count)
    }
}

// MARK: - Plain Dijkstra

/// Dijkstra's algorithm on the pieces of road of a mode, with turns.
private struct PlainRoadSearch {
    private struct Step {
        let head: UInt32
        let deciseconds: Double
        let group: PaceGroup

        init(head: UInt32, deciseconds: Double, group: PaceGroup) {
            self.head = head
            self.deciseconds = deciseconds
            self.group = group
        }

        init(_ edge: HierarchyEdge, to head: UInt32) {
            self.head = head
            deciseconds = Double(edge.weights.wrappedSum())
            group =
                PaceGroup.allCases.max {
                    edge.weights[Int($0.rawValue)] < edge.weights[Int($1.rawValue)]
                } ?? .local
        }
    }

    private let network: RoadNetwork
    private let mode: Route.Mode
    /// Steps from vertex v: steps[first[v] ..< first[v + 1]].
    private var steps: [Step] = []
    private var first: [Int] = [0]
    private var times: [Double]
    private var heap: [(time: Double, vertex: UInt32)] = []

    /// Takes the edges of a hierarchy that are one piece of road, and no shortcuts.
    init(_ network: RoadNetwork, mode: Route.Mode) {
        self.network = network
        self.mode = mode
        let hierarchy = network.hierarchy(mode)
        var out = [[Step]](repeating: [], count: hierarchy.vertexCount)
        for vertex in out.indices {
            for index in hierarchy.firstUp[vertex]..<hierarchy.firstUp[vertex + 1] {
                let edge = hierarchy.upward[Int(index)]
                if edge.isSingle { out[vertex].append(Step(edge, to: edge.other)) }
            }
            for index in hierarchy.firstDown[vertex]..<hierarchy.firstDown[vertex + 1] {
                let edge = hierarchy.downward[Int(index)]
                if edge.isSingle { out[Int(edge.other)].append(Step(edge, to: UInt32(vertex))) }
            }
        }
        for gate in hierarchy.gates {
            out[Int(gate.entry)].append(Step(head: gate.exit, deciseconds: 0, group: .local))
        }
        for row in out {
            steps += row
            first.append(steps.count)
        }
        times = [Double](repeating: .infinity, count: out.count)
    }

    /// Minutes from a departure to the destination; nil if there is no route.
    mutating func minutes(
        from origin: Anchor, to destination: Anchor, leaving departure: Timestamp
    ) -> Double? {
        let hierarchy = network.hierarchy(mode)
        let clock = TripClock(departure, mode == .car ? network.paces : .free)
        let ends = network.ends(of: destination, hierarchy)
        var best = Double.infinity
        for index in times.indices { times[index] = .infinity }
        heap.removeAll(keepingCapacity: true)
        for start in network.starts(of: origin, hierarchy, clock) {
            reach(start.vertex, at: start.seconds)
        }
        while let next = removeFirst() {
            guard next.time <= times[Int(next.vertex)] else { continue }
            if next.time >= best { break }
            for end in ends where end.vertex == next.vertex {
                best = min(best, clock.arrival(end.deciseconds, end.paceGroup, at: next.time))
            }
            for step in steps[first[Int(next.vertex)]..<first[Int(next.vertex) + 1]] {
                reach(step.head, at: clock.arrival(step.deciseconds, step.group, at: next.time))
            }
        }
        return best.isFinite ? (best - clock.departure) / 60 : nil
    }

    private mutating func reach(_ vertex: UInt32, at time: Double) {
        guard time < times[Int(vertex)] else { return }
        times[Int(vertex)] = time
        heap.append((time, vertex))
        var child = heap.count - 1
        while child > 0, time < heap[(child - 1) / 2].time {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func removeFirst() -> (time: Double, vertex: UInt32)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while 2 * parent + 1 < heap.count {
            var child = 2 * parent + 1
            if child + 1 < heap.count, heap[child + 1].time < heap[child].time { child += 1 }
            guard heap[child].time < last.time else { break }
            heap.swapAt(parent, child)
            parent = child
        }
        return first
    }
}

/// How many times faster than plain Dijkstra the search finds the quickest way of a trip.
public struct RoadRatio: Sendable, Encodable {
    /// Origin and destination, and the mode unless by car.
    public let trip: String
    /// Median over the rounds of plain search's time divided by ours.
    public let median: Double
    /// Smallest over the rounds.
    public let low: Double
    /// Largest over the rounds.
    public let high: Double
    /// Number of rounds.
    public let rounds: Int
}
