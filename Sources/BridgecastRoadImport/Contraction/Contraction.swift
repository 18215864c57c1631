// Removes one mode's vertices, the least important first, and adds shortcuts.
package import BridgecastRoads

/// Contracts a graph (Geisberger, Sanders, Schultes and Delling, "Contraction Hierarchies", 2008) whose times depend on
/// the hour.
///
/// A shortcut u -> v -> w is left out only if another path from u to w is never slower at any departure
/// (``PaceWindows/isNeverSlower(_:than:)``), so paths are exact at every time of every day.
package struct Contraction: ~Copyable {
    package struct Link: Sendable {
        package let from, to: UInt32
        /// Tenths of a second of free travel.
        package let deciseconds: Int
        package let paceGroup: PaceGroup
        /// Its arc, or `HierarchyEdge.noArc`.
        package let arc: UInt32
    }

    private var windows: PaceWindows
    private(set) var graph: ContractionGraph
    private var search: WitnessSearch
    private var depths: [Int32]
    /// Whether neighbours of a vertex have changed since its importance was computed.
    private var isStale: [Bool]
    private(set) var order: [UInt32] = []
    let vertexCount: Int
    private let coreCount: Int
    private let kept: Set<UInt32>

    /// Contracts all vertices but the core.
    ///
    /// - Parameter kept: Vertices that must be in the core.
    /// - Complexity: A few seconds for a city's 60,000 arcs.
    package static func contract(
        _ vertexCount: Int, _ links: [Link], kept: Set<UInt32>, paces: PaceTable
    ) throws(RoadImportError) -> Result {
        guard links.allSatisfy({ Float($0.deciseconds) <= maxWeight }) else { throw .tooFar }
        var contraction = Contraction(vertexCount, links, kept: kept, paces: paces)
        contraction.contractAll()
        return contraction.result()
    }

    private init(_ vertexCount: Int, _ links: [Link], kept: Set<UInt32>, paces: PaceTable) {
        self.vertexCount = vertexCount
        self.kept = kept
        windows = PaceWindows(paces)
        // Shortcuts among the last twentieth cost more than they save.
        coreCount = kept.count + vertexCount / 20
        graph = ContractionGraph(vertexCount, samples: windows.samples)
        search = WitnessSearch(vertexCount)
        depths = Array(repeating: 0, count: vertexCount)
        isStale = Array(repeating: false, count: vertexCount)
        for link in links where link.from != link.to {
            var content = ContractionGraph.Content(
                first: HierarchyEdge.single, second: link.arc, pieces: 1)
            content.weights[Int(link.paceGroup.rawValue)] = Float(link.deciseconds)
            graph.add(from: link.from, to: link.to, content)
        }
    }

    private mutating func contractAll() {
        var queue = VertexQueue()
        for vertex in 0..<vertexCount where !kept.contains(UInt32(vertex)) {
            let shortcuts = shortcuts(vertex, limit: Self.quickLimit)
            queue.insert(UInt32(vertex), importance(vertex, shortcuts))
        }
        while order.count < vertexCount - coreCount, let item = queue.removeFirst() {
            let vertex = Int(item.vertex)
            if isStale[vertex] {
                isStale[vertex] = false
                let now = self.importance(vertex, shortcuts(vertex, limit: Self.quickLimit))
                if now > item.key, let next = queue.minKey, now > next {
                    queue.insert(item.vertex, now)
                    continue
                }
            }
            let needed = shortcuts(vertex, limit: Self.thoroughLimit)
            // A vertex with a shortcut that is too long for an edge stays in the core.
            if needed.allSatisfy({ $0.content.weights.max() <= Self.maxWeight }) {
                contract(vertex, needed)
            }
        }
    }

    /// Vertices that witness searches settle to estimate importance.
    private static let quickLimit = 24
    /// Vertices that they settle when a vertex is removed.
    private static let thoroughLimit = 300

    /// The maximum time of an edge on roads of one pace group, tenths of a second.
    private static let maxWeight = Float(UInt16.max)

    private struct Shortcut {
        let tail, head: UInt32
        /// Costs at the sample paces.
        let costs: SIMD4<Float>
        let content: ContractionGraph.Content
    }

    /// The shortcuts needed if a vertex is removed.
    private mutating func shortcuts(_ vertex: Int, limit: Int) -> [Shortcut] {
        let leaving = graph.edges(leaving: vertex)
        let arriving = graph.edges(arriving: vertex)
        var needed: [Shortcut] = []
        var open: [Shortcut] = []
        for (index, number) in arriving.enumerated() {
            let tail = graph.edges[number].tail
            // Edges from the same tail share their searches.
            guard !arriving[..<index].contains(where: { graph.edges[$0].tail == tail }) else {
                continue
            }
            open.removeAll(keepingCapacity: true)
            for first in arriving[index...] where graph.edges[first].tail == tail {
                for second in leaving where graph.edges[second].head != tail {
                    open.append(joined(first, second))
                }
            }
            let firstNeeded = needed.count
            for sample in windows.samples.indices where !open.isEmpty {
                let maxCost = open.reduce(0) { max($0, $1.costs[sample]) } * Self.slack
                search.begin()
                for shortcut in open { search.addTarget(shortcut.head) }
                search.run(
                    from: tail, without: UInt32(vertex), maxCost: maxCost, limit: limit,
                    sample: sample, in: graph)
                open.removeAll { shortcut in
                    // A path that is never slower is not slower at this pace.
                    guard let cost = search.cost(to: shortcut.head),
                        cost <= shortcut.costs[sample] * Self.slack
                    else {
                        needed.append(shortcut)
                        return true
                    }
                    let witness = search.weights(to: shortcut.head, in: graph)
                    return windows.isNeverSlower(witness, than: shortcut.content.weights)
                }
            }
            needed += open
            dropDominated(&needed, from: firstNeeded)
        }
        return needed
    }

    /// More than the rounding error of sums.
    private static let slack: Float = 1.000_01

    private func joined(_ first: UInt32, _ second: UInt32) -> Shortcut {
        let before = graph.edges[first]
        let after = graph.edges[second]
        let start = graph.contents[first]
        let end = graph.contents[second]
        return Shortcut(
            tail: before.tail, head: after.head, costs: before.costs + after.costs,
            content: ContractionGraph.Content(
                weights: start.weights + end.weights, first: first, second: second,
                pieces: start.pieces + end.pieces))
    }

    /// Removes shortcuts that are dominated by another between the same vertices.
    private mutating func dropDominated(_ shortcuts: inout [Shortcut], from first: Int) {
        var index = first
        while index < shortcuts.count {
            let shortcut = shortcuts[index]
            let isDominated = shortcuts.indices[first...].contains { other in
                other != index && shortcuts[other].head == shortcut.head
                    && windows.isNeverSlower(
                        shortcuts[other].content.weights, than: shortcut.content.weights)
            }
            if isDominated { shortcuts.remove(at: index) } else { index += 1 }
        }
    }

    /// Less if its removal adds few edges for those removed, and if few neighbours were removed.
    private func importance(_ vertex: Int, _ shortcuts: [Shortcut]) -> Float {
        let edges = graph.edges(leaving: vertex) + graph.edges(arriving: vertex)
        let pieces = edges.reduce(0) { $0 + graph.contents[$1].pieces }
        let added = shortcuts.reduce(0) { $0 + $1.content.pieces }
        return Float(depths[vertex]) + 8 * Float(shortcuts.count) / Float(max(1, edges.count))
            + 4 * added / max(1, pieces)
    }

    private mutating func contract(_ vertex: Int, _ shortcuts: [Shortcut]) {
        order.append(UInt32(vertex))
        graph.withdraw(vertex: vertex)
        for number in graph.edges(leaving: vertex) {
            touch(graph.edges[number].head, removed: vertex)
        }
        for number in graph.edges(arriving: vertex) {
            touch(graph.edges[number].tail, removed: vertex)
        }
        for shortcut in shortcuts { add(shortcut) }
    }

    private mutating func touch(_ vertex: UInt32, removed neighbour: Int) {
        depths[Int(vertex)] = max(depths[Int(vertex)], depths[neighbour] + 1)
        isStale[Int(vertex)] = true
    }

    private mutating func add(_ shortcut: Shortcut) {
        let weights = shortcut.content.weights
        for number in graph.edges(leaving: Int(shortcut.tail))
        where graph.edges[number].head == shortcut.head {
            let rival = graph.contents[number]
            if windows.isNeverSlower(rival.weights, than: weights) { return }
            if rival.first != HierarchyEdge.single,
                windows.isNeverSlower(weights, than: rival.weights)
            {
                graph.withdraw(number)
            }
        }
        graph.add(from: shortcut.tail, to: shortcut.head, shortcut.content)
    }
}

// MARK: - The hierarchy

extension Contraction {
    /// The result: vertices numbered by importance, and edges between them.
    package struct Result: Sendable {
        package var ranks: [UInt32] = []
        /// Vertices from this number on are the core.
        package var firstOfCore: UInt32 = 0
        package var firstUp: [UInt32] = [0]
        package var upward: [HierarchyEdge] = []
        package var firstDown: [UInt32] = [0]
        package var downward: [HierarchyEdge] = []
    }

    /// Edges in order of the vertex that was removed first.
    private func result() -> Result {
        var result = Result()
        result.ranks = Array(repeating: 0, count: vertexCount)
        // The vertices that are left are the core: all its edges are upward edges.
        let core = Set(order)
        let contracted = order.count
        result.firstOfCore = UInt32(contracted)
        let order = order + (0..<UInt32(vertexCount)).filter { !core.contains($0) }
        for (rank, vertex) in order.enumerated() { result.ranks[Int(vertex)] = UInt32(rank) }
        let upCount = order.reduce(0) { $0 + graph.edges(leaving: Int($1)).count }
        var numbers = [UInt32](repeating: 0, count: graph.edges.count)
        var next = (up: UInt32(0), down: UInt32(upCount))
        for (rank, vertex) in order.enumerated() {
            for number in graph.edges(leaving: Int(vertex)) {
                numbers[Int(number)] = next.up
                next.up += 1
            }
            for number in graph.edges(arriving: Int(vertex)) where rank < contracted {
                numbers[Int(number)] = next.down
                next.down += 1
            }
        }
        func edge(_ number: UInt32, other: UInt32) -> HierarchyEdge {
            let edge = graph.contents[number]
            let isSingle = edge.first == HierarchyEdge.single
            return HierarchyEdge(
                weights: SIMD8<UInt16>(edge.weights), other: result.ranks[Int(other)],
                first: isSingle ? edge.first : numbers[Int(edge.first)],
                second: isSingle ? edge.second : numbers[Int(edge.second)])
        }
        for (rank, vertex) in order.enumerated() {
            for number in graph.edges(leaving: Int(vertex)) {
                result.upward.append(edge(number, other: graph.edges[number].head))
            }
            for number in graph.edges(arriving: Int(vertex)) where rank < contracted {
                result.downward.append(edge(number, other: graph.edges[number].tail))
            }
            result.firstUp.append(UInt32(result.upward.count))
            result.firstDown.append(UInt32(result.downward.count))
        }
        return result
    }
}
