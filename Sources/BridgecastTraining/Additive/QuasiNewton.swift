// Minimises a smooth convex function of many numbers; AdditiveLogOdds is fitted by it.

/// Limited-memory BFGS with a backtracking line search.
///
/// Nocedal and Wright, "Numerical Optimization" (2006), algorithms 7.4 and 7.5.
struct QuasiNewton {
    /// Value and gradient at a point.
    struct Slope {
        var value: Double
        var gradient: [Double]
    }

    private struct Pair {
        let step: [Double]
        let change: [Double]
        let curvature: Double
    }

    /// Pairs of steps that the curvature is known from.
    private static let memory = 8
    /// Share of the promised decrease that a step must keep.
    private static let leastDecrease = 1e-4
    private static let mostHalvings = 20
    /// The search ends when an iteration lowers the value by less than this share of it.
    private static let leastProgress = 1e-7

    /// The point reached after at most so many iterations from a start.
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
            // The first step knows no scale: it is one of length 1 at most.
            var length = pairs.isEmpty ? min(1, 1 / dot(direction, direction).squareRoot()) : 1
            var reached: (point: [Double], slope: Slope)?
            for _ in 0..<mostHalvings {
                let next = zip(point, direction).map { $0 + length * $1 }
                let there = slope(next)
                if there.value <= here.value + leastDecrease * length * descent {
                    reached = (next, there)
                    break
                }
                length /= 2
            }
            guard let reached else { break }
            let step = zip(reached.point, point).map { $0 - $1 }
            let change = zip(reached.slope.gradient, here.gradient).map { $0 - $1 }
            let curvature = dot(step, change)
            if curvature > 0 {
                pairs.append(Pair(step: step, change: change, curvature: curvature))
                if pairs.count > memory { pairs.removeFirst() }
            }
            let progress = here.value - reached.slope.value
            (point, here) = reached
            if progress < leastProgress * abs(here.value) { break }
        }
        return point
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
