// Dijkstra's algorithm on the roads between crossings, with speeds by the hour; used by RouteSearch.

extension RoadNetwork {
    /// Minutes of an anchor's way to its node, entered at a clock time.
    func minutes(_ entry: Anchor.Entry, _ mode: Route.Mode, _ clock: DayClock) -> Double {
        entry.metres == 0
            ? 0 : minutes(entry.metres, entry.roadClass, mode, entering: clock)
    }

    /// Least minutes to nodes without crossing water.
    ///
    /// Dijkstra's algorithm (1959), exact because roads are first-in-first-out. Nodes from which the
    /// destination is further than `most` are left out.
    func shortestTree(
        from front: SearchFront, _ mode: Route.Mode, _ clock: DayClock, leastToGo: [Double],
        most: Double
    ) -> ShortestTree {
        var tree = ShortestTree(
            minutes: Array(repeating: .infinity, count: points.count),
            lastEdge: Array(repeating: -1, count: points.count))
        var queue = NodeQueue()
        for entry in front.entries where entry.minutes < tree.minutes[entry.node] {
            tree.minutes[entry.node] = entry.minutes
            queue.insert(entry.node, entry.minutes)
        }
        while let (node, minutes) = queue.removeFirst() {
            guard minutes <= tree.minutes[node], minutes + leastToGo[node] <= most else { continue }
            let speeds = speeds(mode, clock.adding(minutes: minutes))
            for index in firstEdge[node]..<firstEdge[node + 1] where edges[index].crossing == nil {
                let end = edges[index].to
                let later = minutes + edges[index].metres / speeds(ofClass: edges[index].roadClass)
                if later < tree.minutes[end] {
                    tree.minutes[end] = later
                    tree.lastEdge[end] = index
                    queue.insert(end, later)
                }
            }
        }
        return tree
    }

    /// All crossings that a search reaches.
    func exits(of tree: ShortestTree, _ mode: Route.Mode, _ clock: DayClock) -> [Exit] {
        crossingEdges.compactMap { index in
            let edge = edges[index]
            guard let crossing = edge.crossing, tree.minutes[edge.from].isFinite else { return nil }
            let start = tree.minutes[edge.from]
            let minutes =
                edge.metres / speeds(mode, clock.adding(minutes: start))(ofClass: edge.roadClass)
            return minutes.isFinite
                ? Exit(edge: edge, crossing: crossing, minutes: start + minutes) : nil
        }
    }

    /// Minutes to a destination in empty streets, crossings free of delay: no trip is quicker.
    func leastMinutes(to destination: Anchor, _ mode: Route.Mode) -> [Double] {
        var least = [Double](repeating: .infinity, count: points.count)
        var queue = NodeQueue()
        for entry in destination.entries {
            let minutes = classes[entry.roadClass].leastMinutes(entry.metres, mode)
            if minutes < least[entry.node] {
                least[entry.node] = minutes
                queue.insert(entry.node, minutes)
            }
        }
        while let (node, minutes) = queue.removeFirst() {
            guard minutes <= least[node] else { continue }
            for index in incoming[node] {
                let edge = edges[index]
                let earlier = minutes + classes[edge.roadClass].leastMinutes(edge.metres, mode)
                if earlier < least[edge.from] {
                    least[edge.from] = earlier
                    queue.insert(edge.from, earlier)
                }
            }
        }
        return least
    }

    /// The path over a sequence's crossings to a destination, if the last search reaches it.
    func path(
        _ sequence: OpenSequence, _ tree: ShortestTree, from origin: Anchor, to destination: Anchor,
        _ mode: Route.Mode, _ clock: DayClock
    ) -> Path? {
        let ends = destination.entries.map { entry -> (entry: Anchor.Entry, minutes: Double) in
            let start = tree.minutes[entry.node]
            guard start.isFinite else { return (entry, .infinity) }
            return (entry, start + minutes(entry, mode, clock.adding(minutes: start)))
        }
        guard let end = ends.min(by: { $0.minutes < $1.minutes }), end.minutes.isFinite else {
            return nil
        }
        var pieces: [Path.Piece] = []
        for parent in sequence.parents {
            let start = parent.tree.minutes[parent.exit.edge.from]
            pieces += self.pieces(of: parent.tree, to: parent.exit.edge.from)
            pieces.append(piece(parent.exit.edge, parent.exit.minutes - start))
        }
        pieces += self.pieces(of: tree, to: end.entry.node)
        let first = sequence.parents.first?.tree ?? tree
        let start = first.start(of: sequence.parents.first?.exit.edge.from ?? end.entry.node, edges)
        if let entry = origin.entries.first(where: { $0.node == start }), entry.metres > 0 {
            pieces.insert(access(entry, first.minutes[start]), at: 0)
        }
        if end.entry.metres > 0 {
            pieces.append(access(end.entry, end.minutes - tree.minutes[end.entry.node]))
        }
        return Path(pieces: pieces)
    }

    /// The way between a place and the network.
    private func access(_ entry: Anchor.Entry, _ minutes: Double) -> Path.Piece {
        Path.Piece(
            road: "", metres: entry.metres, minutes: minutes, crossing: nil, end: points[entry.node]
        )
    }

    /// The way between two places on one edge.
    func direct(
        _ origin: Anchor, _ destination: Anchor, _ mode: Route.Mode, _ clock: DayClock
    ) -> Path? {
        guard let a = origin.onEdge, let b = destination.onEdge, a.nodes == b.nodes,
            a.roadClass == b.roadClass
        else { return nil }
        let metres = abs(a.metresFromLowest - b.metresFromLowest)
        let minutes = self.minutes(metres, a.roadClass, mode, entering: clock)
        let node = destination.entries[0].node
        return Path(pieces: [
            Path.Piece(road: "", metres: metres, minutes: minutes, crossing: nil, end: points[node])
        ])
    }

    private func pieces(of tree: ShortestTree, to node: Int) -> [Path.Piece] {
        var pieces: [Path.Piece] = []
        var node = node
        while tree.lastEdge[node] >= 0 {
            let edge = edges[tree.lastEdge[node]]
            pieces.append(piece(edge, tree.minutes[node] - tree.minutes[edge.from]))
            node = edge.from
        }
        return pieces.reversed()
    }

    private func piece(_ edge: Edge, _ minutes: Double) -> Path.Piece {
        Path.Piece(
            road: roads[edge.road], metres: edge.metres, minutes: minutes, crossing: edge.crossing,
            end: points[edge.to])
    }
}

extension ShortestTree {
    /// The node of the front from which another is reached.
    func start(of node: Int, _ edges: [RoadNetwork.Edge]) -> Int {
        var node = node
        while lastEdge[node] >= 0 { node = edges[lastEdge[node]].from }
        return node
    }
}

/// A heap of nodes by time; entries that were bettered stay in it and are passed over.
private struct NodeQueue {
    private var items: [(node: Int, minutes: Double)] = []

    mutating func insert(_ node: Int, _ minutes: Double) {
        items.append((node, minutes))
        var child = items.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard items[child].minutes < items[parent].minutes else { return }
            items.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() -> (node: Int, minutes: Double)? {
        guard let first = items.first, let last = items.popLast() else { return nil }
        guard !items.isEmpty else { return first }
        items[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < items.count && items[child].minutes < items[least].minutes {
                least = child
            }
            guard least != parent else { return first }
            items.swapAt(parent, least)
            parent = least
        }
    }
}
