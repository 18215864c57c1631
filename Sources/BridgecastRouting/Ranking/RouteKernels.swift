// The safe face of the route kernels: sizes are checked here, pointers go no further.
internal import BridgecastEngine
internal import CBridgecastKernels

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
    /// - Parameters:
    ///   - crossings: Receives the figures of all crossings, unless it is nil.
    ///   - threads: Share the routes of a large set, unless crossings are wanted.
    func score(
        _ set: RouteSet, _ tables: DelayTables, deadlineCells: Float,
        into figures: inout [bck_route_figures], crossings: inout [bck_crossing_figures]?,
        memory: inout RouteMemory, threads: Int
    ) {
        precondition(figures.count == set.count)
        precondition(tables.cells >= set.arrivalCells && tables.covers(set.tables.count))
        let wantsCrossings = crossings.take() != nil
        let crossingCount = wantsCrossings ? set.steps.count { $0.table >= 0 } : 0
        var found = Array(repeating: bck_crossing_figures(), count: crossingCount)
        let threads = wantsCrossings || set.count < Self.minRoutesToDivide ? 1 : threads
        unsafe withPointers(set, tables, &memory, threads: threads) { pointers in
            unsafe figures.withUnsafeMutableBufferPointer { figures in
                unsafe found.withUnsafeMutableBufferPointer { found in
                    guard let figures = figures.baseAddress else { return }
                    let crossings = unsafe wantsCrossings ? found.baseAddress : nil
                    Parallel.run(set.count, threads: threads, step: Self.routeStep) {
                        range, thread in
                        let first = range.lowerBound
                        unsafe pointers.withMemory(ofThread: thread) { delays, memory in
                            withKernels { kernels in
                                unsafe kernels.f32_routes(
                                    range.count, pointers.starts + first, pointers.steps, delays,
                                    deadlineCells, memory, figures + first, crossings)
                            }
                        }
                    }
                }
            }
        }
        if wantsCrossings { crossings = found }
    }

    /// The travel time of every route of a set; see `f32_route_cells`.
    func travelTimes(
        of set: RouteSet, _ tables: DelayTables, memory: inout RouteMemory
    ) -> [TravelTimeDistribution] {
        precondition(tables.cells >= set.arrivalCells && tables.covers(set.tables.count))
        var times: [TravelTimeDistribution] = []
        times.reserveCapacity(set.count)
        unsafe withPointers(set, tables, &memory, threads: 1) { pointers in
            unsafe pointers.withMemory(ofThread: 0) { delays, memory in
                for route in 0..<set.count {
                    let first = unsafe Int(pointers.starts[route])
                    let count = unsafe Int(pointers.starts[route + 1]) - first
                    var cells = unsafe bck_route_cells()
                    withKernels { kernels in
                        unsafe kernels.f32_route_cells(
                            count, pointers.steps + first, delays, memory, &cells)
                    }
                    let only = unsafe count == 0 ? bck_route_step() : pointers.steps[first]
                    unsafe times.append(TravelTimeDistribution(cells, only: only))
                }
            }
        }
        return times
    }

    /// Sets below this are scored by the calling thread alone.
    static let minRoutesToDivide = 512
    /// Routes of a thread's range, but for the last one.
    private static let routeStep = 32

    private func withPointers(
        _ set: RouteSet, _ tables: DelayTables, _ memory: inout RouteMemory, threads: Int,
        body: (RoutePointers) -> Void
    ) {
        memory.fit(set, threads: threads)
        let share = memory.share
        let stretches = memory.stretches
        let width = memory.width
        unsafe memory.withShares { shares in
            unsafe tables.withDelays { delays in
                unsafe set.withPointers { starts, steps in
                    unsafe body(
                        RoutePointers(
                            starts: starts, steps: steps, delays: delays, shares: shares,
                            share: share, stretches: stretches, width: width))
                }
            }
        }
    }

    func withKernels(_ body: (bck_kernels) -> Void) {
        guard let kernels = unsafe bck_kernels_of(instructionSet.code) else {
            preconditionFailure("\(instructionSet) was available when this was made")
        }
        unsafe body(kernels.pointee)
    }
}

// MARK: - Memory

/// Memory of the route kernels: scratch, and the stretches of travel that were sampled before.
struct RouteMemory: Sendable {
    /// Floats of a thread's share.
    var share: Int { bck_route_memory_floats(stretches, width) }
    /// Stretches that are kept.
    private(set) var stretches = 2
    /// Cells that there is room for.
    private(set) var width = 0

    private var floats: [Float] = []
    private var start = 0
    /// For how many stretches and what width the shares were laid out.
    private var laid = (0, 0)

    /// More are not worth the cache they take.
    private static let maxStretches = 2_048

    /// Makes room for the routes of a set; what is remembered is lost if it has to grow.
    mutating func fit(_ set: RouteSet, threads: Int) {
        let wanted = min(Self.maxStretches, max(2, set.steps.count)) - 1
        stretches = max(stretches, 1 << (Int.bitWidth - wanted.leadingZeroBitCount))
        width = max(width, set.widthCells)
        let count = share * threads + 16
        guard count > floats.count || laid != (stretches, width) else { return }
        floats = Array(repeating: 0, count: count)
        start = unsafe floats.withUnsafeBufferPointer { $0.baseAddress?.floatsToLine ?? 0 }
        laid = (stretches, width)
    }

    /// The shares of all threads at a multiple of 64 bytes; in copies at the same floats as before.
    mutating func withShares(_ body: (UnsafeMutablePointer<Float>) -> Void) {
        unsafe floats.withUnsafeMutableBufferPointer { [start] floats in
            guard let base = floats.baseAddress else { return }
            unsafe body(base + start)
        }
    }
}

extension UnsafePointer<Float> {
    /// Floats to the next multiple of 64 bytes.
    var floatsToLine: Int { unsafe bytesToLine(self) / MemoryLayout<Float>.stride }
}

/// What the kernels read and write for a set; nothing moves while it is handed out.
@unsafe private struct RoutePointers {
    let starts: UnsafePointer<UInt32>
    let steps: UnsafePointer<bck_route_step>
    let delays: bck_route_delays
    /// Memory of all threads, `share` floats each, laid out for `stretches` and `width`.
    let shares: UnsafeMutablePointer<Float>
    let share, stretches, width: Int

    /// Hands over the delays, and a thread's own memory.
    @inline(__always)
    func withMemory(
        ofThread thread: Int,
        _ body: (UnsafePointer<bck_route_delays>, UnsafeMutablePointer<bck_route_memory>) -> Void
    ) {
        var delays = unsafe delays
        var memory = unsafe bck_route_memory_at(shares + thread * share, stretches, width)
        unsafe body(&delays, &memory)
    }
}
