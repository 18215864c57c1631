// A hierarchy, a clock and the labels of a search as plain memory: what the loops of TripSearch work on.

/// Pointers that are valid during one call of ``TripSearch``; every index comes from the hierarchy, whose reader has
/// checked it.
@safe struct SearchTables {
    let labels: UnsafeMutablePointer<VertexLabel>
    let firstUp, firstDown: UnsafePointer<UInt32>
    let upward, downward: UnsafePointer<HierarchyEdge>
    let upCount: UInt32
    let firstOfCore: UInt32
    let clock: TripClock.Rows
    let best: SIMD8<Float>

    @inline(__always)
    subscript(vertex: UInt32) -> UnsafeMutablePointer<VertexLabel> {
        unsafe labels + Int(vertex)
    }

    @inline(__always)
    func up(_ vertex: UInt32) -> Range<Int> {
        unsafe Int(firstUp[Int(vertex)])..<Int(firstUp[Int(vertex) + 1])
    }

    @inline(__always)
    func down(_ vertex: UInt32) -> Range<Int> {
        unsafe Int(firstDown[Int(vertex)])..<Int(firstDown[Int(vertex) + 1])
    }

    /// What an edge takes at least, seconds.
    @inline(__always)
    func least(_ edge: UnsafePointer<HierarchyEdge>) -> Float {
        let each = unsafe SIMD8<Float>(truncating: edge.pointee.weights) * best
        let four = each.lowHalf + each.highHalf
        let two = four.lowHalf + four.highHalf
        return two.x + two.y
    }

    /// When an edge is behind one who enters it at a time, if that is before `latest`; or else some time behind it.
    @inline(__always)
    func arrival(
        _ edge: UnsafePointer<HierarchyEdge>, at time: Double, before latest: Double
    )
        -> Double
    {
        let (arrival, isExact) = unsafe clock.arrival(edge.pointee.weights, at: time)
        if isExact || arrival >= latest { return arrival }
        return unsafe slowArrival(edge.pointee, at: time)
    }

    /// Pace changes on the way: each piece goes at its own.
    @inline(never)
    private func slowArrival(_ edge: HierarchyEdge, at time: Double) -> Double {
        guard edge.isSingle else {
            let between = unsafe arrival(pointer(edge.first), at: time, before: .infinity)
            return unsafe arrival(pointer(edge.second), at: between, before: .infinity)
        }
        for lane in 0..<8 where edge.weights[lane] > 0 {
            return clock.arrival(Double(edge.weights[lane]), lane, at: time)
        }
        return time
    }

    @inline(__always)
    func pointer(_ edge: UInt32) -> UnsafePointer<HierarchyEdge> {
        unsafe edge < upCount ? upward + Int(edge) : downward + Int(edge - upCount)
    }
}

extension SIMD8<Float> {
    /// Numbers of 16 bits, without a look at their sign.
    @inline(__always)
    fileprivate init(truncating weights: SIMD8<UInt16>) {
        self = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: weights))
    }
}
