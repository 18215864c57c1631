// Lends the arrays of a hierarchy, a clock and a search to the search's loops as plain memory.

extension TripSearch {
    /// Runs loops over plain memory; they reach labels through the tables only.
    mutating func withTables(_ body: (inout TripSearch, SearchTables) -> Void) {
        var labels: [VertexLabel] = []
        swap(&labels, &memory.labels)
        let (hierarchy, clock, isLong) = (hierarchy, clock, isLong)
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
        swap(&labels, &memory.labels)
    }
}

extension TripSearch {
    /// When an edge is behind one who enters it at a time.
    mutating func arrival(_ edge: UInt32, at time: Double) -> Double {
        var arrival = Double.infinity
        withTables { _, tables in
            arrival = unsafe tables.arrival(tables.pointer(edge), at: time, before: .infinity)
        }
        return arrival
    }
}

extension RoadHierarchy {
    /// Lends the edges; nothing is done if there are none.
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

    /// Lends the arrivals of the core.
    func withArrivals(_ body: (UnsafePointer<CoreArrival>, UnsafePointer<UInt32>) -> Void) {
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
