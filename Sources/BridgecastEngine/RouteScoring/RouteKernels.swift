// The safe face of the route kernels: sizes are checked here, pointers go no further.
internal import CBridgecastKernels

/// The kernels of one instruction set.
struct RouteKernels: Sendable {
    private let instructionSet: InstructionSet

    init(_ instructionSet: InstructionSet) {
        precondition(InstructionSet.available.contains(instructionSet))
        self.instructionSet = instructionSet
    }

    /// Fills one delay table; see `f32_delay_table`.
    func fill(
        table: Int, of values: UnsafeMutableBufferPointer<Float>, stride: Int, cells: Int,
        _ leads: [Float], _ rows: [Float]
    ) {
        precondition(rows.count == leads.count * Int(BCK_DELAY_ROWS) && !leads.isEmpty)
        precondition(
            values.count >= ((table + 1) * Int(BCK_DELAY_ROWS)) * stride + 2 * Int(BCK_ROUTE_MARGIN)
                && stride >= cells + Int(BCK_ROUTE_MARGIN))
        withKernels { kernels in
            var delays = unsafe bck_route_delays(
                tables: values.baseAddress, stride: stride, cells: cells)
            unsafe kernels.f32_delay_table(leads.count, leads, rows, &delays, table)
        }
    }

    /// Scores routes; see `f32_routes`.
    ///
    /// - Parameter helpers: Share the routes of a large set, unless crossings are wanted.
    func score(
        _ set: RouteSet, _ tables: DelayTables, deadlineCells: Float,
        into figures: inout [bck_route_figures], crossings: inout [bck_crossing_figures]?,
        memory: inout RouteMemory, helpers: HelperThreads?
    ) {
        precondition(figures.count == set.count)
        precondition(tables.cells >= set.arrivalCells && tables.covers(set.tables.count))
        if crossings != nil {
            let count = set.steps.count { $0.table >= 0 }
            crossings = Array(repeating: bck_crossing_figures(), count: count)
        }
        let helpers = crossings == nil && set.count >= Self.leastRoutesToDivide ? helpers : nil
        memory.fit(set, threads: 1 + (helpers?.count ?? 0))
        let (share, stretches, width) = (memory.share, memory.stretches, memory.width)
        unsafe memory.withShares { shares in
            unsafe tables.withDelays { delays in
                if var some = crossings.take() {
                    var delays = unsafe delays
                    var own = unsafe bck_route_memory_at(shares, stretches, width)
                    withKernels { kernels in
                        unsafe kernels.f32_routes(
                            set.count, set.starts, set.steps, &delays, deadlineCells, &own,
                            &figures, &some)
                    }
                    crossings = some
                    return
                }
                unsafe set.withPointers { starts, steps in
                    unsafe figures.withUnsafeMutableBufferPointer { figures in
                        guard let first = figures.baseAddress else { return }
                        let job = unsafe RouteJob(
                            set.count, on: instructionSet, starts: starts, steps: steps,
                            delays: delays, deadlineCells: deadlineCells, figures: first,
                            shares: shares, share: share, stretches: stretches, width: width)
                        guard let helpers else { return job.run(0..<job.count, thread: 0) }
                        helpers.run(.routes(job))
                    }
                }
            }
        }
    }

    /// Sets below this are scored by the calling thread alone.
    static let leastRoutesToDivide = 512

    func withKernels(_ body: (bck_kernels) -> Void) {
        guard let kernels = unsafe bck_kernels_of(instructionSet.code) else {
            preconditionFailure("\(instructionSet) was available when this was made")
        }
        unsafe body(kernels.pointee)
    }
}
