// The delay at every bridge for every moment of arrival, on the grid that route scoring sums over.
internal import BridgecastCore
internal import CBridgecastKernels

/// Delay tables of a route set for one forecast and departure; memory is kept from one to the next.
struct DelayTables: Sendable {
    private(set) var cells = 0
    private var values: [Float] = []
    private var stride = 0
    private var leadCells: [Float] = []
    private var rows: [Float] = []

    /// Fills the tables that a set needs; O(tables x (leads + cells)).
    mutating func fill(
        _ set: RouteSet, from forecasts: ForecastTable, startMinutes: Double,
        _ kernels: RouteKernels
    ) {
        let perCell = RouteSet.cellSeconds / 60
        cells = set.arrivalCells
        // Rows begin at multiples of 64 bytes.
        stride = (cells + Int(BCK_ROUTE_MARGIN) + 15) & ~15
        let count = Self.floats(set.tables.count, stride: stride)
        if values.count < count { values = Array(repeating: 0, count: count) }
        // From the last lead at or before the departure to the first at or after the last arrival.
        let leads = forecasts.leadsMinutes
        let end = startMinutes + Double(cells) * perCell
        let first = max(0, leads.partitioningIndex { $0 > startMinutes } - 1)
        let last = min(leads.count - 1, leads.partitioningIndex { $0 >= end })
        leadCells.removeAll(keepingCapacity: true)
        for lead in first...max(first, last) {
            leadCells.append(Float((leads[lead] - startMinutes) / perCell))
        }
        for (number, key) in set.tables.enumerated() {
            rows.removeAll(keepingCapacity: true)
            for lead in first...max(first, last) {
                DelayAtoms.append(
                    forecasts.delay(at: key.bridge, leadIndex: lead, queues: key.queues),
                    to: &rows)
            }
            let stride = stride
            let cells = cells
            unsafe values.withUnsafeMutableBufferPointer { values in
                guard let base = values.baseAddress else { return }
                let aligned = unsafe UnsafeMutableBufferPointer(
                    rebasing: values[UnsafePointer(base).floatsToLine...])
                unsafe kernels.fill(
                    table: number, of: aligned, stride: stride, cells: cells, leadCells, rows)
            }
        }
    }

    /// Whether so many tables are filled.
    func covers(_ tables: Int) -> Bool {
        values.count >= Self.floats(tables, stride: stride)
    }

    /// Hands over the tables as the kernels take them.
    func withDelays(_ body: (bck_route_delays) -> Void) {
        unsafe values.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return }
            unsafe body(
                bck_route_delays(tables: base + base.floatsToLine, stride: stride, cells: cells))
        }
    }

    private static func floats(_ tables: Int, stride: Int) -> Int {
        (tables * Int(BCK_DELAY_ROWS) + 1) * stride + 2 * Int(BCK_ROUTE_MARGIN) + 16
    }
}
