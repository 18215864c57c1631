// The additive teacher: what each input adds to the log-odds of a delay. And the optimiser that it is fitted with.
private import BridgecastCore
private import Foundation

/// Log-odds of a delay as a sum over the network's inputs, added to the prior's.
///
/// Every input has an effect at all bridges and a deviation at each one, both with a ridge penalty: a bridge with
/// few openings borrows from the others. Since openings enter as soft bins of the time since they began, their effects
/// are the kernels of a self- and mutually exciting process (Hawkes, 1971) in discrete time. Trees cut such sums into
/// steps, and this form knows no interactions beyond the bridge: the mean of both is better than either.
package struct AdditiveLogOdds: Sendable {
    struct Settings: Sendable {
        /// Ridge penalty of the squared effects, per row.
        var ridgePerRow = 1.2e-5
        /// Maximal number of L-BFGS iterations.
        var iterations = 60
    }

    private let width: Int
    /// Pooled effect plus the bridge's own deviation, [bridge, input].
    private let effects: [Float]

    /// - Parameter undelayedShare: Share of the rows without a delay that the samples have, above 0 and at most 1.
    init(_ samples: SampleSet, undelayedShare: Double = 1, settings: Settings) {
        width = FeatureSchema.count
        let width = width
        let bridges = BridgeCatalogue.count
        let ridge = settings.ridgePerRow * Double(samples.count)
        let shift = Float(-log(undelayedShare))
        let prior = samples.priorLogOdds.map { $0 + shift }
        let start = [Double](repeating: 0, count: (bridges + 1) * width)
        let best = QuasiNewton.minimise(from: start, iterations: settings.iterations) { point in
            let effects = Self.effects(point, bridges: bridges, width: width)
            var parts = [QuasiNewton.Slope](
                repeating: QuasiNewton.Slope(value: 0, gradient: []), count: Halves.count)
            Halves.forEach(&parts) { part, half in
                part = Self.slope(
                    effects, samples, prior: prior,
                    rows: Halves.part(half, of: samples.count), width: width)
            }
            return Self.sum(parts, at: point, ridge: ridge, width: width)
        }
        effects = Self.effects(best, bridges: bridges, width: width)
    }

    /// Log-odds of a delay, [B].
    func logits(_ samples: SampleSet) -> [Float] {
        var logits = samples.priorLogOdds
        for row in logits.indices {
            logits[row] += Self.effect(
                effects, samples, row: row, from: Int(samples.bridges[row]) * width)
        }
        return logits
    }

    private static func effects(_ point: [Double], bridges: Int, width: Int) -> [Float] {
        var effects: [Float] = []
        effects.reserveCapacity(bridges * width)
        for bridge in 1...bridges {
            for input in 0..<width {
                effects.append(Float(point[input] + point[bridge * width + input]))
            }
        }
        return effects
    }

    /// Loss of some rows, and its derivatives by the effects at each bridge.
    private static func slope(
        _ effects: [Float], _ samples: SampleSet, prior: [Float], rows: Range<Int>, width: Int
    ) -> QuasiNewton.Slope {
        var value = 0.0
        var derivatives = [Double](repeating: 0, count: effects.count)
        let lists = samples.batch.rows
        let starts = lists.starts.span
        let inputs = lists.inputs.span
        let values = lists.values.span
        var gradient = derivatives.mutableSpan
        for row in rows {
            let start = Int(samples.bridges[row]) * width
            let logit = prior[row] + effect(effects, samples, row: row, from: start)
            let happened = samples.bins[row] > 0
            let probability = 1 / (1 + exp(-logit))
            value += Double(log1p(exp(-abs(logit))) + max(happened ? -logit : logit, 0))
            let error = Double(probability - (happened ? 1 : 0))
            for number in 0..<SparseRows.Parts.count {
                let list = lists.parts[row][number]
                guard list != SparseRows.noList else { continue }
                for entry in Int(starts[Int(list)])..<Int(starts[Int(list) + 1]) {
                    gradient[start + Int(inputs[entry])] += error * Double(values[entry])
                }
            }
        }
        return QuasiNewton.Slope(value: value, gradient: derivatives)
    }

    /// Sum of a row's inputs times the effects at its bridge, which begin at `start`.
    private static func effect(
        _ effects: [Float], _ samples: SampleSet, row: Int, from start: Int
    ) -> Float {
        let lists = samples.batch.rows
        let starts = lists.starts.span
        let inputs = lists.inputs.span
        let values = lists.values.span
        let effects = effects.span
        var sum: Float = 0
        for number in 0..<SparseRows.Parts.count {
            let list = lists.parts[row][number]
            guard list != SparseRows.noList else { continue }
            for entry in Int(starts[Int(list)])..<Int(starts[Int(list) + 1]) {
                sum += effects[start + Int(inputs[entry])] * values[entry]
            }
        }
        return sum
    }

    /// Loss and gradient of all rows with the ridge, by pooled effects and deviations.
    private static func sum(
        _ parts: [QuasiNewton.Slope], at point: [Double], ridge: Double, width: Int
    ) -> QuasiNewton.Slope {
        var sum = QuasiNewton.Slope(value: 0, gradient: point.map { ridge * $0 })
        for value in point { sum.value += ridge / 2 * value * value }
        for part in parts {
            sum.value += part.value
            for (index, derivative) in part.gradient.enumerated() {
                sum.gradient[width + index] += derivative
                sum.gradient[index % width] += derivative
            }
        }
        return sum
    }
}

/// Limited-memory BFGS with a backtracking line search.
///
/// Nocedal and Wright, "Numerical Optimization" (2006), algorithms 7.4 and 7.5.
struct QuasiNewton {
    struct Slope {
        var value: Double
        var gradient: [Double]
    }

    private struct Pair {
        let step: [Double]
        let change: [Double]
        let curvature: Double
    }

    /// Pairs of steps that the curvature is estimated from.
    private static let memory = 8
    /// Share of the predicted decrease that a step must reach (Armijo).
    private static let minDecrease = 1e-4
    private static let maxHalvings = 20
    /// An iteration that lowers the value by less than this share of it is the last.
    private static let minProgress = 1e-7

    /// The point reached after at most `iterations` from a start.
    ///
    /// - Complexity: O(iterations) calls of `slope`, rarely more than one each.
    static func minimise(
        from start: [Double], iterations: Int, _ slope: ([Double]) -> Slope
    ) -> [Double] {
        var point = start
        var here = slope(point)
        var pairs: [Pair] = []
        for _ in 0..<iterations {
            let direction = direction(against: here.gradient, pairs)
            let descent = dot(direction, here.gradient)
            guard descent < 0 else { break }
            // The first step has no scale: its length is at most 1.
            let length = pairs.isEmpty ? min(1, 1 / dot(direction, direction).squareRoot()) : 1
            guard
                let reached = lineSearch(
                    from: point, here.value, along: direction, descent: descent, length: length,
                    slope)
            else { break }
            let step = zip(reached.point, point).map { $0 - $1 }
            let change = zip(reached.slope.gradient, here.gradient).map { $0 - $1 }
            let curvature = dot(step, change)
            if curvature > 0 {
                pairs.append(Pair(step: step, change: change, curvature: curvature))
                if pairs.count > memory { pairs.removeFirst() }
            }
            let progress = here.value - reached.slope.value
            point = reached.point
            here = reached.slope
            if progress < minProgress * abs(here.value) { break }
        }
        return point
    }

    /// Halves a step until the value decreases enough; nil if it never does.
    private static func lineSearch(
        from point: [Double], _ value: Double, along direction: [Double], descent: Double,
        length: Double, _ slope: ([Double]) -> Slope
    ) -> (point: [Double], slope: Slope)? {
        var length = length
        for _ in 0..<maxHalvings {
            let next = zip(point, direction).map { $0 + length * $1 }
            let there = slope(next)
            if there.value <= value + minDecrease * length * descent { return (next, there) }
            length /= 2
        }
        return nil
    }

    /// The two-loop recursion.
    private static func direction(against gradient: [Double], _ pairs: [Pair]) -> [Double] {
        var direction = gradient.map { -$0 }
        var shares: [Double] = []
        for pair in pairs.reversed() {
            let share = dot(pair.step, direction) / pair.curvature
            add(-share, pair.change, to: &direction)
            shares.append(share)
        }
        if let last = pairs.last {
            let scale = last.curvature / dot(last.change, last.change)
            for index in direction.indices { direction[index] *= scale }
        }
        for (pair, share) in zip(pairs, shares.reversed()) {
            let correction = share - dot(pair.change, direction) / pair.curvature
            add(correction, pair.step, to: &direction)
        }
        return direction
    }

    private static func dot(_ a: [Double], _ b: [Double]) -> Double {
        var sum = 0.0
        for index in a.indices { sum += a[index] * b[index] }
        return sum
    }

    private static func add(_ factor: Double, _ values: [Double], to sums: inout [Double]) {
        for index in sums.indices { sums[index] += factor * values[index] }
    }
}
