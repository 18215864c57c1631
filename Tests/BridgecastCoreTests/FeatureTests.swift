// Features: the schema holds, ranges hold on real data, and nothing after the issue time matters.
@testable import BridgecastCore
import BridgecastTestSupport
import Testing

@Suite struct FeatureTests {
    private static let builder = FeatureBuilder(climatology: RandomModel.climatology)

    private func rows(_ history: OpeningHistory, at issueTime: Timestamp) -> FeatureBatch {
        let situation = SituationReader(history).situation(at: issueTime)
        var batch = FeatureBatch()
        for bridge in BridgeIndex.all {
            for lead in [0.0, 2, 7.5, 30, 60, 90] {
                Self.builder.append(
                    bridge, leadMinutes: lead, density: 0.4, in: situation, to: &batch)
            }
        }
        return batch
    }

    @Test func namesAreUniqueAndTheHashIsTheOneThatModelsCarry() {
        let names = FeatureSchema.features.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { !$0.isEmpty })
        // Independent of the code under test: FNV-1a 64 by its definition.
        var hash: UInt64 = 14_695_981_039_346_656_037
        for f in FeatureSchema.features {
            let line = "\(f.name)|\(f.unit.rawValue)|\(f.range.lowerBound)|\(f.range.upperBound)\n"
            for byte in line.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        }
        #expect(FeatureSchema.hash == hash)
        var renamed = FeatureSchema.features
        renamed.swapAt(0, 1)
        #expect(FeatureSchema.hash(of: renamed) != hash)
    }

    @Test func everyValueOfARealWeekLiesInItsRange() {
        let reader = SituationReader(Fixtures.shippedHistory)
        var random = SeededGenerator(seed: 6)
        var batch = FeatureBatch()
        var issueTime = Fixtures.moment("2026-02-16T00:00")
        while issueTime < Fixtures.moment("2026-02-23T00:00") {
            let situation = reader.situation(at: issueTime)
            for bridge in BridgeIndex.all {
                Self.builder.append(
                    bridge, leadMinutes: Double.random(in: 0...60, using: &random),
                    density: 0.5, in: situation, to: &batch)
            }
            issueTime = issueTime.adding(minutes: 7)
        }
        let (features, width) = (batch.rows.dense(), FeatureSchema.count)
        #expect(features.count == batch.rowCount * width && batch.rowCount > 10_000)
        for (index, feature) in FeatureSchema.features.enumerated() {
            let values = stride(from: index, to: features.count, by: width).map {
                features[$0]
            }
            #expect(
                values.allSatisfy { feature.range.contains($0) },
                "\(feature.name): \(values.min() ?? 0) ... \(values.max() ?? 0)")
        }
        #expect(batch.priorLogits.allSatisfy { $0.isFinite && $0 <= 0 })
    }

    /// The future is shuffled, stretched, doubled and deleted: no row may notice.
    @Test func nothingAfterTheIssueTimeChangesARow() {
        let history = Fixtures.shippedHistory
        for seed: UInt64 in 0..<40 {
            var random = SeededGenerator(seed: seed)
            let from = Fixtures.moment("2026-02-10T00:00").secondsSinceEpoch
            let issueTime = Timestamp(
                secondsSinceEpoch: from + Int64.random(in: 0..<18 * 86_400, using: &random))
            let past = history.openings.flatMap(\.self).filter { $0.start <= issueTime }
            let futures: [[Opening]] = [
                [],
                history.openings.flatMap(\.self).filter { $0.start > issueTime }.map { opening in
                    let shift = Int64.random(in: 1...7_200, using: &random)
                    return Opening(
                        bridge: BridgeIndex.all.randomElement(using: &random) ?? opening.bridge,
                        start: issueTime.adding(seconds: shift),
                        end: issueTime.adding(seconds: shift + 600))
                },
            ]
            let original = rows(history, at: issueTime)
            for future in futures {
                // Ends that lie ahead are the future too.
                let cut = past.map { opening in
                    let isOver = opening.end.map { $0 <= issueTime } ?? false
                    let later = issueTime.adding(
                        seconds: Int64.random(in: 1...5_000, using: &random))
                    return isOver
                        ? opening
                        : Opening(bridge: opening.bridge, start: opening.start, end: later)
                }
                let changed = OpeningHistory(
                    records: cut + future, coverage: history.coverage, gapSeconds: -1)
                let again = rows(changed, at: issueTime)
                #expect(again.rows.dense() == original.rows.dense(), "seed \(seed)")
                #expect(again.priorLogits == original.priorLogits, "seed \(seed)")
            }
        }
    }

    @Test func thePastDoesChangeRows() {
        let history = Fixtures.shippedHistory
        let issueTime = Fixtures.moment("2026-02-20T18:30")
        let without = OpeningHistory(
            records: history.openings.flatMap(\.self).filter {
                issueTime.minutes(since: $0.start) > 120
            }, coverage: history.coverage)
        #expect(
            rows(without, at: issueTime).rows.dense()
                != rows(history, at: issueTime).rows.dense())
    }

    @Test func beyondAnHourTheLiveStateIsLeftOut() {
        let issueTime = Fixtures.moment("2026-02-20T18:30")
        let known = SituationReader(Fixtures.shippedHistory).situation(at: issueTime)
        func row(_ situation: Situation, _ lead: Double) -> [Float] {
            var batch = FeatureBatch()
            Self.builder.append(
                Fixtures.bridge("Fremont"), leadMinutes: lead, density: 0, in: situation, to: &batch
            )
            return batch.rows.dense()
        }
        #expect(row(known, 61) == row(.unknown(at: issueTime), 61))
        #expect(row(known, 60) != row(.unknown(at: issueTime), 60))
    }

    @Test func withoutLiveStateTheLeadMeansNothing() {
        let arrival = Fixtures.moment("2026-02-20T18:30")
        func row(_ lead: Double) -> [Float] {
            var batch = FeatureBatch()
            Self.builder.append(
                Fixtures.bridge("Fremont"), leadMinutes: lead, density: 0.2,
                in: .unknown(at: arrival.adding(minutes: -lead)), to: &batch)
            return batch.rows.dense()
        }
        #expect(row(0) == row(30) && row(30) == row(600))
    }

    @Test func aBoatOnItsWayIsPendingUntilItIsLetThrough() {
        let names = FeatureSchema.features.map(\.name)
        func pending(_ records: [Opening]) -> Float {
            let day = Fixtures.moment("2026-02-20T00:00")..<Fixtures.moment("2026-02-21T00:00")
            let history = OpeningHistory(
                records: records, coverage: Coverage(day))
            let situation = SituationReader(history)
                .situation(at: Fixtures.moment("2026-02-20T12:20"))
            var batch = FeatureBatch()
            Self.builder.append(
                Fixtures.bridge("Fremont"), leadMinutes: 2, density: 0, in: situation, to: &batch)
            return zip(names, batch.rows.dense()).filter {
                $0.0.hasPrefix("convoy.seaward1.pending")
            }.reduce(0) { $0 + $1.1 }
        }
        let ballard = Fixtures.opening("Ballard", "2026-02-20T12:08", "2026-02-20T12:13")
        #expect(pending([ballard]) == 1)
        let through = Fixtures.opening("Fremont", "2026-02-20T12:17", "2026-02-20T12:19")
        #expect(pending([ballard, through]) == 0)
        let fromHere = Fixtures.opening("Fremont", "2026-02-20T11:57", "2026-02-20T12:01")
        #expect(pending([fromHere, ballard]) == 0)
    }

    @Test func rowsAreTheSameInWhateverOrderABatchHasThem() {
        let builder = FeatureBuilder(climatology: RandomModel.climatology)
        let reader = SituationReader(Fixtures.shippedHistory)
        let situations = ["2026-02-20T12:00", "2026-02-20T18:04"].map {
            reader.situation(at: Fixtures.moment($0))
        }
        var requests: [(situation: Int, bridge: BridgeIndex, lead: Double)] = []
        for situation in situations.indices {
            for lead in [0.0, 10, 75] {
                for bridge in BridgeIndex.all { requests.append((situation, bridge, lead)) }
            }
        }
        func row(_ request: Int, in batch: inout FeatureBatch) {
            let (situation, bridge, lead) = requests[request]
            builder.append(
                bridge, leadMinutes: lead, density: 0.3, in: situations[situation], to: &batch)
        }
        var generator = SeededGenerator(seed: 5)
        let order = requests.indices.shuffled(using: &generator) + Array(requests.indices)
        var batch = FeatureBatch()
        for request in order { row(request, in: &batch) }
        let (features, width) = (batch.rows.dense(), FeatureSchema.count)
        for (place, request) in order.enumerated() {
            var alone = FeatureBatch()
            row(request, in: &alone)
            #expect(alone.rows.dense()[...] == features[place * width..<(place + 1) * width])
        }
    }
}
