// One search of a hierarchy: the quickest paths from some vertices to all gates and the ends.
struct TripSearch: ~Copyable {
    let hierarchy: RoadHierarchy
    let clock: TripClock
    let ends: [TripEnd]
    /// Whether the trip may take longer than ``TripClock/boundSeconds``: then bounds are from the best hours of two days.
    let isLong: Bool
    var workspace: SearchWorkspace
    /// Vertices below the core from which downward edges lead to the ends, the most important first.
    var descent: [UInt32] = []
    /// The bounds of all vertices within `radius` seconds of the ends are known; all others are farther.
    var radius: Float = 0
    /// The latest arrival of interest, seconds of the clock.
    var latest = Double.infinity
    /// Vertices of the core that the climb has reached.
    var coreStarts: [UInt32] = []
    /// Vertices below the core that the climb has reached and that have bounds.
    var meetings: [UInt32] = []
    /// Vertices of the core from which downward edges lead to the ends.
    var coreEnds: [UInt32] = []

    init(_ hierarchy: RoadHierarchy, _ clock: TripClock, to ends: [TripEnd], isLong: Bool = false) {
        self.hierarchy = hierarchy
        self.clock = clock
        self.ends = ends
        self.isLong = isLong
        workspace = hierarchy.workspaces.borrow(vertexCount: hierarchy.vertexCount)
        workspace.boundStamp += 1
        initialiseBounds()
    }

    deinit { hierarchy.workspaces.giveBack(workspace) }

    /// Searches from some vertices without crossing water.
    mutating func run(from starts: [SearchStart]) {
        workspace.stamp += 1
        withTables { search, tables in
            search.climb(from: starts, tables)
            search.crossCore(isCrossing: false, tables)
            search.descendToEnds(tables)
        }
    }

    /// Searches for the quickest path to the ends over any crossings; its arrival is in `latest`.
    mutating func runAcross(from starts: [SearchStart]) {
        workspace.stamp += 1
        withTables { search, tables in
            search.climb(from: starts, tables)
            search.boundFromStarts(tables)
            search.crossCore(isCrossing: true, tables)
            search.descendToEnds(tables)
        }
    }

    /// The arrival at a vertex; infinite if the search has not reached it.
    func time(at vertex: UInt32) -> Double {
        let label = workspace.labels[Int(vertex)]
        return label.stamp == workspace.stamp ? label.time : .infinity
    }

    /// The arrival at an end of the trip; infinite if the search has not reached it.
    func arrival(at end: TripEnd) -> Double {
        let time = time(at: end.vertex)
        return time.isFinite ? clock.arrival(end.deciseconds, end.paceGroup, at: time) : time
    }

    /// The arrivals at the vertices after gates.
    func times(at heads: [(edge: UInt32, vertex: UInt32)]) -> [Double] {
        heads.map { time(at: $0.vertex) }
    }

    func way(to vertex: UInt32) -> (start: UInt32, edges: [UInt32]) {
        var vertex = vertex
        var edges: [UInt32] = []
        while workspace.labels[Int(vertex)].lastEdge != VertexLabel.begins {
            let label = workspace.labels[Int(vertex)]
            if label.lastEdge != VertexLabel.crosses { edges.append(label.lastEdge) }
            vertex = label.lastVertex
        }
        return (vertex, edges.reversed())
    }

    private mutating func climb(from starts: [SearchStart], _ tables: SearchTables) {
        workspace.heap.removeAll()
        for start in starts where start.seconds < time(start.vertex, tables) {
            reach(
                start.vertex, start.seconds, by: VertexLabel.begins, from: VertexLabel.begins,
                tables)
            if start.vertex < tables.firstOfCore {
                workspace.heap.insert(start.vertex, Double(start.vertex))
            } else {
                coreStarts.append(start.vertex)
            }
        }
        // By order of importance a vertex is final when it is removed.
        var last = VertexLabel.begins
        while let item = workspace.heap.removeFirst() {
            if item.vertex == last { continue }
            last = item.vertex
            if unsafe tables[last].pointee.boundStamp == workspace.boundStamp {
                meetings.append(last)
            }
            for number in tables.up(last) {
                let edge = unsafe tables.upward + number
                let other = unsafe edge.pointee.other
                let isNew = unsafe tables[other].pointee.stamp != workspace.stamp
                guard unsafe relax(edge, UInt32(number), from: last, to: other, tables), isNew
                else {
                    continue
                }
                if other < tables.firstOfCore {
                    workspace.heap.insert(other, Double(other))
                } else {
                    coreStarts.append(other)
                }
            }
        }
    }

    /// A* within the core, with the bounds to the destination.
    private mutating func crossCore(isCrossing: Bool, _ tables: SearchTables) {
        workspace.heap.removeAll()
        for vertex in coreStarts {
            let key = key(vertex, tables)
            if key <= latest { workspace.heap.insert(vertex, key) }
        }
        coreStarts.removeAll(keepingCapacity: true)
        meetings.removeAll(keepingCapacity: true)
        while let item = workspace.heap.removeFirst() {
            guard item.key <= latest else { return }
            let vertex = item.vertex
            let label = unsafe tables[vertex]
            guard item.key <= key(vertex, tables) else { continue }
            if isCrossing {
                if unsafe label.pointee.boundStamp == workspace.boundStamp
                    && label.pointee.nextEdge >= tables.upCount
                {
                    tightenLatest(through: vertex, tables)
                }
                let exit = hierarchy.exits[Int(vertex - tables.firstOfCore)]
                if exit != RoadHierarchy.noVertex, unsafe label.pointee.time < time(exit, tables) {
                    unsafe reach(
                        exit, label.pointee.time, by: VertexLabel.crosses, from: vertex, tables)
                    workspace.heap.insert(exit, item.key)
                }
            }
            for number in tables.up(vertex) {
                let edge = unsafe tables.upward + number
                let other = unsafe edge.pointee.other
                let remaining = bound(other, tables)
                if unsafe relax(
                    edge, UInt32(number), from: vertex, to: other, by: latest - remaining, tables)
                {
                    unsafe workspace.heap.insert(other, tables[other].pointee.time + remaining)
                }
            }
        }
    }

    private mutating func descendToEnds(_ tables: SearchTables) {
        for vertex in descent {
            for number in tables.down(vertex) {
                let edge = unsafe tables.downward + number
                unsafe relax(
                    edge, tables.upCount + UInt32(number), from: edge.pointee.other, to: vertex,
                    tables)
            }
        }
    }

    /// A lower bound of the arrival at the destination by way of a vertex.
    @inline(__always)
    func key(_ vertex: UInt32, _ tables: SearchTables) -> Double {
        unsafe tables[vertex].pointee.time + bound(vertex, tables)
    }

    /// A lower bound of the time from a vertex to the destination.
    @inline(__always)
    private func bound(_ vertex: UInt32, _ tables: SearchTables) -> Double {
        let label = unsafe tables[vertex]
        let isKnown = unsafe label.pointee.boundStamp == workspace.boundStamp
        return unsafe Double(isKnown ? min(label.pointee.bound, radius) : radius)
    }

    @inline(__always)
    private func time(_ vertex: UInt32, _ tables: SearchTables) -> Double {
        let label = unsafe tables[vertex]
        return unsafe label.pointee.stamp == workspace.stamp ? label.pointee.time : .infinity
    }

    @inline(__always) @discardableResult
    private func relax(
        _ edge: UnsafePointer<HierarchyEdge>, _ number: UInt32, from tail: UInt32, to head: UInt32,
        by latest: Double? = nil, _ tables: SearchTables
    ) -> Bool {
        let start = time(tail, tables)
        let latest = latest ?? self.latest
        guard start < .infinity, start <= latest else { return false }
        let limit = min(time(head, tables), latest.nextUp)
        let time = unsafe tables.arrival(edge, at: start, before: limit)
        guard time < limit else { return false }
        reach(head, time, by: number, from: tail, tables)
        return true
    }

    @inline(__always)
    private func reach(
        _ vertex: UInt32, _ time: Double, by edge: UInt32, from tail: UInt32, _ tables: SearchTables
    ) {
        let label = unsafe tables[vertex]
        unsafe label.pointee.time = time
        unsafe label.pointee.stamp = workspace.stamp
        unsafe label.pointee.lastEdge = edge
        unsafe label.pointee.lastVertex = tail
    }
}

// MARK: - Lower bounds

extension TripSearch {
    /// A lower bound of the seconds to the destination: the time in the best hours of the trip, without delays at
    /// crossings; for vertices of the core, and below it for those that lead down to the destination.
    func bound(_ vertex: UInt32) -> Double {
        let label = workspace.labels[Int(vertex)]
        return Double(label.boundStamp == workspace.boundStamp ? min(label.bound, radius) : radius)
    }

    mutating func initialiseBounds() {
        withTables { search, tables in
            var open: [UInt32] = []
            for end in search.ends {
                let bound = Float(end.deciseconds) * tables.best[Int(end.paceGroup.rawValue)]
                let known = unsafe tables[end.vertex].pointee
                if known.boundStamp != search.workspace.boundStamp {
                    search.setBound(end.vertex, .infinity, by: VertexLabel.begins, next: 0, tables)
                    if end.vertex < tables.firstOfCore {
                        open.append(end.vertex)
                    } else {
                        search.coreEnds.append(end.vertex)
                    }
                }
                if unsafe bound < tables[end.vertex].pointee.bound {
                    search.setBound(end.vertex, bound, by: VertexLabel.begins, next: 0, tables)
                }
            }
            search.descend(&open, tables)
            search.climbBounds(tables)
            search.workspace.boundHeap.removeAll()
            for vertex in search.coreEnds {
                unsafe search.workspace.boundHeap.insert(
                    vertex, Double(tables[vertex].pointee.bound))
            }
        }
    }

    /// Collects the vertices from which downward edges lead to the ends.
    private mutating func descend(_ open: inout [UInt32], _ tables: SearchTables) {
        while let vertex = open.popLast() {
            descent.append(vertex)
            for number in tables.down(vertex) {
                let tail = unsafe tables.downward[number].other
                guard unsafe tables[tail].pointee.boundStamp != workspace.boundStamp else {
                    continue
                }
                setBound(tail, .infinity, by: VertexLabel.begins, next: 0, tables)
                if tail < tables.firstOfCore { open.append(tail) } else { coreEnds.append(tail) }
            }
        }
        descent.sort(by: >)
    }

    /// From the ends up into the core.
    private func climbBounds(_ tables: SearchTables) {
        for vertex in descent.reversed() {
            let after = unsafe tables[vertex].pointee.bound
            for number in tables.down(vertex) {
                let edge = unsafe tables.downward + number
                let bound = unsafe after + tables.minSeconds(edge)
                let tail = unsafe edge.pointee.other
                if unsafe bound < tables[tail].pointee.bound {
                    setBound(tail, bound, by: tables.upCount + UInt32(number), next: vertex, tables)
                }
            }
        }
    }

    /// Extends the bounds as far as climbed core vertices need; `latest` becomes a possible arrival.
    mutating func boundFromStarts(_ tables: SearchTables) {
        latest = .infinity
        for vertex in meetings { tightenLatest(through: vertex, tables) }
        let soonest = coreStarts.reduce(Double.infinity) { unsafe min($0, tables[$1].pointee.time) }
        widen(from: soonest, meets: workspace.stamp, tables)
    }

    /// Extends the bounds to vertices from which the ends are reached from `soonest` by `latest`.
    mutating func widen(from soonest: Double) {
        withTables { search, tables in search.widen(from: soonest, meets: .max, tables) }
    }

    private mutating func widen(from soonest: Double, meets stamp: UInt32, _ tables: SearchTables) {
        let first = tables.firstOfCore
        unsafe hierarchy.withArrivals { arrivals, starts in
            while let item = workspace.boundHeap.first {
                radius = Float(item.key)
                if soonest + item.key > latest { return }
                workspace.boundHeap.removeFirst()
                let vertex = item.vertex
                let after = unsafe tables[vertex].pointee.bound
                if Float(item.key) > after { continue }
                if unsafe tables[vertex].pointee.stamp == stamp {
                    tightenLatest(through: vertex, tables)
                }
                let index = Int(vertex - first)
                let entry = hierarchy.entries[index]
                if entry != RoadHierarchy.noVertex {
                    improveBound(entry, after, by: VertexLabel.crosses, next: vertex, tables)
                }
                for number in unsafe Int(starts[index])..<Int(starts[index + 1]) {
                    let arrival = unsafe arrivals[number]
                    let edge = unsafe tables.upward + Int(arrival.edge)
                    unsafe improveBound(
                        arrival.tail, after + tables.minSeconds(edge), by: arrival.edge,
                        next: vertex, tables)
                }
            }
            radius = .infinity
        }
    }

    /// Follows the path of the bounds from a vertex at the paces of the hour: `latest` is no later than its arrival.
    mutating func tightenLatest(through vertex: UInt32, _ tables: SearchTables) {
        var vertex = vertex
        var time = unsafe tables[vertex].pointee.time
        while time < latest {
            let label = unsafe tables[vertex].pointee
            guard label.nextEdge != VertexLabel.begins else {
                guard label.bound < .infinity else { return }
                for end in ends where end.vertex == vertex {
                    let group = Int(end.paceGroup.rawValue)
                    // The search may add the same times in another order.
                    latest = min(
                        latest, tables.clock.arrival(end.deciseconds, group, at: time) + 1e-6)
                }
                return
            }
            if label.nextEdge != VertexLabel.crosses {
                time = unsafe tables.arrival(
                    tables.pointer(label.nextEdge), at: time, before: latest)
            }
            vertex = label.nextVertex
        }
    }

    @inline(__always)
    private mutating func improveBound(
        _ vertex: UInt32, _ bound: Float, by edge: UInt32, next: UInt32, _ tables: SearchTables
    ) {
        let label = unsafe tables[vertex]
        guard unsafe label.pointee.boundStamp != workspace.boundStamp || bound < label.pointee.bound
        else { return }
        setBound(vertex, bound, by: edge, next: next, tables)
        workspace.boundHeap.insert(vertex, Double(bound))
    }

    @inline(__always)
    private func setBound(
        _ vertex: UInt32, _ bound: Float, by edge: UInt32, next: UInt32, _ tables: SearchTables
    ) {
        let label = unsafe tables[vertex]
        unsafe label.pointee.bound = bound
        unsafe label.pointee.boundStamp = workspace.boundStamp
        unsafe label.pointee.nextEdge = edge
        unsafe label.pointee.nextVertex = next
    }
}

// MARK: - Plain memory

extension TripSearch {
    /// Calls a closure with pointers to the hierarchy and the labels; it may use the labels through the tables only.
    mutating func withTables(_ body: (inout TripSearch, SearchTables) -> Void) {
        var labels: [VertexLabel] = []
        swap(&labels, &workspace.labels)
        let hierarchy = hierarchy
        let clock = clock
        let isLong = isLong
        unsafe labels.withUnsafeMutableBufferPointer { labels in
            unsafe hierarchy.withEdges { firstUp, upward, firstDown, downward in
                clock.withRows { rows in
                    guard let labels = labels.baseAddress else { return }
                    unsafe body(
                        &self,
                        SearchTables(
                            labels: labels, firstUp: firstUp, firstDown: firstDown, upward: upward,
                            downward: downward, upCount: UInt32(hierarchy.upward.count),
                            firstOfCore: hierarchy.firstOfCore, clock: rows,
                            best: isLong ? clock.bestEver : clock.best))
                }
            }
        }
        swap(&labels, &workspace.labels)
    }

    mutating func arrival(_ edge: UInt32, at time: Double) -> Double {
        var arrival = Double.infinity
        withTables { _, tables in
            arrival = unsafe tables.arrival(tables.pointer(edge), at: time, before: .infinity)
        }
        return arrival
    }
}

extension RoadHierarchy {
    /// Calls a closure with pointers to the edges; does not if there are none.
    fileprivate func withEdges(
        _ body: (
            UnsafePointer<UInt32>, UnsafePointer<HierarchyEdge>, UnsafePointer<UInt32>,
            UnsafePointer<HierarchyEdge>
        ) -> Void
    ) {
        unsafe firstUp.withUnsafeBufferPointer { firstUp in
            unsafe upward.withUnsafeBufferPointer { upward in
                unsafe firstDown.withUnsafeBufferPointer { firstDown in
                    unsafe downward.withUnsafeBufferPointer { downward in
                        guard let firstUp = firstUp.baseAddress, let up = upward.baseAddress,
                            let firstDown = firstDown.baseAddress, let down = downward.baseAddress
                        else { return }
                        unsafe body(firstUp, up, firstDown, down)
                    }
                }
            }
        }
    }

    /// Calls a closure with pointers to the arrivals of the core; does not if there are none.
    fileprivate func withArrivals(
        _ body: (UnsafePointer<CoreArrival>, UnsafePointer<UInt32>) -> Void
    ) {
        unsafe coreArrivals.withUnsafeBufferPointer { arrivals in
            unsafe firstCoreArrival.withUnsafeBufferPointer { starts in
                guard let arrivals = arrivals.baseAddress, let starts = starts.baseAddress else {
                    return
                }
                unsafe body(arrivals, starts)
            }
        }
    }
}
