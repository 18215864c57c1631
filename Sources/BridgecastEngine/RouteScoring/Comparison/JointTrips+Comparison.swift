// Which of two routes is there first, counted over the cases that both were travelled in.

extension JointTrips {
    /// Compares every two of the routes: the first with all later ones, then the second, and so on.
    ///
    /// - Parameter isSame: Whether two routes are one.
    func comparisons(
        ids: [String], isSame: (Int, Int) -> Bool
    ) -> [RouteComparison] {
        let distributions = lastStretches.map(\.distribution)
        return ids.indices.flatMap { route in
            (route + 1..<ids.count).map { other in
                guard !isSame(route, other) else {
                    return RouteComparison(ids[route], ids[other], faster: 0, tie: 1)
                }
                let (faster, notSlower) = chances(route, other, distributions)
                return RouteComparison(
                    ids[route], ids[other], faster: faster, tie: max(0, notSlower - faster))
            }
        }
    }

    /// The chances that a route is there more than a tie before another, and less than a tie after it.
    ///
    /// The last stretch of one of the two, the one that spreads more, is integrated in every case.
    private func chances(
        _ route: Int, _ other: Int, _ distributions: [StretchTime.Distribution]
    ) -> (faster: Double, notSlower: Double) {
        let tie = Float(RouteComparison.tieSeconds / 60)
        guard lastStretches[route].spread >= lastStretches[other].spread else {
            let reversed = chances(other, route, distributions)
            return (1 - reversed.notSlower, 1 - reversed.faster)
        }
        let distribution = distributions[route]
        let (start, otherStart) = (route * LatticePoints.count, other * LatticePoints.count)
        var (faster, notSlower) = (Float(0), Float(0))
        for point in 0..<LatticePoints.count {
            let left = total[otherStart + point] - before[start + point]
            faster += distribution.cumulative(left - tie)
            notSlower += distribution.cumulative(left + tie)
        }
        let count = Double(LatticePoints.count)
        return (Double(faster) / count, Double(notSlower) / count)
    }
}
