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
    func score(
        _ set: RouteSet, _ tables: DelayTables, deadlineCells: Float,
        into figures: inout [bck_route_figures], crossings: inout [bck_crossing_figures]?,
        scratch: inout [Float]
    ) {
        let floats = bck_route_scratch_floats(set.widthCells)
        if scratch.count < floats { scratch = Array(repeating: 0, count: floats) }
        precondition(figures.count == set.count)
        precondition(
            tables.cells >= set.arrivalCells
                && tables.values.count >= set.tables.count * Int(BCK_DELAY_ROWS) * tables.stride)
        if crossings != nil {
            let count = set.steps.count { $0.table >= 0 }
            crossings = Array(repeating: bck_crossing_figures(), count: count)
        }
        withKernels { kernels in
            unsafe tables.values.withUnsafeBufferPointer { values in
                var delays = unsafe bck_route_delays(
                    tables: values.baseAddress, stride: tables.stride, cells: tables.cells)
                if var some = crossings.take() {
                    unsafe kernels.f32_routes(
                        set.count, set.starts, set.steps, &delays, deadlineCells, set.widthCells,
                        &figures, &some, &scratch)
                    crossings = some
                } else {
                    unsafe kernels.f32_routes(
                        set.count, set.starts, set.steps, &delays, deadlineCells, set.widthCells,
                        &figures, nil, &scratch)
                }
            }
        }
    }

    private func withKernels(_ body: (bck_kernels) -> Void) {
        guard let kernels = unsafe bck_kernels_of(instructionSet.code) else {
            preconditionFailure("\(instructionSet) was available when this was made")
        }
        unsafe body(kernels.pointee)
    }
}
