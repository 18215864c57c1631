// Rows have the right labels, cover every bridge, and include incomplete situations.
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
@testable import BridgecastTraining
import Testing

@Suite struct SamplerTests {
    private let history = Fixtures.shippedHistory

    @Test func rowsAreLabelledWithWhatHappened() {
        let climatology = RandomModel.climatology
        let sampler = Sampler(validatingOn: history, climatology: climatology)
        let from = Fixtures.timestamp("2026-02-20T00:00")
        let to = Fixtures.timestamp("2026-02-21T00:00")
        let samples = sampler.protocolRows(in: from..<to)
        // 288 issue times, 6 bridges with records, 8 leads, with and without queueing.
        #expect(samples.count == 288 * 6 * 8 * 2)
        let blocked = zip(samples.bins, samples.isUnqueued).count { $0.0 > 0 && $0.1 }
        let expected = BridgeIndex.all.reduce(0) { sum, bridge in
            guard history.coverage.contains(from, of: bridge) else { return sum }
            return sum
                + stride(from: 0, to: 1440, by: 5).reduce(0) { count, minute in
                    count
                        + Sampler.protocolLeadsMinutes.count { lead in
                            history.isBlocked(
                                at: from.adding(minutes: Double(minute) + lead), of: bridge)
                        }
                }
        }
        #expect(blocked == expected && blocked > 100)
    }

    @Test func trainingRowsCoverEveryBridgeWithRecordsAndIncompleteSituations() {
        var random = SeededRandom(seed: 2)
        let samples = Sampler(trainingOn: history).trainingRows(everyMinutes: 120, random: &random)
        let features = samples.batch.rows.dense()
        let width = FeatureSchema.count
        for bridge in 0..<BridgeCatalogue.count {
            let count = (0..<samples.count).count {
                features[$0 * width + bridge] == 1
            }
            #expect(count > 200, "\(BridgeCatalogue.seattle[bridge].name)")
        }
        let known = FeatureSchema.features.firstIndex { $0.name == "own.stateKnown" } ?? 0
        let unknown = (0..<samples.count).count { features[$0 * width + known] == 0 }
        #expect(unknown > samples.count / 20 && unknown < samples.count / 4)
        // A third of the rows are as live, where University has no sensor.
        let university = Fixtures.bridge("University").rawValue
        let own = (0..<samples.count).filter { features[$0 * width + university] == 1 }
        let silent = own.count { features[$0 * width + known] == 0 }
        #expect(silent > own.count * 35 / 100 && silent < own.count / 2)
    }

    @Test func rowsWithoutADelayAreThinnedAlone() {
        func rows(_ share: Double) -> SampleSet {
            var random = SeededRandom(seed: 3)
            return Sampler(trainingOn: history).trainingRows(
                everyMinutes: 60, undelayedShare: share, random: &random)
        }
        let all = rows(1)
        let few = rows(0.25)
        let delayed = [all, few].map { $0.bins.count { $0 > 0 } }
        #expect(abs(Double(delayed[1]) / Double(delayed[0]) - 1) < 0.08)
        let ratio = Double(few.count - delayed[1]) / Double(all.count - delayed[0])
        #expect(abs(ratio - 0.25) < 0.02)
    }
}
