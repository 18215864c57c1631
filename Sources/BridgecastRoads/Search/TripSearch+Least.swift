// How long it takes at least from a vertex to the destination; what cannot be in time is not looked at.

extension TripSearch {
    /// Seconds to the destination in the best hours of a trip, crossings free of delay: for the core and for what leads
    /// down from it to the destination.
    func least(_ vertex: UInt32) -> Double {
        let label = memory.labels[Int(vertex)]
        return Double(label.leastStamp == memory.leastStamp ? min(label.least, radius) : radius)
    }

    /// Begins at the ends and goes up to the core.
    mutating func beginLeast() {
        withTables { search, tables in
            var open: [UInt32] = []
            for end in search.ends {
                let least = Float(end.deciseconds) * tables.best[Int(end.paceGroup.rawValue)]
                let known = unsafe tables[end.vertex].pointee
                if known.leastStamp != search.memory.leastStamp {
                    search.know(end.vertex, .infinity, VertexLabel.begins, 0, tables)
                    if end.vertex < tables.firstOfCore {
                        open.append(end.vertex)
                    } else {
                        search.coreEnds.append(end.vertex)
                    }
                }
                if unsafe least < tables[end.vertex].pointee.least {
                    search.know(end.vertex, least, VertexLabel.begins, 0, tables)
                }
            }
            search.descend(&open, tables)
            search.climbLeast(tables)
            search.memory.leastHeap.removeAll()
            for vertex in search.coreEnds {
                unsafe search.memory.leastHeap.insert(vertex, Double(tables[vertex].pointee.least))
            }
        }
    }

    /// Collects the vertices below the core from which the ends are reached.
    private mutating func descend(_ open: inout [UInt32], _ tables: SearchTables) {
        while let vertex = open.popLast() {
            descent.append(vertex)
            for number in tables.down(vertex) {
                let tail = unsafe tables.downward[number].other
                guard unsafe tables[tail].pointee.leastStamp != memory.leastStamp else { continue }
                know(tail, .infinity, VertexLabel.begins, 0, tables)
                if tail < tables.firstOfCore { open.append(tail) } else { coreEnds.append(tail) }
            }
        }
        descent.sort(by: >)
    }

    /// From the ends up into the core.
    private func climbLeast(_ tables: SearchTables) {
        for vertex in descent.reversed() {
            let after = unsafe tables[vertex].pointee.least
            for number in tables.down(vertex) {
                let edge = unsafe tables.downward + number
                let least = unsafe after + tables.least(edge)
                let tail = unsafe edge.pointee.other
                if unsafe least < tables[tail].pointee.least {
                    know(tail, least, tables.upCount + UInt32(number), vertex, tables)
                }
            }
        }
    }

    /// From the core's vertices that the climb of the origin has reached: how far around the ends one has to look, and
    /// an arrival that can be had.
    mutating func measure(_ tables: SearchTables) {
        latest = .infinity
        for vertex in meetings { shorten(through: vertex, tables) }
        let soonest = coreStarts.reduce(Double.infinity) { unsafe min($0, tables[$1].pointee.time) }
        widen(from: soonest, meets: memory.stamp, tables)
    }

    /// Knows everything from which one gets to the ends in time, if one is in the core at `soonest`.
    mutating func widen(from soonest: Double) {
        withTables { search, tables in search.widen(from: soonest, meets: .max, tables) }
    }

    private mutating func widen(from soonest: Double, meets stamp: UInt32, _ tables: SearchTables) {
        let first = tables.firstOfCore
        unsafe hierarchy.withArrivals { arrivals, starts in
            while let item = memory.leastHeap.first {
                radius = Float(item.key)
                if soonest + item.key > latest { return }
                memory.leastHeap.removeFirst()
                let vertex = item.vertex
                let after = unsafe tables[vertex].pointee.least
                if Float(item.key) > after { continue }
                if unsafe tables[vertex].pointee.stamp == stamp { shorten(through: vertex, tables) }
                let place = Int(vertex - first)
                let entry = hierarchy.entries[place]
                if entry != RoadHierarchy.noVertex {
                    better(entry, after, VertexLabel.crosses, vertex, tables)
                }
                for number in unsafe Int(starts[place])..<Int(starts[place + 1]) {
                    let arrival = unsafe arrivals[number]
                    let edge = unsafe tables.upward + Int(arrival.edge)
                    unsafe better(
                        arrival.tail, after + tables.least(edge), arrival.edge, vertex, tables)
                }
            }
            radius = .infinity
        }
    }

    /// Goes from a vertex the way that is the shortest in the best hours: whoever comes there now is at the ends no later.
    mutating func shorten(through vertex: UInt32, _ tables: SearchTables) {
        var (place, time) = unsafe (vertex, tables[vertex].pointee.time)
        while time < latest {
            let label = unsafe tables[place].pointee
            guard label.nextEdge != VertexLabel.begins else {
                guard label.least < .infinity else { return }
                for end in ends where end.vertex == place {
                    let group = Int(end.paceGroup.rawValue)
                    // The search may add the same pieces up in another order.
                    latest = min(
                        latest, tables.clock.arrival(end.deciseconds, group, at: time) + 1e-6)
                }
                return
            }
            if label.nextEdge != VertexLabel.crosses {
                time = unsafe tables.arrival(
                    tables.pointer(label.nextEdge), at: time, before: latest)
            }
            place = label.nextVertex
        }
    }

    @inline(__always)
    private mutating func better(
        _ vertex: UInt32, _ least: Float, _ edge: UInt32, _ next: UInt32, _ tables: SearchTables
    ) {
        let label = unsafe tables[vertex]
        guard unsafe label.pointee.leastStamp != memory.leastStamp || least < label.pointee.least
        else { return }
        know(vertex, least, edge, next, tables)
        memory.leastHeap.insert(vertex, Double(least))
    }

    @inline(__always)
    private func know(
        _ vertex: UInt32, _ least: Float, _ edge: UInt32, _ next: UInt32, _ tables: SearchTables
    ) {
        let label = unsafe tables[vertex]
        unsafe label.pointee.least = least
        unsafe label.pointee.leastStamp = memory.leastStamp
        unsafe label.pointee.nextEdge = edge
        unsafe label.pointee.nextVertex = next
    }
}
