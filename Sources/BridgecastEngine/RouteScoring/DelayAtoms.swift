// Delay bins as weights of cells; used by DelayTables.
internal import BridgecastCore
internal import CBridgecastKernels

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

    /// Where atoms lie, in minutes, as in CBridgecastKernels/routes.h.
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
