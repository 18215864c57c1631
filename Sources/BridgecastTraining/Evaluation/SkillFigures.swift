// The four figures of a group of rows with their intervals, as `/skill` and models/bridgecast.skill.json have them.
private import BridgecastCore

/// How good the model's P(blocked) is on a group of rows, every figure with its day-block interval.
package struct SkillFigures: Sendable, Equatable {
    /// Rows.
    package let rows: Int
    /// Share of rows that were blocked.
    package let blockedRate: Double
    /// 1 - log loss / log loss of climatology.
    package let logLossSkill: Estimate
    /// 1 - Brier score / Brier score of climatology.
    package let brierSkill: Estimate
    /// Expected calibration error over ten bins of equally many rows; the bins stay when days are drawn again.
    package let calibrationError: Estimate
    /// Area under the ROC curve; nil if the event always or never happened.
    package let auc: Estimate?

    /// Scores a group.
    ///
    /// - Parameter group: Indices of rows, at least one.
    init(_ rows: ScoredRows, _ group: [Int], _ scores: GroupScores) {
        self.rows = scores.rows
        blockedRate = scores.blockedRate
        (logLossSkill, brierSkill) = (scores.modelSkill, scores.brierSkill)
        let byDay = DayRows(rows, group)
        calibrationError = byDay.calibrationError()
        auc = byDay.auc()
    }
}

/// Forecasts and outcomes of a group, in order of the forecasts, with the day that each is of.
private struct DayRows {
    let days: Int
    private let forecasts: [Float]
    private let blocked: [Bool]
    private let dayIndices: [Int]

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

    /// Bins are those of ``EventScores/reliabilityBins(_:_:)``.
    func calibrationError() -> Estimate {
        let bins = 10
        var counts = [Double](repeating: 0, count: days)
        // What was said beyond what happened, by bin and day.
        var excess = [[Double]](repeating: counts, count: bins)
        for bin in 0..<bins {
            for row in bin * forecasts.count / bins..<(bin + 1) * forecasts.count / bins {
                excess[bin][dayIndices[row]] += Double(forecasts[row]) - (blocked[row] ? 1 : 0)
                counts[dayIndices[row]] += 1
            }
        }
        return DayBlockBootstrap.estimate(days) { drawn in
            let whole = drawn.reduce(0) { $0 + counts[$1] }
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
