// What is expected of an arrival before the model is asked: raised spans, queues, and what is left of them.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct DelayPriorTests {
    private let fremont = Fixtures.bridge("Fremont")
    private let climatology = RandomModel.climatology

    /// The prior of an arrival at Fremont for a situation.
    private func prior(
        _ known: BridgeSituation, lead: Double, density: Float
    ) -> DelayDistribution {
        var situation = Situation.unknown(at: Fixtures.moment("2026-02-20T12:10"))
        situation[fremont] = known
        var batch = FeatureBatch()
        FeatureBuilder(climatology: climatology).append(
            fremont, leadMinutes: lead, density: density, in: situation, to: &batch)
        return DelayDistribution(batch.priorLogits.map { exp($0) })
    }

    private func raised(at time: String) -> BridgeSituation {
        let start = Fixtures.moment("2026-02-20T" + time)
        return BridgeSituation(
            state: .raised(since: start), recent: [KnownOpening(start: start, end: nil)])
    }

    @Test func aRaisedSpanIsMetWithTheProbabilityThatItStaysUp() {
        for lead in [0.0, 2, 5, 10] {
            let expected = climatology.probabilityOutlasts(fremont, total: 2 + lead, elapsed: 2)
            let found = prior(raised(at: "12:08"), lead: lead, density: 0).probabilityDelayed
            #expect(
                found >= expected - 1e-6 && found <= expected + 0.1 * (1 - expected), "lead \(lead)"
            )
        }
    }

    /// The waiting times of many openings that outlast their age, by the queueing formula.
    @Test func behindARaisedSpanTheDelayFollowsTheQueueingFormula() {
        let (elapsed, lead, density) = (2.0, 4.0, 0.5)
        let found = prior(raised(at: "12:08"), lead: lead, density: Float(density))
        for (bin, edge) in DelayBins.edgesMinutes.enumerated() where bin > 0 {
            let longer = climatology.probabilityOutlasts(
                fremont, total: edge + (1 - density) * (elapsed + lead), elapsed: elapsed)
            let tail = (bin + 1..<DelayBins.count).reduce(0) { $0 + found[$1] }
            #expect(abs(tail - longer) < 0.03, "more than \(edge) min")
        }
    }

    @Test func afterAnOpeningItsQueueIsCertainAndThenGone() {
        let start = Fixtures.moment("2026-02-20T12:00")
        let known = BridgeSituation(
            state: .lowered, observedSince: start.adding(minutes: -300),
            recent: [KnownOpening(start: start, end: Fixtures.moment("2026-02-20T12:09"))])
        // 9 min - 0.4 x 12 min = 4.2 min for one who arrives at 12:12.
        let queued = prior(known, lead: 2, density: 0.6)
        #expect(queued[DelayBins.bin(ofSeconds: 252)] > 0.97)
        #expect(prior(known, lead: 2, density: 0).probabilityDelayed < 0.2)
        #expect(prior(known, lead: 20, density: 0.6).probabilityDelayed < 0.3)
    }
}
