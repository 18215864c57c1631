// The kernel that gives the whole travel time of a route; behind ForecastTable's travelTimes.
internal import CBridgecastKernels

extension RouteKernels {
    /// The travel time of every route of a set; see `f32_route_cells`.
    func travelTimes(
        of set: RouteSet, _ tables: DelayTables, memory: inout RouteMemory
    ) -> [TravelTimeDistribution] {
        precondition(tables.cells >= set.arrivalCells && tables.covers(set.tables.count))
        memory.fit(set, threads: 1)
        let (stretches, width) = (memory.stretches, memory.width)
        var times: [TravelTimeDistribution] = []
        times.reserveCapacity(set.count)
        unsafe memory.withShares { shares in
            var own = unsafe bck_route_memory_at(shares, stretches, width)
            unsafe tables.withDelays { delays in
                var delays = unsafe delays
                unsafe set.withPointers { starts, steps in
                    for route in 0..<set.count {
                        let first = unsafe Int(starts[route])
                        let count = unsafe Int(starts[route + 1]) - first
                        var cells = unsafe bck_route_cells()
                        withKernels { kernels in
                            unsafe kernels.f32_route_cells(
                                count, steps + first, &delays, &own, &cells)
                        }
                        let only = unsafe count == 0 ? bck_route_step() : steps[first]
                        unsafe times.append(TravelTimeDistribution(cells, only))
                    }
                }
            }
        }
        return times
    }
}

extension TravelTimeDistribution {
    /// From what the kernel says; a route of one short stretch or of none has no cells.
    fileprivate init(_ cells: bck_route_cells, _ only: bck_route_step) {
        let minutes = RouteSet.cellSeconds / 60
        guard unsafe cells.count > 0 else {
            self.init(
                meanMinutes: Double(only.mean) * minutes,
                spreadMinutes: Double(only.spread) * minutes)
            return
        }
        let density = unsafe UnsafeBufferPointer(start: cells.density, count: Int(cells.count))
        unsafe self.init(
            startMinutes: Double(cells.first) * minutes, secondsPerCell: RouteSet.cellSeconds,
            probabilities: density.map(Double.init))
    }
}
