// Dijkstra's algorithm on the roads as they are, without preparation: what RoadBench compares the search with.
import BridgecastCore
import BridgecastRoads

/// The pieces of road of a mode, with turns, one by one.
struct PlainRoadSearch {
    private struct Step {
        let head: UInt32
        let deciseconds: Double
        let group: PaceGroup
    }

    private let network: RoadNetwork
    private let mode: Route.Mode
    /// Steps from vertex v: steps[first[v] ..< first[v + 1]].
    private var steps: [Step] = []
    private var first: [Int] = [0]
    private var times: [Double]
    private var heap: [(time: Double, vertex: UInt32)] = []

    /// Takes the edges of a hierarchy that stand for one piece of road.
    init(_ network: RoadNetwork, mode: Route.Mode) {
        (self.network, self.mode) = (network, mode)
        let hierarchy = network.hierarchy(mode)
        var out = [[Step]](repeating: [], count: hierarchy.vertexCount)
        func step(_ edge: HierarchyEdge, to head: UInt32) -> Step {
            let group = PaceGroup.allCases.max {
                edge.weights[Int($0.rawValue)] < edge.weights[Int($1.rawValue)]
            }
            return Step(
                head: head, deciseconds: Double(edge.weights.wrappedSum()), group: group ?? .local)
        }
        for vertex in out.indices {
            for place in hierarchy.firstUp[vertex]..<hierarchy.firstUp[vertex + 1] {
                let edge = hierarchy.upward[Int(place)]
                if edge.isSingle { out[vertex].append(step(edge, to: edge.other)) }
            }
            for place in hierarchy.firstDown[vertex]..<hierarchy.firstDown[vertex + 1] {
                let edge = hierarchy.downward[Int(place)]
                if edge.isSingle { out[Int(edge.other)].append(step(edge, to: UInt32(vertex))) }
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

    /// Minutes from a departure to the destination; nil if there is no way.
    mutating func minutes(
        from origin: Anchor, to destination: Anchor, leaving departure: Timestamp
    ) -> Double? {
        let hierarchy = network.hierarchy(mode)
        let clock = TripClock(departure, mode == .car ? network.paces : .free)
        let ends = network.ends(of: destination, hierarchy)
        var best = Double.infinity
        for place in times.indices { times[place] = .infinity }
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
