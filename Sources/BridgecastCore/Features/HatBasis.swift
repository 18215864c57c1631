// Piecewise linear soft bins, in which times and lengths enter the network.

/// Piecewise linear soft bins: a value between two knots is shared between their weights.
struct HatBasis: Sendable {
    /// Increasing knots, minutes.
    let knots: [Double]
    /// Weights that a value is shared between.
    var count: Int { knots.count }

    init(_ knots: [Double]) { self.knots = knots }

    /// Adds the weights of a value to the basis's entries, which start at `offset`; a value outside
    /// the knots adds nothing.
    func add(_ value: Double, weight: Float = 1, to values: inout RowWriter, at offset: Int) {
        guard let first = knots.first, let last = knots.last, value >= first, value <= last else {
            return
        }
        var upper = 1
        while upper < knots.count - 1, knots[upper] < value { upper += 1 }
        let share = Float((value - knots[upper - 1]) / (knots[upper] - knots[upper - 1]))
        values.add(weight * (1 - share), at: offset + upper - 1)
        values.add(weight * share, at: offset + upper)
    }

    /// Appends the weights of a value, or zeros if there is none.
    func append(_ value: Double?, weight: Float = 1, to values: inout RowWriter) {
        let offset = appendZeros(to: &values)
        if let value { add(value, weight: weight, to: &values, at: offset) }
    }

    /// Leaves a zero per knot and returns where they start.
    func appendZeros(to values: inout RowWriter) -> Int { values.skip(knots.count) }
}
