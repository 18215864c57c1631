// Sums of scores that add up over days, bridges and leads, and the figures that follow from them.
private import Foundation

/// Sums over forecasts of one event.
package struct EventSums: Sendable, Equatable {
    /// How often it happened.
    package var happened = 0
    package var logLoss = 0.0
    package var climatologyLogLoss = 0.0
    package var squaredError = 0.0
    package var climatologySquaredError = 0.0
    /// By ``edges``.
    package var bins = [Bin](repeating: Bin(), count: edges.count)

    /// Sums over forecasts of a range of probabilities.
    package struct Bin: Sendable, Equatable {
        package var rows = 0
        /// The sum of the forecast probabilities.
        package var forecast = 0.0
        package var happened = 0
    }

    /// Lower edges of ten ranges of probability; finer where forecasts are many, as an opening is rare.
    package static let edges = [0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8]
    /// Forecasts are bounded by this and 1 less this, as in the evaluation.
    private static let minProbability = 1e-7

    mutating func add(_ forecast: Double, climatology: Double, happened: Bool) {
        if happened { self.happened += 1 }
        logLoss += Self.logLoss(forecast, happened)
        climatologyLogLoss += Self.logLoss(climatology, happened)
        squaredError += Self.squaredError(forecast, happened)
        climatologySquaredError += Self.squaredError(climatology, happened)
        let bin = Self.edges.lastIndex { forecast >= $0 } ?? 0
        bins[bin].rows += 1
        bins[bin].forecast += forecast
        if happened { bins[bin].happened += 1 }
    }

    private static func logLoss(_ forecast: Double, _ happened: Bool) -> Double {
        let bounded = min(max(forecast, minProbability), 1 - minProbability)
        return -log(happened ? bounded : 1 - bounded)
    }

    private static func squaredError(_ forecast: Double, _ happened: Bool) -> Double {
        pow(forecast - (happened ? 1 : 0), 2)
    }

    static func += (lhs: inout EventSums, rhs: EventSums) {
        lhs.happened += rhs.happened
        lhs.logLoss += rhs.logLoss
        lhs.climatologyLogLoss += rhs.climatologyLogLoss
        lhs.squaredError += rhs.squaredError
        lhs.climatologySquaredError += rhs.climatologySquaredError
        for bin in lhs.bins.indices {
            lhs.bins[bin].rows += rhs.bins[bin].rows
            lhs.bins[bin].forecast += rhs.bins[bin].forecast
            lhs.bins[bin].happened += rhs.bins[bin].happened
        }
    }

    // MARK: Figures

    package var rows: Int { bins.reduce(0) { $0 + $1.rows } }
    /// Share of forecasts whose event happened; nil without forecasts, as for all figures.
    package var rate: Double? { mean(Double(happened)) }
    package var meanLogLoss: Double? { mean(logLoss) }
    package var brierScore: Double? { mean(squaredError) }
    /// 1 - log loss / log loss of climatology.
    package var logLossSkill: Double? { Self.skill(logLoss, climatologyLogLoss) }
    package var brierSkill: Double? { Self.skill(squaredError, climatologySquaredError) }
    /// Mean distance of forecast and frequency over the bins.
    package var calibrationError: Double? {
        mean(bins.reduce(0) { $0 + abs($1.forecast - Double($1.happened)) })
    }

    private func mean(_ sum: Double) -> Double? { rows > 0 ? sum / Double(rows) : nil }

    private static func skill(_ loss: Double, _ reference: Double) -> Double? {
        reference > 0 ? 1 - loss / reference : nil
    }
}

/// Sums over forecasts of a group, such as those of a bridge at a lead on a day.
package struct ScoreSums: Sendable, Equatable {
    /// Forecasts whose outcome is not known yet.
    package var pending = 0
    /// Forecasts whose outcome was not seen: they are not scored.
    package var uncovered = 0
    /// The span is up on arrival.
    package var raised = EventSums()
    /// Time is lost on arrival.
    package var stopped = EventSums()
    /// Delays below each of ``levels`` of the forecast given a delay.
    package var delaysBelow = [Int](repeating: 0, count: levels.count)

    /// Probabilities of the scored quantiles of the delay.
    package static let levels = [0.5, 0.8, 0.95]

    package init() {}

    /// Forecasts with a known outcome.
    package var scored: Int { raised.rows }
    /// Arrivals that lost time.
    package var delays: Int { stopped.happened }
    /// Share of delays below each of ``levels``; nil without delays.
    package var delayCoverage: [Double]? {
        delays > 0 ? delaysBelow.map { Double($0) / Double(delays) } : nil
    }

    package mutating func add(_ forecast: ArchivedForecast, _ outcome: ForecastOutcome) {
        switch outcome {
        case .pending: pending += 1
        case .uncovered: uncovered += 1
        case .known(let isRaised, let delaySeconds, let comparedSeconds):
            raised.add(
                forecast.probabilityRaised, climatology: forecast.climatologyRaised,
                happened: isRaised)
            stopped.add(
                forecast.probabilityStopped, climatology: forecast.climatologyStopped,
                happened: delaySeconds > 0)
            guard delaySeconds > 0 else { return }
            let reached = forecast.cumulativeIfStopped(atSeconds: comparedSeconds)
            for (index, level) in Self.levels.enumerated() where reached <= level {
                delaysBelow[index] += 1
            }
        }
    }

    package static func += (lhs: inout ScoreSums, rhs: ScoreSums) {
        lhs.pending += rhs.pending
        lhs.uncovered += rhs.uncovered
        lhs.raised += rhs.raised
        lhs.stopped += rhs.stopped
        for index in lhs.delaysBelow.indices { lhs.delaysBelow[index] += rhs.delaysBelow[index] }
    }
}

// MARK: - Packed

extension EventSums {
    fileprivate static let numberCount = 5 + 3 * edges.count

    fileprivate var numbers: [Double] {
        [
            Double(happened), logLoss, climatologyLogLoss, squaredError, climatologySquaredError,
        ] + bins.flatMap { [Double($0.rows), $0.forecast, Double($0.happened)] }
    }

    fileprivate init(_ numbers: ArraySlice<Double>) {
        let numbers = Array(numbers)
        happened = Int(numbers[0])
        logLoss = numbers[1]
        climatologyLogLoss = numbers[2]
        squaredError = numbers[3]
        climatologySquaredError = numbers[4]
        bins = Self.edges.indices.map { bin in
            Bin(
                rows: Int(numbers[5 + 3 * bin]), forecast: numbers[6 + 3 * bin],
                happened: Int(numbers[7 + 3 * bin]))
        }
    }
}

extension ScoreSums {
    package static let numberCount = 2 + 2 * EventSums.numberCount + levels.count

    /// All sums, in a fixed order.
    package var numbers: [Double] {
        [Double(pending), Double(uncovered)] + raised.numbers + stopped.numbers
            + delaysBelow.map(Double.init)
    }

    /// Reads ``numbers``; nil for anything else.
    package init?(_ numbers: [Double]) {
        guard numbers.count == Self.numberCount,
            numbers.allSatisfy({ $0 >= 0 && $0 < 1e15 })
        else { return nil }
        let event = EventSums.numberCount
        pending = Int(numbers[0])
        uncovered = Int(numbers[1])
        raised = EventSums(numbers[2..<2 + event])
        stopped = EventSums(numbers[(2 + event)..<(2 + 2 * event)])
        delaysBelow = numbers.suffix(Self.levels.count).map { Int($0) }
    }
}
