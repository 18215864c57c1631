// Scores against their definitions written out, and against examples worked by hand.
import BridgecastCore
import BridgecastTestSupport
import BridgecastTraining
import Foundation
import Testing

@Suite struct ScoreTests {
    private let forecasts: [Float] = (0..<1_000).map { _ in Float.random(in: 0.01...0.99) }
    private var outcomes: [Bool] { forecasts.map { Float.random(in: 0..<1) < $0 * $0 } }

    @Test func workedExample() {
        let scores = EventScores([0.1, 0.8, 0.5, 0.5], [false, true, true, false])
        let expected = -(log(0.9) + log(0.8) + log(0.5) + log(0.5)) / 4
        #expect(abs(scores.logLoss - expected) < 1e-7)
        #expect(abs(scores.brier - (0.01 + 0.04 + 0.25 + 0.25) / 4) < 1e-7)
        #expect(scores.auc == 0.875)  // of the four pairs three are right, one is a draw
        #expect(scores.uncertainty == 0.25)
    }

    @Test func aucIsTheShareOfPairsInTheRightOrder() throws {
        let outcomes = outcomes
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
        let outcomes = forecasts.map { Float.random(in: 0..<1) < $0 }
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
            return DelayScores(Array(repeating: forecast, count: delays.count), delays)
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

    @Test func theBootstrapIntervalHoldsTheFigureAndWidensWithNoise() {
        let reference = (0..<30).map { _ in Double.random(in: 0.9...1.1) }
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
