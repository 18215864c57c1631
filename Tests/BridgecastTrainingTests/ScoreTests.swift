// Scores against their definitions written out, and against examples worked by hand.
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore
@testable import BridgecastTraining

@Suite struct ScoreTests {
    private let forecasts: [Float]
    private let outcomes: [Bool]

    init() {
        var random = SeededGenerator(seed: 1)
        let forecasts = (0..<1_000).map { _ in Float.random(in: 0.01...0.99, using: &random) }
        outcomes = forecasts.map { Float.random(in: 0..<1, using: &random) < $0 * $0 }
        self.forecasts = forecasts
    }

    @Test func workedExample() {
        let scores = EventScores([0.1, 0.8, 0.5, 0.5], [false, true, true, false])
        let expected = -(log(0.9) + log(0.8) + log(0.5) + log(0.5)) / 4
        #expect(abs(scores.logLoss - expected) < 1e-7)
        #expect(abs(scores.brier - (0.01 + 0.04 + 0.25 + 0.25) / 4) < 1e-7)
        #expect(scores.auc == 0.875)  // of the four pairs three are right, one is a draw
        #expect(scores.uncertainty == 0.25)
    }

    @Test func aucIsTheShareOfPairsInTheRightOrder() throws {
        let coarse = forecasts.map { ($0 * 20).rounded() / 20 }
        var right = 0.0
        var pairs = 0.0
        for (i, a) in outcomes.enumerated() where a {
            for (j, b) in outcomes.enumerated() where !b {
                pairs += 1
                right += coarse[i] > coarse[j] ? 1 : coarse[i] == coarse[j] ? 0.5 : 0
            }
        }
        #expect(abs(try #require(EventScores.auc(coarse, outcomes)) - right / pairs) < 1e-9)
        #expect(EventScores.auc([0.2, 0.3], [true, true]) == nil)
    }

    @Test func theBrierScoreIsReliabilityLessResolutionPlusUncertainty() {
        // Ten distinct forecasts, one per bin: then the decomposition is exact.
        let forecasts = (0..<10).flatMap { Array(repeating: Float($0) / 10 + 0.05, count: 50) }
        var random = SeededGenerator(seed: 2)
        let outcomes = forecasts.map { Float.random(in: 0..<1, using: &random) < $0 }
        let scores = EventScores(forecasts, outcomes)
        let parts = scores.reliability - scores.resolution + scores.uncertainty
        #expect(abs(scores.brier - parts) < 1e-6)
    }

    @Test func calibrationErrorIsZeroForTheTruthAndTheBiasForABias() {
        let outcomes = (0..<1_000).map { $0 % 4 == 0 }
        let truth = EventScores(Array(repeating: 0.25, count: 1_000), outcomes)
        #expect(truth.calibrationError < 0.003)
        let biased = EventScores(Array(repeating: 0.35, count: 1_000), outcomes)
        #expect(abs(biased.calibrationError - 0.1) < 0.003)
    }

    @Test func aCertainErrorCostsMuchButNotEverything() {
        #expect(EventScores([0], [true]).logLoss.isFinite)
        #expect(EventScores([0], [true]).logLoss > 15)
    }

    @Test func rankedProbabilityScoreByItsDefinition() {
        let forecast = DelayDistribution([0.5, 0.2, 0.2, 0.1, 0, 0, 0, 0, 0, 0, 0, 0])
        // Happened: bin 2 (90 s). Cumulated: .5 .7 .9 1 ...; step: 0 0 1 1 ...
        let expected = 0.25 + 0.49 + 0.01
        let found = DelayScores.rankedProbabilityScore(forecast, 90)
        #expect(abs(found - expected) < 1e-6)
        #expect(DelayScores.rankedProbabilityScore(.none, 0) == 0)
    }

    @Test func pinballLossIsMinimalAtTheTrueQuantile() throws {
        // Delays uniform over the second bin, forecast so and forecast one bin too late.
        let delays = (0..<600).map { 60 + Float($0) / 10 + 0.05 }
        func scores(_ bin: Int) -> DelayScores {
            let forecast = DelayDistribution((0..<12).map { $0 == bin ? 1 : 0 })
            return DelayScores(delays.map { DelayRowScore(forecast, delaySeconds: Double($0)) })
        }
        let right = scores(2)
        let wrong = scores(3)
        for level in ["0.5", "0.8", "0.95"] {
            let good = try #require(right.pinballSeconds[level])
            #expect(good < (try #require(wrong.pinballSeconds[level])))
        }
        // For a uniform variable of width w the minimal pinball loss is w q (1 - q) / 2.
        let minimum = 60.0 * 0.8 * 0.2 / 2
        let found = try #require(right.pinballSeconds["0.8"])
        #expect(abs(found - minimum) < 0.05)
        #expect(abs(right.meanAbsoluteErrorSeconds - 15) < 0.1)
    }

    @Test func quantilesOfTheTruthAreReachedAsOftenAsTheySay() throws {
        // The forecast: no delay in 90 %, else uniform over the bin from 3 to 4 minutes.
        let bins = [Float](repeating: 0, count: 12)
        var sure = bins
        sure[0] = 0.9
        sure[4] = 0.1
        var short = bins
        short[0] = 0.9
        short[1] = 0.1
        let truth = DelayDistribution(sure)
        let delays = (0..<10_000).map { row -> Double in
            row % 10 == 0 ? 180 + Double(row) / 10_000 * 60 : 0
        }
        let scores = DelayScores(delays.map { DelayRowScore(truth, delaySeconds: $0) })
        for level in DelayScores.quantiles {
            let coverage = try #require(scores.coverage["\(level)"])
            #expect(abs(coverage - level) < 0.002)
            let given = try #require(scores.coverageIfDelayed?["\(level)"])
            #expect(abs(given - level) < 0.002)
        }
        // A forecast that thinks delays shorter than they are: fewer outcomes are below.
        let late = DelayDistribution(short)
        let wrong = DelayScores(delays.map { DelayRowScore(late, delaySeconds: $0) })
        #expect(wrong.coverageIfDelayed?["0.8"] == 0)
        let coverage = try #require(wrong.coverage["0.95"])
        #expect(coverage < 0.91)
        let none = DelayScores([DelayRowScore(truth, delaySeconds: 0)])
        #expect(none.coverageIfDelayed == nil)
    }

    @Test func delaysOfWholeMinutesAreCountedInTheMiddleOfTheirMinute() throws {
        // The forecast: uniform up to 6 minutes; what happened: each whole minute as often.
        let uniform = DelayDistribution((0..<12).map { (1...6).contains($0) ? 1.0 / 6 : 0 })
        func coverage(halfMinuteLater: Bool) -> [String: Double]? {
            DelayScores(
                (1...6).map { minutes in
                    let delay = Double(minutes) * 60
                    return DelayRowScore(
                        uniform, delaySeconds: delay,
                        midMinuteSeconds: halfMinuteLater ? delay - 30 : nil)
                }
            ).coverageIfDelayed
        }
        let middle = try #require(coverage(halfMinuteLater: true))
        #expect(middle == ["0.5": 0.5, "0.8": 5.0 / 6, "0.95": 1])
        let end = try #require(coverage(halfMinuteLater: false))
        #expect(end["0.8"] == 4.0 / 6 && end["0.95"] == 5.0 / 6)
    }

    @Test func theDifferenceOfSkillsIsZeroForOneForecastAndExactForAConstantGain() {
        var random = SeededGenerator(seed: 3)
        let reference = (0..<30).map { _ in Double.random(in: 0.5...1.5, using: &random) }
        let model = reference.map { $0 * Double.random(in: 0.6...0.9, using: &random) }
        let same = DayBlockBootstrap.skillDifference(model, over: model, reference: reference)
        #expect(same.low == 0 && same.value == 0 && same.high == 0)
        let worse = zip(model, reference).map { $0 + 0.05 * $1 }
        let gain = DayBlockBootstrap.skillDifference(model, over: worse, reference: reference)
        #expect(abs(gain.value - 0.05) < 1e-12 && gain.high - gain.low < 1e-9)
    }

    @Test func theBootstrapIntervalHoldsTheFigureAndWidensWithNoise() {
        var random = SeededGenerator(seed: 4)
        let reference = (0..<30).map { _ in Double.random(in: 0.9...1.1, using: &random) }
        let steady = DayBlockBootstrap.ratioSkill(
            model: reference.map { $0 * 0.8 }, reference: reference)
        #expect(abs(steady.value - 0.2) < 1e-12 && steady.high - steady.low < 1e-9)
        let noisy = DayBlockBootstrap.ratioSkill(
            model: reference.indices.map { reference[$0] * ($0 % 2 == 0 ? 0.5 : 1.1) },
            reference: reference)
        #expect(noisy.low < noisy.value && noisy.value < noisy.high)
        #expect(noisy.high - noisy.low > 0.05)
    }
}

@Suite struct ConfidenceScoresTests {
    /// Rows of one confidence, one on each of the days in turn; climatology says 0.3 of each.
    private func add(
        _ forecasts: [(chance: Float, isBlocked: Bool)], _ confidence: Confidence, lead: Int = 1,
        to rows: inout ScoredRows
    ) {
        let noon = SeattleTime.civil(at: Fixtures.timestamp("2026-02-20T12:00"))
        for (index, forecast) in forecasts.enumerated() {
            rows.append(
                bridge: .fremont, lead: lead, day: index % 5, valid: noon, confidence: confidence,
                isRaised: forecast.isBlocked)
            rows.append(.model, probability: forecast.chance)
            rows.append(.climatology, probability: 0.3)
        }
    }

    /// Ten times 0.1, of which two were blocked, and ten times 0.5, of which four were.
    private let mixed: [(chance: Float, isBlocked: Bool)] =
        (0..<10).map { (0.1, $0 < 2) } + (0..<10).map { (0.5, $0 < 4) }

    @Test func theFiguresAreThoseWorkedOutByHand() throws {
        var rows = ScoredRows()
        add(mixed, .high, to: &rows)
        // At a lead of 0 nothing counts.
        add([(0.9, false), (0.9, false)], .high, lead: 0, to: &rows)
        let scores = try #require(ConfidenceScores.table(rows).first)
        #expect(scores.confidence == .high && scores.knowledge == .asForecast && scores.rows == 20)
        #expect(abs(scores.rate - 0.3) < 1e-9 && abs(scores.meanForecast - 0.3) < 1e-6)
        // Ten bins of two rows: 0.9 once and 0.1 four times; 0.5 five times.
        #expect(abs(scores.calibrationError.value - 0.38) < 1e-6)
        #expect(abs(scores.relativeCalibrationError.value - 0.38 / 0.3) < 1e-6)
        // Two chances, two frequencies: the line goes through both.
        func logOdds(_ chance: Double) -> Double { log(chance / (1 - chance)) }
        let slope = (logOdds(0.4) - logOdds(0.2)) / (logOdds(0.5) - logOdds(0.1))
        let found = try #require(scores.calibrationSlope)
        #expect(abs(found.value - slope) < 1e-5)
        #expect(found.low < found.value && found.value < found.high)
        let loss = 2 * log(0.1) + 8 * log(0.9) + 10 * log(0.5)
        let reference = 6 * log(0.3) + 14 * log(0.7)
        #expect(abs(scores.skill.value - (1 - loss / reference)) < 1e-5)
    }

    @Test func everyConfidenceIsScoredAndHighAgainWithTheStateHidden() throws {
        var rows = ScoredRows()
        var hidden = ScoredRows()
        add(mixed, .high, to: &rows)
        add([(0.2, true), (0.2, false)], .low, to: &rows)
        add([(0.3, false), (0.3, false)], .medium, to: &rows)
        add(mixed.map { (0.3, $0.isBlocked) }, .medium, to: &hidden)
        add([(0.2, true), (0.2, false), (0.3, false), (0.3, false)], .medium, to: &hidden)
        let table = ConfidenceScores.table(rows, hidden: hidden)
        #expect(table.map(\.confidence) == [.high, .medium, .low, .medium])
        #expect(table.map(\.rows) == [20, 2, 2, 20])
        #expect(table.map(\.knowledge).last == .stateHidden)
        // It always says 0.3, as climatology does: no skill, and no slope to speak of.
        let last = try #require(table.last)
        #expect(abs(last.rate - 0.3) < 1e-9 && abs(last.skill.value) < 1e-9)
        #expect(last.calibrationSlope == nil)
        // Nothing was blocked: there is no slope either.
        #expect(table[1].calibrationSlope == nil)
        #expect(ConfidenceScores.table(rows).count == 3)
        #expect(ConfidenceScores.leftOut(rows)?.rows == 2)
        #expect(ConfidenceScores.leftOut(hidden) == nil)
    }

    /// With a queue, vehicles are stopped after the span is down again too: more are stopped than meet it raised.
    @Test func theEventOfRowsIsRaisedOrStopped() throws {
        let day = Fixtures.timestamp("2026-02-20T14:00")..<Fixtures.timestamp("2026-02-20T20:00")
        let history = Fixtures.shippedHistory
        let evaluation = EvaluationProtocol(history: history, interval: day)
        let rows = evaluation.rows(of: try ModelFile.read(RandomModel.bytes(.int8)))
        let stopped = rows.asStopped()
        #expect(stopped.count == rows.count && stopped.happened.count == rows.count)
        #expect(zip(rows.happened, stopped.happened).allSatisfy { !$0 || $1 })
        #expect(stopped.happened.count { $0 } > rows.happened.count { $0 })
        #expect(Set(stopped.probabilities.keys) == [.model, .climatology])
        let pairs = zip(
            try #require(rows.probabilities[.climatology]),
            try #require(stopped.probabilities[.climatology]))
        #expect(pairs.allSatisfy { $0 <= $1 + 1e-6 })
        let scores = GroupScorer(rows).scores(of: rows.rowsAhead)
        #expect(scores.stopped.rate > scores.raised.rate)
        #expect(scores[.stopped] == scores.stopped && scores[.raised] == scores.raised)
    }

    @Test func rowsHaveTheirConfidenceAndWithAHiddenStateNoneIsHigh() throws {
        let day = Fixtures.timestamp("2026-02-20T00:00")..<Fixtures.timestamp("2026-02-20T06:00")
        let evaluation = EvaluationProtocol(history: Fixtures.shippedHistory, interval: day)
        let model = try ModelFile.read(RandomModel.bytes(.int8))
        let rows = evaluation.rows(of: model)
        for row in 0..<rows.count {
            let isSoon = EvaluationProtocol.leadsMinutes[Int(rows.leads[row])] <= 20
            #expect(rows.confidences[row] == (isSoon ? .high : .medium))
        }
        let hidden = evaluation.rows(of: model, knowing: .none)
        #expect(hidden.confidences.allSatisfy { $0 == .medium })
        #expect(hidden.happened == rows.happened)
        #expect(hidden.probabilities[.climatology] == rows.probabilities[.climatology])
        #expect(hidden.probabilities[.model] != rows.probabilities[.model])
        let joined = ScoredRows.joined([rows, hidden])
        #expect(joined.confidences == rows.confidences + hidden.confidences)
        let fremont = evaluation.rows(of: model, at: .fremont)
        let indices = rows.bridges.indices.filter { rows.bridges[$0] == .fremont }
        #expect(fremont.count == rows.count / 6 && fremont.count == indices.count)
        #expect(
            fremont.probabilities[.model] == indices.compactMap { rows.probabilities[.model]?[$0] })
        #expect(fremont.confidences == indices.map { rows.confidences[$0] })
        #expect(fremont.delays[.rho0]?[.model]?.count == fremont.count)
    }
}
