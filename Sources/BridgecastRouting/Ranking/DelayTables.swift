// The delay at every bridge for every time of arrival, on the grid that route scoring sums over.
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
                    forecasts.delay(at: key.bridge, leadIndex: lead, queues: key.queues), to: &rows)
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

    /// Whether at least `tables` tables are filled.
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

// MARK: - Atoms

/// Delay bins as weights of cells: rules of integration over each bin, in which delays are uniform.
///
/// A sum with these weights is exact for every cubic function of the delay, so that distributions wider
/// than a cell lose nothing. Some weights are negative.
enum DelayAtoms {
    /// Appends the rows of a delay table for one lead: P(no delay), expected cells, then the atoms.
    static func append(_ delay: DelayDistribution, to rows: inout [Float]) {
        let probabilities = delay.floats
        let start = rows.count + 2
        rows.append(probabilities[0])
        rows.append(Float(delay.expectedSeconds / RouteSet.cellSeconds))
        rows.append(contentsOf: repeatElement(0, count: Int(BCK_DELAY_ATOMS)))
        unsafe rows.withUnsafeMutableBufferPointer { row in
            unsafe row[start] = probabilities[0]
            for share in shares {
                unsafe row[start + share.atom] += probabilities[share.bin] * share.weight
            }
        }
    }

    struct Share {
        let bin: Int
        let atom: Int
        let weight: Float
    }

    /// Where atoms are, in minutes, as in CBridgecastKernels/templates/route_delays.h.
    static let minutes = Array(0...10) + [12, 13, 15, 20, 25, 30, 45, 60]

    /// The rule of each delay bin from 1 on: nodes in minutes, and their weights.
    private static let rules: [(nodes: [Int], weights: [Double])] =
        // The first minute from its own ends and the next two, the other minutes from their own and one to
        // each side (Adams and Moulton).
        [(Array(0...3), [9, 19, -5, 1].map { $0 / 24 })]
        + (2...6).map { (Array($0 - 2...$0 + 1), [-1, 13, 13, -1].map { $0 / 24 }) }
        // Simpson's rules, by thirds and by three eighths; and one of four nodes for five minutes.
        + [
            ([6, 7, 8], [1, 4, 1].map { $0 / 6 }), ([8, 9, 10], [1, 4, 1].map { $0 / 6 }),
            ([10, 12, 13, 15], [11, 25, 25, 11].map { $0 / 72 }),
            ([15, 20, 25, 30], [1, 3, 3, 1].map { $0 / 8 }),
            ([30, 45, 60], [1, 4, 1].map { $0 / 6 }),
        ]

    static let shares: [Share] = rules.enumerated().flatMap { index, rule in
        zip(rule.nodes, rule.weights).map { node, weight in
            guard let atom = minutes.firstIndex(of: node) else {
                preconditionFailure("rules use nodes that there are")
            }
            return Share(bin: index + 1, atom: atom, weight: Float(weight))
        }
    }
}
