// The additive teacher on real records, and the optimiser that it is fitted with.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastTraining

struct AdditiveLogOddsTests {
    @Test func `its log loss on later days is below the prior's, and the same each time`() {
        let history = Fixtures.shippedHistory
        let cut = Fixtures.timestamp("2018-02-12T00:00")
        let past = history.before(cut)
        var random = SeededRandom(seed: 3)
        let rows = Sampler(trainingOn: past).trainingRows(
            everyMinutes: 10, inputs: .both, random: &random)
        let settings = AdditiveLogOdds.Settings(ridgePerRow: 1e-3, iterations: 25)
        let teacher = AdditiveLogOdds(rows, settings: settings)
        let again = AdditiveLogOdds(rows, settings: settings)
        let later = Sampler(
            validatingOn: history, climatology: Climatology(ClimatologyCounts(past))
        ).protocolRows(in: cut..<cut.adding(minutes: 7 * 1440), inputs: .both)
        let logits = teacher.logits(later)
        #expect(logits == again.logits(later))
        let loss = mean(logits, later)
        let prior = mean(later.priorLogOdds, later)
        #expect(loss < 0.99 * prior, "log loss \(loss), that of the prior \(prior)")
    }

    private func mean(_ logits: [Float], _ rows: SampleSet) -> Double {
        let unqueued = rows.isUnqueued.indices.filter { rows.isUnqueued[$0] }
        return unqueued.reduce(0) { sum, row in
            sum + EventScores.logLoss(1 / (1 + exp(-logits[row])), rows.bins[row] > 0)
        } / Double(unqueued.count)
    }
}

struct QuasiNewtonTests {
    @Test func `the minimum of a badly scaled quadratic is found`() {
        let target = (0..<20).map { Double($0) - 7 }
        let found = QuasiNewton.minimise(
            from: Array(repeating: 0, count: 20), iterations: 200
        ) { point in
            var slope = QuasiNewton.Slope(value: 0, gradient: [])
            for index in point.indices {
                let scale = pow2(index)
                let error = point[index] - target[index]
                slope.value += scale * error * error / 2
                slope.gradient.append(scale * error)
            }
            return slope
        }
        for index in found.indices { #expect(abs(found[index] - target[index]) < 0.02) }
    }

    @Test func `a point that is the minimum stays`() {
        let found = QuasiNewton.minimise(from: [3], iterations: 10) {
            QuasiNewton.Slope(value: ($0[0] - 3) * ($0[0] - 3), gradient: [2 * ($0[0] - 3)])
        }
        #expect(found == [3])
    }

    private func pow2(_ index: Int) -> Double { Double(1 << (index / 2)) }
}
