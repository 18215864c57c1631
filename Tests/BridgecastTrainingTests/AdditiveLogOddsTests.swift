// The additive teacher on real records: what it learns holds on later days.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastTraining

struct AdditiveLogOddsTests {
    @Test func `its log loss on later days is below the prior's, and the same each time`() {
        let history = Fixtures.shippedHistory
        let cut = Fixtures.moment("2018-02-12T00:00")
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
        let (loss, prior) = (mean(logits, later), mean(later.priorLogOdds, later))
        #expect(loss < 0.99 * prior, "log loss \(loss), that of the prior \(prior)")
    }

    private func mean(_ logits: [Float], _ rows: SampleSet) -> Double {
        let rowsAsked = rows.isUnqueued.indices.filter { rows.isUnqueued[$0] }
        return rowsAsked.reduce(0) { sum, row in
            sum + EventScores.logLoss(1 / (1 + exp(-logits[row])), rows.bins[row] > 0)
        } / Double(rowsAsked.count)
    }
}
