// The stretch of a list that speaks most for a fault; used by the tests that look for runs.

/// The run of neighbouring items with the largest sum of scores.
struct BestRun {
    /// The items of the run.
    let range: Range<Int>
    /// The sum of their scores, above 0.
    let score: Double

    /// Finds the run in one pass (Kadane's); nil if no score is above 0.
    init?(_ scores: [Double]) {
        var best: (range: Range<Int>, score: Double)?
        var (start, sum) = (0, 0.0)
        for (index, score) in scores.enumerated() {
            if sum <= 0 { (start, sum) = (index, 0) }
            sum += score
            if sum > best?.score ?? 0 { best = (start..<index + 1, sum) }
        }
        guard let best else { return nil }
        (range, score) = best
    }

    /// The strongest runs with more than a given score, at most ten, none of which touch the same items.
    static func all(_ scores: [Double], above threshold: Double) -> [BestRun] {
        var (scores, runs) = (scores, [BestRun]())
        while runs.count < 10, let run = BestRun(scores), run.score > threshold {
            for index in run.range { scores[index] = -.infinity }
            runs.append(run)
        }
        return runs
    }
}
