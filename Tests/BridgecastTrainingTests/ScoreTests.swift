// Scores against their definitions written out, and against examples worked by hand.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTraining
import Foundation
import Testing

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
        var (right, pairs) = (0.0, 0.0)
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

    @Test func pinballLossIsLeastAtTheTrueQuantile() throws {
        // Delays uniform over the second bin, forecast so and forecast one bin too late.
        let delays = (0..<600).map { 60 + Float($0) / 10 + 0.05 }
        func scores(_ bin: Int) -> DelayScores {
            let forecast = DelayDistribution((0..<12).map { $0 == bin ? 1 : 0 })
            return DelayScores(delays.map { DelayRowScore(forecast, delaySeconds: Double($0)) })
        }
        let (right, wrong) = (scores(2), scores(3))
        for level in ["0.5", "0.8", "0.95"] {
            let good = try #require(right.pinballSeconds[level])
            #expect(good < (try #require(wrong.pinballSeconds[level])))
        }
        // For a uniform variable of width w the least pinball loss is w q (1 - q) / 2.
        let least = 60.0 * 0.8 * 0.2 / 2
        let found = try #require(right.pinballSeconds["0.8"])
        #expect(abs(found - least) < 0.05)
        #expect(abs(right.meanAbsoluteErrorSeconds - 15) < 0.1)
    }

    @Test func quantilesOfTheTruthAreReachedAsOftenAsTheySay() throws {
        // The forecast: no delay in 90 %, else uniform over the bin from 3 to 4 minutes.
        let bins = [Float](repeating: 0, count: 12)
        var (sure, short) = (bins, bins)
        (sure[0], sure[4]) = (0.9, 0.1)
        (short[0], short[1]) = (0.9, 0.1)
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
        // A forecast that thinks delays shorter than they are: fewer outcomes lie below.
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

    @Test func theDifferenceOfTwoSkillsIsZeroForOneForecastAndSureForAConstantGain() {
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
