// Forecasts and outcomes of a group by day: figures whose intervals draw days again; behind skill and confidence.
private import BridgecastCore

/// Forecasts and outcomes of a group, in order of the forecasts, with the day that each is of.
struct DayRows {
    /// Civil days.
    let days: Int
    let forecasts: [Float]
    let blocked: [Bool]
    /// Which of the days each row is of, 0 ..< ``days``.
    let dayIndices: [Int]

    init(_ rows: ScoredRows, _ group: [Int]) {
        let model = rows.probabilities[.model] ?? []
        let order = group.sorted { (model[$0], $0) < (model[$1], $1) }
        let numbers = Set(group.map { rows.days[$0] }).sorted()
        let places = Dictionary(uniqueKeysWithValues: numbers.enumerated().map { ($1, $0) })
        days = numbers.count
        forecasts = order.map { model[$0] }
        blocked = order.map { rows.blocked[$0] }
        dayIndices = order.map { places[rows.days[$0]] ?? 0 }
    }

    /// Expected calibration error, 0...1; its bins are those of ``EventScores/reliabilityBins(_:_:)`` and stay when
    /// days are drawn again.
    func calibrationError() -> Estimate { binError { _ in 1 } }

    /// The same as a share of the mean forecast, 0 and more: rare and common events become comparable.
    func relativeCalibrationError() -> Estimate { binError { Double(forecasts[$0]) } }

    /// The sum of |told - happened| of ten bins over the sum of the rows' weights.
    private func binError(_ weight: (Int) -> Double) -> Estimate {
        let bins = 10
        var weights = [Double](repeating: 0, count: days)
        // What was said beyond what happened, by bin and day.
        var excess = [[Double]](repeating: weights, count: bins)
        for bin in 0..<bins {
            for row in bin * forecasts.count / bins..<(bin + 1) * forecasts.count / bins {
                excess[bin][dayIndices[row]] += Double(forecasts[row]) - (blocked[row] ? 1 : 0)
                weights[dayIndices[row]] += weight(row)
            }
        }
        return DayBlockBootstrap.estimate(days) { drawn in
            let whole = drawn.reduce(0) { $0 + weights[$1] }
            let error = excess.reduce(0) { sum, bin in
                sum + abs(drawn.reduce(0) { $0 + bin[$1] })
            }
            return whole > 0 ? error / whole : 0
        }
    }

    /// From counts of rightly ordered pairs by day and day, which are made once for all draws.
    func auc() -> Estimate? {
        var raised = [Double](repeating: 0, count: days)
        var lowered = raised
        // [day of the raised][day of the lowered]: pairs in which the raised one got the higher forecast, ties half.
        var pairs = [[Double]](repeating: raised, count: days)
        var start = 0
        while start < forecasts.count {
            let end = forecasts[start...].firstIndex { $0 != forecasts[start] } ?? forecasts.count
            var tied = [Double](repeating: 0, count: days)
            for row in start..<end where !blocked[row] { tied[dayIndices[row]] += 1 }
            for row in start..<end where blocked[row] {
                let day = dayIndices[row]
                raised[day] += 1
                for other in 0..<days { pairs[day][other] += lowered[other] + tied[other] / 2 }
            }
            for day in 0..<days { lowered[day] += tied[day] }
            start = end
        }
        guard raised.contains(where: { $0 > 0 }), lowered.contains(where: { $0 > 0 }) else {
            return nil
        }
        return DayBlockBootstrap.estimate(days) { drawn in
            var times = [Double](repeating: 0, count: days)
            for day in drawn { times[day] += 1 }
            func total(_ counts: [Double]) -> Double {
                zip(times, counts).reduce(0) { $0 + $1.0 * $1.1 }
            }
            let all = total(raised) * total(lowered)
            // Days on which nothing happened say nothing: as good as chance.
            return all > 0 ? total(pairs.map(total)) / all : 0.5
        }
    }
}
