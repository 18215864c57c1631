// The quickest way on Seattle's roads by Dijkstra's algorithm over single pieces of road: what the search is compared with.
import BridgecastCore
@testable import BridgecastRoads

/// A search without any preparation.
struct PlainSearch {
    private struct Step {
        let head: Int
        let deciseconds: Double
        let paceGroup: PaceGroup
    }

    private let steps: [[Step]]
    private let exits: [Int: Int]

    init(_ hierarchy: RoadHierarchy) {
        var steps = [[Step]](repeating: [], count: hierarchy.vertexCount)
        func add(_ edge: HierarchyEdge, from tail: Int, to head: Int) {
            guard edge.isSingle else { return }
            let group = PaceGroup.allCases.first { edge.weights[Int($0.rawValue)] > 0 } ?? .local
            steps[tail].append(
                Step(
                    head: head, deciseconds: Double(edge.weights[Int(group.rawValue)]),
                    paceGroup: group))
        }
        for vertex in 0..<hierarchy.vertexCount {
            for edge in hierarchy.upward[hierarchy.up(UInt32(vertex))] {
                add(edge, from: vertex, to: Int(edge.other))
            }
            for edge in hierarchy.downward[hierarchy.down(UInt32(vertex))] {
                add(edge, from: Int(edge.other), to: vertex)
            }
        }
        self.steps = steps
        exits = Dictionary(
            hierarchy.gates.map { (Int($0.entry), Int($0.exit)) }, uniquingKeysWith: { a, _ in a })
    }

    /// When one is at the ends at the earliest, seconds of the clock, and how many crossings are passed twice on the way.
    func arrival(
        from starts: [TripStart], to ends: [TripEnd], _ clock: TripClock
    ) -> (seconds: Double, passesTwice: (RoadHierarchy, RoadMap) -> Bool) {
        var times = [Double](repeating: .infinity, count: steps.count)
        var before = [Int](repeating: -1, count: steps.count)
        var heap = VertexHeap()
        for start in starts where start.seconds < times[Int(start.vertex)] {
            times[Int(start.vertex)] = start.seconds
            heap.insert(start.vertex, start.seconds)
        }
        var best = (seconds: Double.infinity, vertex: -1)
        while let item = heap.removeFirst(), item.key <= best.seconds {
            let vertex = Int(item.vertex)
            guard item.key <= times[vertex] else { continue }
            for end in ends where Int(end.vertex) == vertex {
                let time = clock.arrival(end.deciseconds, end.paceGroup, at: item.key)
                if time < best.seconds { best = (time, vertex) }
            }
            func reach(_ head: Int, _ time: Double) {
                guard time < times[head] else { return }
                (times[head], before[head]) = (time, vertex)
                heap.insert(UInt32(head), time)
            }
            if let exit = exits[vertex] { reach(exit, item.key) }
            for step in steps[vertex] {
                reach(step.head, clock.arrival(step.deciseconds, step.paceGroup, at: item.key))
            }
        }
        return (
            best.seconds,
            { hierarchy, map in
                var seen = Set<UInt8>()
                var vertex = best.vertex
                while vertex >= 0 {
                    if let gate = hierarchy.gates.first(where: { Int($0.entry) == vertex }),
                        !seen.insert(map.arcs[Int(gate.arc)].crossing).inserted
                    {
                        return true
                    }
                    vertex = before[vertex]
                }
                return false
            }
        )
    }
}
