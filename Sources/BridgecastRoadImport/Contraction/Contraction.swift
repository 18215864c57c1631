// Prepares a mode's roads for searching: takes vertices out, the least important first, and puts shortcuts in.
// Belongs here: what makes a RoadHierarchy of links; not: how it is searched, or what is on the ground.
package import BridgecastRoads

/// Contracts a graph (Geisberger, Sanders, Schultes and Delling, "Contraction Hierarchies", 2008) whose edges take
/// as long as the hour says.
///
/// A shortcut u -> v -> w is left out only if another way from u to w is at no departure slower
/// (``PaceWindows/isNeverSlower(_:than:)``); so ways stay exact at every time of every day.
package struct Contraction: ~Copyable {
    /// A step from a vertex to another.
    package struct Link: Sendable {
        package let from, to: UInt32
        /// Tenths of a second of free travel, and what pace they go by.
        package let deciseconds: Int
        package let paceGroup: PaceGroup
        /// The arc that it travels, or ``HierarchyEdge/noArc``.
        package let arc: UInt32

        package init(from: UInt32, to: UInt32, deciseconds: Int, paceGroup: PaceGroup, arc: UInt32)
        {
            (self.from, self.to, self.arc) = (from, to, arc)
            (self.deciseconds, self.paceGroup) = (deciseconds, paceGroup)
        }
    }

    private var windows: PaceWindows
    private(set) var graph: ContractionGraph
    private var search: WitnessSearch
    private var depths: [Int32]
    /// Vertices whose neighbours have changed since their importance was worked out.
    private var isStale: [Bool]
    private(set) var order: [UInt32] = []
    let vertexCount: Int
    /// Vertices that stay as they are.
    private let coreCount: Int
    private let kept: Set<UInt32>

    /// Contracts all vertices but the core.
    ///
    /// - Parameter kept: Vertices that belong to the core whatever they are.
    /// - Complexity: Some seconds for a city's 60,000 arcs.
    package static func contract(
        _ vertexCount: Int, _ links: [Link], kept: Set<UInt32>, paces: PaceTable
    ) throws(RoadImportError) -> Result {
        guard links.allSatisfy({ Float($0.deciseconds) <= longest }) else { throw .tooFar }
        var work = Contraction(vertexCount, links, kept, paces)
        work.contractAll()
        return work.result()
    }

    private init(
        _ vertexCount: Int, _ links: [Link], _ kept: Set<UInt32>, _ paces: PaceTable
    ) {
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
        var queue = VertexQueue(vertexCount)
        for vertex in 0..<vertexCount where !kept.contains(UInt32(vertex)) {
            queue.push(importance(vertex, shortcuts(vertex, limit: Self.quickLimit)), vertex)
        }
        while order.count < vertexCount - coreCount, let (importance, vertex) = queue.pop() {
            if isStale[vertex] {
                isStale[vertex] = false
                let now = self.importance(vertex, shortcuts(vertex, limit: Self.quickLimit))
                if now > importance, let next = queue.leastImportance, now > next {
                    queue.push(now, vertex)
                    continue
                }
            }
            let needed = shortcuts(vertex, limit: Self.thoroughLimit)
            // What no edge can hold stays in the core.
            if needed.allSatisfy({ $0.content.weights.max() <= Self.longest }) {
                contract(vertex, needed)
            }
        }
    }

    /// Vertices that witness searches look at: when it is only about importance, and when a vertex goes.
    private static let (quickLimit, thoroughLimit) = (24, 300)

    /// Tenths of a second that an edge may take on roads of one kind.
    private static let longest = Float(UInt16.max)

    private struct Shortcut {
        let tail, head: UInt32
        /// At the sample paces.
        let costs: SIMD4<Float>
        let content: ContractionGraph.Content
    }

    /// The shortcuts needed if a vertex goes.
    private mutating func shortcuts(_ vertex: Int, limit: Int) -> [Shortcut] {
        let leaving = graph.edges(leaving: vertex)
        let arriving = graph.edges(arriving: vertex)
        var needed: [Shortcut] = []
        var open: [Shortcut] = []
        for (place, number) in arriving.enumerated() {
            let tail = graph.edges[number].tail
            // Edges from the same tail share their searches.
            guard !arriving[..<place].contains(where: { graph.edges[$0].tail == tail }) else {
                continue
            }
            open.removeAll(keepingCapacity: true)
            for first in arriving[place...] where graph.edges[first].tail == tail {
                for second in leaving where graph.edges[second].head != tail {
                    open.append(joined(first, second))
                }
            }
            let firstNeeded = needed.count
            for sample in windows.samples.indices where !open.isEmpty {
                let most = open.reduce(0) { max($0, $1.costs[sample]) } * Self.slack
                search.begin()
                for shortcut in open { search.want(shortcut.head) }
                search.run(
                    from: tail, without: UInt32(vertex), most: most, limit: limit, sample: sample,
                    in: graph)
                open.removeAll { shortcut in
                    // Whatever is never slower is not slower at this pace.
                    guard let cost = search.cost(to: shortcut.head),
                        cost <= shortcut.costs[sample] * Self.slack
                    else {
                        needed.append(shortcut)
                        return true
                    }
                    let way = search.way(to: shortcut.head, in: graph)
                    return windows.isNeverSlower(way, than: shortcut.content.weights)
                }
            }
            needed += open
            dropDominated(&needed, from: firstNeeded)
        }
        return needed
    }

    /// More than what rounding does to sums.
    private static let slack: Float = 1.000_01

    private func joined(_ first: UInt32, _ second: UInt32) -> Shortcut {
        let (before, after) = (graph.edges[first], graph.edges[second])
        let (start, end) = (graph.contents[first], graph.contents[second])
        return Shortcut(
            tail: before.tail, head: after.head, costs: before.costs + after.costs,
            content: ContractionGraph.Content(
                weights: start.weights + end.weights, first: first, second: second,
                pieces: start.pieces + end.pieces))
    }

    /// Leaves out shortcuts that another one between the same vertices makes needless.
    private mutating func dropDominated(_ shortcuts: inout [Shortcut], from first: Int) {
        var place = first
        while place < shortcuts.count {
            let shortcut = shortcuts[place]
            let isNeedless = shortcuts.indices[first...].contains { other in
                other != place && shortcuts[other].head == shortcut.head
                    && windows.isNeverSlower(
                        shortcuts[other].content.weights, than: shortcut.content.weights)
            }
            if isNeedless { shortcuts.remove(at: place) } else { place += 1 }
        }
    }

    /// How late a vertex should go: the fewer edges come in for those that go out, and the lower what has gone around
    /// it, the earlier.
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
        for number in graph.edges(leaving: vertex) { touch(graph.edges[number].head, vertex) }
        for number in graph.edges(arriving: vertex) { touch(graph.edges[number].tail, vertex) }
        for shortcut in shortcuts { add(shortcut) }
    }

    /// Notes that a neighbour is gone.
    private mutating func touch(_ vertex: UInt32, _ gone: Int) {
        depths[Int(vertex)] = max(depths[Int(vertex)], depths[gone] + 1)
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
