// Uncertainty of a mean over origins: how it varies if the days of each had been others. Used by OriginEstimate, and
// with one origin by DayBlockBootstrap.

/// Resampling of whole days within each origin, the same days for every recipe.
enum OriginBootstrap {
    private static let resamples = 1_000
    private static let seed: UInt64 = 20_260_215

    /// A figure of all days with its 95 % interval: that of days drawn again and again, with repetitions.
    ///
    /// - Parameters:
    ///   - days: How many days each origin has.
    ///   - figure: The figure of some days of each origin, by their indices.
    static func estimate(days: [Int], _ figure: ([[Int]]) -> Double) -> Estimate {
        var random = SeededRandom(seed: seed)
        let figures = (0..<resamples).map { _ in
            figure(
                days.map { count in
                    (0..<count).map { _ in Int.random(in: 0..<count, using: &random) }
                })
        }.sorted()
        return Estimate(
            value: figure(days.map { Array(0..<$0) }), low: figures[resamples / 40],
            high: figures[resamples - 1 - resamples / 40])
    }
}
