// Boosted trees: cuts against exhaustive search, what they can learn, missing values, determinism.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTraining
import Foundation
import Testing

@Suite struct GradientBoostedTreesTests {
    private static func settings(trees: Int, leaves: Int) -> BoostingSettings {
        var settings = BoostingSettings()
        settings.trees = trees
        settings.leaves = leaves
        settings.minRowsInLeaf = 5
        settings.regularisation = 1
        settings.learningRate = 1
        settings.inputShare = 1
        return settings
    }

    @Test func theFirstCutIsTheBestOfAllCuts() throws {
        var random = SeededRandom(seed: 3)
        let rows = 400
        let width = 3
        let values = (0..<rows * width).map { _ in Float((random.uniform() * 20).rounded()) }
        let gradients = (0..<rows).map { row in
            (values[row * width + 1] > 12 ? Float(0.8) : -0.3) + Float(random.normal()) * 0.2
        }
        let curvatures = (0..<rows).map { _ in Float(0.1 + random.uniform() * 0.2) }
        let settings = Self.settings(trees: 1, leaves: 2)
        let inputs = BinnedColumns(values, width: width)
        var grower = TreeGrower(inputs, columns: [0, 1, 2], settings: settings)
        let tree = grower.grow(
            (0..<Int32(rows)).map { $0 }, slopes: zip(gradients, curvatures).map { [$0, $1] },
            weight: 1)
        // Exhaustive: every column and threshold, gain G^2 / (H + lambda) of the two sides.
        var best = (gain: -1.0, column: -1, threshold: Float(0), left: 0.0)
        for column in 0..<width {
            for threshold in 0..<20 {
                var sums = [(g: 0.0, h: 1.0, n: 0), (g: 0.0, h: 1.0, n: 0)]
                for row in 0..<rows {
                    let side = values[row * width + column] > Float(threshold) ? 1 : 0
                    sums[side].g += Double(gradients[row])
                    sums[side].h += Double(curvatures[row])
                    sums[side].n += 1
                }
                guard sums.allSatisfy({ $0.n >= 5 }) else { continue }
                let gain = sums.reduce(0) { $0 + $1.g * $1.g / $1.h }
                if gain > best.gain {
                    best = (gain, column, Float(threshold), -sums[0].g / sums[0].h)
                }
            }
        }
        #expect(tree.nodes.count == 3)
        #expect(Int(tree.nodes[0].column) == best.column)
        let cut = inputs.cuts[best.column][Int(tree.nodes[0].threshold)]
        #expect(cut == best.threshold)
        #expect(abs(Double(tree.nodes[1].value) - best.left) < 1e-4)
    }

    @Test func anInteractionIsLearnedAndHoldsOnOtherRows() {
        // The event needs exactly one of two conditions: no single cut says anything.
        func rows(_ seed: UInt64) -> (values: [Float], happened: [Bool]) {
            var random = SeededRandom(seed: seed)
            var values: [Float] = []
            var happened: [Bool] = []
            for _ in 0..<4_000 {
                let a = Float(random.uniform())
                let b = Float(random.uniform())
                values += [a, b, Float(random.uniform())]
                happened.append(random.uniform() < ((a > 0.4) != (b > 0.7) ? 0.9 : 0.05))
            }
            return (values, happened)
        }
        let training = rows(1)
        let test = rows(2)
        var settings = Self.settings(trees: 30, leaves: 8)
        settings.learningRate = 0.3
        let prior = [Float](repeating: 0, count: 4_000)
        let inputs = BinnedColumns(training.values, width: 3)
        let trees = GradientBoostedTrees(
            inputs, prior: prior, happened: training.happened, settings: settings, seed: 1)
        let again = GradientBoostedTrees(
            inputs, prior: prior, happened: training.happened, settings: settings, seed: 1)
        let found = GradientBoostedTrees.meanLogits([trees], test.values[...], prior: prior)
        let same = GradientBoostedTrees.meanLogits([again], test.values[...], prior: prior)
        #expect(found == same)
        let forecasts = found.map { 1 / (1 + exp(-$0)) }
        let loss = EventScores(forecasts, test.happened).logLoss
        // The entropy of what can be known is 0.28; knowing nothing costs 0.69.
        #expect(loss < 0.34)
    }

    @Test func unknownValuesHaveABinAboveAllOthers() {
        let values: [Float] = (0..<300).map { $0 % 3 == 0 ? .nan : Float($0) }
        let inputs = BinnedColumns(values, width: 1)
        for (row, value) in values.enumerated() {
            let isHighest = inputs.column(0)[row] == UInt8(BinnedColumns.binCount - 1)
            #expect(isHighest == value.isNaN)
        }
        let happened = values.map(\.isNaN)
        let trees = GradientBoostedTrees(
            inputs, prior: values.map { _ in 0 }, happened: happened,
            settings: Self.settings(trees: 5, leaves: 2), seed: 1)
        let found = GradientBoostedTrees.meanLogits(
            [trees], values[...], prior: values.map { _ in 0 })
        for (row, value) in values.enumerated() { #expect((found[row] > 0) == value.isNaN) }
    }

    @Test func binsKeepTheOrderOfValues() {
        var random = SeededRandom(seed: 8)
        let values = (0..<5_000).map { _ in Float(random.normal()) }
        let bins = BinnedColumns(values, width: 1).column(0)
        for (a, b) in zip(values.indices, values.indices.dropFirst())
        where values[a] < values[b] { #expect(bins[a] <= bins[b]) }
        #expect(Set(bins).count > 200)
    }
}
