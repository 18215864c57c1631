// The delay at every bridge for every moment of arrival, on the grid that route scoring sums over.
internal import BridgecastCore
internal import CBridgecastKernels

/// Delay tables of a route set for one forecast and departure; memory is kept from one to the next.
struct DelayTables: Sendable {
    private(set) var values: [Float] = []
    private(set) var stride = 0
    private(set) var cells = 0
    private var leadCells: [Float] = []
    private var rows: [Float] = []

    /// Fills the tables that a set needs; O(tables x (leads + cells)).
    mutating func fill(
        _ set: RouteSet, from forecasts: ForecastTable, startMinutes: Double,
        _ kernels: RouteKernels
    ) {
        let perCell = RouteSet.cellSeconds / 60
        cells = set.arrivalCells
        stride = cells + Int(BCK_ROUTE_MARGIN)
        let count =
            (set.tables.count * Int(BCK_DELAY_ROWS) + 1) * stride + 2 * Int(BCK_ROUTE_MARGIN)
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
                unsafe kernels.fill(
                    table: number, of: values, stride: stride, cells: cells, leadCells, rows)
            }
        }
    }
}
