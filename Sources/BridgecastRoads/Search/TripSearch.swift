// The quickest ways from one place to all crossings and to the destination, without crossing water on the way.

/// Searches of a hierarchy from some vertices to the ends of a trip.
struct TripSearch: ~Copyable {
    let hierarchy: RoadHierarchy
    let clock: TripClock
    let ends: [TripEnd]
    /// Whether it may take longer than ``TripClock/boundSeconds``: then the best hours are those of two days.
    let isLong: Bool
    var memory: SearchMemory
    /// Vertices from which one gets to the ends along downward edges, the most important first; the core left out.
    var descent: [UInt32] = []
    /// Within so many seconds of the ends everything is known; what is not is farther.
    var radius: Float = 0
    /// What is not at the destination by then is of no interest, seconds of the clock.
    var latest = Double.infinity
    /// Vertices of the core that the climb has reached, and vertices below it from which the ends are known.
    var coreStarts: [UInt32] = []
    var meetings: [UInt32] = []
    /// Vertices of the core from which one goes down to the ends.
    var coreEnds: [UInt32] = []

    init(_ hierarchy: RoadHierarchy, _ clock: TripClock, to ends: [TripEnd], isLong: Bool = false) {
        (self.hierarchy, self.clock, self.ends) = (hierarchy, clock, ends)
        self.isLong = isLong
        memory = hierarchy.memories.borrow(vertexCount: hierarchy.vertexCount)
        memory.leastStamp += 1
        beginLeast()
    }

    deinit { hierarchy.memories.giveBack(memory) }

    /// Searches from some vertices without crossing water.
    mutating func run(from starts: [TripStart]) {
        memory.stamp += 1
        withTables { search, tables in
            search.climb(from: starts, tables)
            search.crossCore(isCrossing: false, tables)
            search.goDown(tables)
        }
    }

    /// Searches from some vertices for the quickest way to the ends, over any crossings, and leaves in `latest` when
    /// one is there.
    mutating func runAcross(from starts: [TripStart]) {
        memory.stamp += 1
        withTables { search, tables in
            search.climb(from: starts, tables)
            search.measure(tables)
            search.crossCore(isCrossing: true, tables)
            search.goDown(tables)
        }
    }

    /// When one is at a vertex; infinite if the search has not got there.
    func time(at vertex: UInt32) -> Double {
        let label = memory.labels[Int(vertex)]
        return label.stamp == memory.stamp ? label.time : .infinity
    }

    /// When one is at an end of the trip; infinite if the search has not got there.
    func arrival(at end: TripEnd) -> Double {
        let time = time(at: end.vertex)
        return time.isFinite ? clock.arrival(end.deciseconds, end.paceGroup, at: time) : time
    }

    /// When one is at each of the vertices behind gates.
    func times(at heads: [(edge: UInt32, vertex: UInt32)]) -> [Double] {
        heads.map { time(at: $0.vertex) }
    }

    /// The edges by which the search got to a vertex, and where it began.
    func way(to vertex: UInt32) -> (start: UInt32, edges: [UInt32]) {
        var (vertex, edges): (UInt32, [UInt32]) = (vertex, [])
        while memory.labels[Int(vertex)].lastEdge != VertexLabel.begins {
            let label = memory.labels[Int(vertex)]
            if label.lastEdge != VertexLabel.crosses { edges.append(label.lastEdge) }
            vertex = label.lastVertex
        }
        return (vertex, edges.reversed())
    }

    /// Up to the core.
    private mutating func climb(from starts: [TripStart], _ tables: SearchTables) {
        memory.heap.removeAll()
        for start in starts where start.seconds < time(start.vertex, tables) {
            reach(
                start.vertex, start.seconds, by: VertexLabel.begins, from: VertexLabel.begins,
                tables)
            if start.vertex < tables.firstOfCore {
                memory.heap.insert(start.vertex, Double(start.vertex))
            } else {
                coreStarts.append(start.vertex)
            }
        }
        // In order of importance every vertex is final when its turn comes.
        var last = VertexLabel.begins
        while let item = memory.heap.removeFirst() {
            if item.vertex == last { continue }
            last = item.vertex
            if unsafe tables[last].pointee.leastStamp == memory.leastStamp { meetings.append(last) }
            for number in tables.up(last) {
                let edge = unsafe tables.upward + number
                let other = unsafe edge.pointee.other
                let isNew = unsafe tables[other].pointee.stamp != memory.stamp
                guard unsafe relax(edge, UInt32(number), from: last, to: other, tables), isNew
                else {
                    continue
                }
                if other < tables.firstOfCore {
                    memory.heap.insert(other, Double(other))
                } else {
                    coreStarts.append(other)
                }
            }
        }
    }

    /// Dijkstra's algorithm among the most important vertices, led by what is left to the destination.
    private mutating func crossCore(isCrossing: Bool, _ tables: SearchTables) {
        memory.heap.removeAll()
        for vertex in coreStarts {
            let key = key(vertex, tables)
            if key <= latest { memory.heap.insert(vertex, key) }
        }
        coreStarts.removeAll(keepingCapacity: true)
        meetings.removeAll(keepingCapacity: true)
        while let item = memory.heap.removeFirst() {
            guard item.key <= latest else { return }
            let (vertex, label) = unsafe (item.vertex, tables[item.vertex])
            guard item.key <= key(vertex, tables) else { continue }
            if isCrossing {
                if unsafe label.pointee.leastStamp == memory.leastStamp
                    && label.pointee.nextEdge >= tables.upCount
                {
                    shorten(through: vertex, tables)
                }
                let exit = hierarchy.exits[Int(vertex - tables.firstOfCore)]
                if exit != RoadHierarchy.noVertex, unsafe label.pointee.time < time(exit, tables) {
                    unsafe reach(
                        exit, label.pointee.time, by: VertexLabel.crosses, from: vertex, tables)
                    memory.heap.insert(exit, item.key)
                }
            }
            for number in tables.up(vertex) {
                let edge = unsafe tables.upward + number
                let other = unsafe edge.pointee.other
                let rest = rest(other, tables)
                if unsafe relax(
                    edge, UInt32(number), from: vertex, to: other, by: latest - rest, tables)
                {
                    unsafe memory.heap.insert(other, tables[other].pointee.time + rest)
                }
            }
        }
    }

    /// From the core and what lies below it down to the ends.
    private mutating func goDown(_ tables: SearchTables) {
        for vertex in descent {
            for number in tables.down(vertex) {
                let edge = unsafe tables.downward + number
                unsafe relax(
                    edge, tables.upCount + UInt32(number), from: edge.pointee.other, to: vertex,
                    tables)
            }
        }
    }

    /// When one can be at the destination at the earliest.
    @inline(__always)
    func key(_ vertex: UInt32, _ tables: SearchTables) -> Double {
        unsafe tables[vertex].pointee.time + rest(vertex, tables)
    }

    /// What it takes from a vertex at least.
    @inline(__always)
    private func rest(_ vertex: UInt32, _ tables: SearchTables) -> Double {
        let label = unsafe tables[vertex]
        let isKnown = unsafe label.pointee.leastStamp == memory.leastStamp
        return unsafe Double(isKnown ? min(label.pointee.least, radius) : radius)
    }

    @inline(__always)
    private func time(_ vertex: UInt32, _ tables: SearchTables) -> Double {
        let label = unsafe tables[vertex]
        return unsafe label.pointee.stamp == memory.stamp ? label.pointee.time : .infinity
    }

    @inline(__always) @discardableResult
    private func relax(
        _ edge: UnsafePointer<HierarchyEdge>, _ number: UInt32, from tail: UInt32, to head: UInt32,
        by latest: Double? = nil, _ tables: SearchTables
    ) -> Bool {
        let start = time(tail, tables)
        let latest = latest ?? self.latest
        guard start < .infinity, start <= latest else { return false }
        let most = min(time(head, tables), latest.nextUp)
        let time = unsafe tables.arrival(edge, at: start, before: most)
        guard time < most else { return false }
        reach(head, time, by: number, from: tail, tables)
        return true
    }

    @inline(__always)
    private func reach(
        _ vertex: UInt32, _ time: Double, by edge: UInt32, from tail: UInt32, _ tables: SearchTables
    ) {
        let label = unsafe tables[vertex]
        unsafe label.pointee.time = time
        unsafe label.pointee.stamp = memory.stamp
        unsafe label.pointee.lastEdge = edge
        unsafe label.pointee.lastVertex = tail
    }
}
