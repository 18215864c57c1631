// Features: the schema, ranges on real data, nothing after the issue time matters, and how rows share lists.
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore

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

    @Test func namesAreUniqueAndHashedAsInModels() {
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

    @Test func everyValueOfARealWeekIsInItsRange() {
        let reader = SituationReader(Fixtures.shippedHistory)
        var random = SeededGenerator(seed: 6)
        var batch = FeatureBatch()
        var issueTime = Fixtures.timestamp("2026-02-16T00:00")
        while issueTime < Fixtures.timestamp("2026-02-23T00:00") {
            let situation = reader.situation(at: issueTime)
            for bridge in BridgeIndex.all {
                Self.builder.append(
                    bridge, leadMinutes: Double.random(in: 0...60, using: &random),
                    density: 0.5, in: situation, to: &batch)
            }
            issueTime = issueTime.adding(minutes: 7)
        }
        let features = batch.rows.dense()
        let width = FeatureSchema.count
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
            let from = Fixtures.timestamp("2026-02-10T00:00").secondsSinceEpoch
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
                // Ends that are ahead are the future too.
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
        let issueTime = Fixtures.timestamp("2026-02-20T18:30")
        let without = OpeningHistory(
            records: history.openings.flatMap(\.self).filter {
                issueTime.minutes(since: $0.start) > 120
            }, coverage: history.coverage)
        #expect(
            rows(without, at: issueTime).rows.dense()
                != rows(history, at: issueTime).rows.dense())
    }

    @Test func beyondAnHourTheLiveStateIsLeftOut() {
        let issueTime = Fixtures.timestamp("2026-02-20T18:30")
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
        let arrival = Fixtures.timestamp("2026-02-20T18:30")
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
            let day =
                Fixtures.timestamp("2026-02-20T00:00")..<Fixtures.timestamp("2026-02-21T00:00")
            let history = OpeningHistory(
                records: records, coverage: Coverage(day))
            let situation = SituationReader(history)
                .situation(at: Fixtures.timestamp("2026-02-20T12:20"))
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

    @Test func rowsDoNotDependOnTheirOrderInABatch() {
        let builder = FeatureBuilder(climatology: RandomModel.climatology)
        let reader = SituationReader(Fixtures.shippedHistory)
        let situations = ["2026-02-20T12:00", "2026-02-20T18:04"].map {
            reader.situation(at: Fixtures.timestamp($0))
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
        let features = batch.rows.dense()
        let width = FeatureSchema.count
        for (place, request) in order.enumerated() {
            var alone = FeatureBatch()
            row(request, in: &alone)
            #expect(alone.rows.dense()[...] == features[place * width..<(place + 1) * width])
        }
    }
}

@Suite struct FeatureRowTests {
    /// Inputs are counted without their names, so that a forecast need not make names.
    @Test func groupsAreAsWideAsTheirSpecs() {
        let starts = FeatureSchema.groupStarts
        #expect(starts.last == FeatureSchema.count && starts == starts.sorted())
        let names = FeatureSchema.features.map { $0.name.prefix { $0 != "." } }
        for (start, end) in zip(starts, starts.dropFirst()) {
            #expect(Set(names[start..<end]).count == 1, "inputs \(start) to \(end)")
        }
        #expect(Set(names).count == starts.count - 1)
    }

    /// Rows share lists by time and by bridge, and yet each input is in one list alone, in order.
    @Test func rowsAreMadeOfListsThatDoNotOverlap() {
        let situation = SituationReader(Fixtures.shippedHistory).situation(
            at: Fixtures.timestamp("2026-02-20T17:20"))
        let builder = FeatureBuilder(climatology: RandomModel.climatology)
        var batch = FeatureBatch()
        for lead in [0.0, 12, 40] {
            for density: Float in [0, 0.5] {
                for bridge in BridgeIndex.all {
                    builder.append(
                        bridge, leadMinutes: lead, density: density, in: situation, to: &batch)
                }
            }
        }
        for row in 0..<batch.rowCount {
            let inputs = batch.rows.entries(ofRow: row).map(\.input)
            #expect(inputs == Array(Set(inputs)).sorted(), "row \(row)")
            #expect(inputs.count < 90)
        }
        let lists = Set(batch.rows.parts.map(\.sharedFirst))
        #expect(lists.count < batch.rowCount)
    }

    /// Rows that differ in density alone are copied up to there.
    @Test func densityComesAfterAllOtherInputs() {
        let names = FeatureSchema.features.map(\.name)
        let first = names.firstIndex { $0.hasPrefix("traffic.") }
        #expect(first == FeatureSchema.firstTrafficInput)
        #expect(names.suffix(from: first ?? 0).allSatisfy { $0.hasPrefix("traffic.") })
    }

    /// Whatever rows came before in a batch, a row is what it is alone: same time, same bridge, another density,
    /// another situation of the same issue time, another climatology with the same survival table.
    @Test func rowsOfABatchEqualRowsAlone() throws {
        let own = RandomModel.climatology
        let other = try #require(
            Climatology(
                slotsPerDay: own.slotsPerDay,
                openProbability: own.openProbability.values.map { min($0 * 1.5, 0.9) },
                durationSurvival: own.durationSurvival,
                openingsPerDay: own.openingsPerDay.values.map { $0 + 1 },
                coveredSeasonDays: own.coveredSeasonDays))
        var lawful = own
        lawful.lengthLaw = try RoundLaw.law()
        let known = SituationReader(Fixtures.shippedHistory).situation(
            at: Fixtures.timestamp("2026-02-20T17:20"))
        var changed = known
        changed[BridgeIndex.all[1]].state = .raised(since: known.issueTime.adding(minutes: -3))
        var rows: [(FeatureBuilder, Situation, BridgeIndex, Double, Float)] = []
        for bridge in BridgeIndex.all {
            for lead in [0.0, 12, 75] {
                for density: Float in [0, 0.3, 0.8] {
                    for situation in [known, changed] {
                        for climatology in [own, other, lawful] {
                            let builder = FeatureBuilder(climatology: climatology)
                            rows.append((builder, situation, bridge, lead, density))
                        }
                    }
                }
            }
        }
        var generator = SeededGenerator(seed: 77)
        var batch = FeatureBatch()
        let order = rows.indices.shuffled(using: &generator) + Array(rows.indices)
        for (builder, situation, bridge, lead, density) in order.map({ rows[$0] }) {
            builder.append(
                bridge, leadMinutes: lead, density: density, in: situation, to: &batch)
        }
        let together = batch.rows.dense()
        let width = FeatureSchema.count
        for (place, number) in order.enumerated() {
            let (builder, situation, bridge, lead, density) = rows[number]
            var alone = FeatureBatch()
            builder.append(bridge, leadMinutes: lead, density: density, in: situation, to: &alone)
            #expect(alone.rows.dense()[...] == together[place * width..<(place + 1) * width])
            #expect(alone.priorLogits[...] == batch.priorLogits[place * 12..<place * 12 + 12])
        }
    }

    /// The memory of a freed climatology may be reused for another; rows must not take one for the other.
    @Test func rowsOfAFreedClimatologyAreNotReusedForAnother() throws {
        let own = RandomModel.climatology
        let known = SituationReader(Fixtures.shippedHistory).situation(
            at: Fixtures.timestamp("2026-02-20T17:20"))
        var batch = FeatureBatch()
        var expected: [Float] = []
        for step in 0..<60 {
            let climatology = try #require(
                Climatology(
                    slotsPerDay: own.slotsPerDay,
                    openProbability: own.openProbability.values.map {
                        min($0 * (1 + Float(step) / 10), 0.9)
                    },
                    durationSurvival: own.durationSurvival,
                    openingsPerDay: own.openingsPerDay.values,
                    coveredSeasonDays: own.coveredSeasonDays))
            var alone = FeatureBatch()
            for bridge in BridgeIndex.all {
                let builder = FeatureBuilder(climatology: climatology)
                builder.append(bridge, leadMinutes: 12, density: 0, in: known, to: &batch)
                builder.append(bridge, leadMinutes: 12, density: 0, in: known, to: &alone)
            }
            expected += alone.priorLogits
        }
        #expect(batch.priorLogits == expected)
    }

    @Test func logarithmsAreThoseOfTheCLibrary() {
        var values: [Float] = [
            1e-6, 0.5, 0.70710677, 0.7071068, 0.99999994, 1, 1.0000001, 1.4142135, 2,
        ]
        var generator = SeededGenerator(seed: 78)
        values += (0..<100_000).map { _ in
            Float(exp(Double.random(in: -14...0.7, using: &generator)))
        }
        for value in values {
            let (found, expected) = (logarithm(value), Float(log(Double(value))))
            #expect(abs(found - expected) <= 2 * expected.ulp, "\(value)")
        }
    }

    @Test func softBinsShareAValueBetweenTheirKnots() {
        var rows = SparseRows(width: 12)
        let basis = HatBasis([0, 10, 30])
        let list = rows.appendList { row in
            for value: Double? in [15, nil, 31, -1] { row.hats("", basis, value) }
            #expect(row.position == 12)
        }
        rows.appendRow(SparseRows.noList, SparseRows.noList, list)
        #expect(rows.dense() == [0, 0.75, 0.25] + Array(repeating: 0, count: 9))
        #expect(rows.entries(ofRow: 0).map(\.input) == [1, 2])
    }
}

@Suite struct SparseRowsTests {
    @Test func rowsHaveTheListedValues() throws {
        var rows = SparseRows(width: 5)
        try rows.append(inputs: [1, 4], values: [2, -3])
        try rows.append(inputs: [], values: [])
        try rows.append(inputs: [0, 1, 2, 3, 4], values: [1, 0, 3, .nan, 5])
        #expect(rows.count == 3)
        let dense = rows.dense()
        #expect(dense.prefix(10) == [0, 2, 0, 0, -3, 0, 0, 0, 0, 0])
        #expect(dense[10] == 1 && dense[12] == 3 && dense[13].isNaN && dense[14] == 5)
        // Zeros take nothing.
        #expect(rows.entries(ofRow: 2).map(\.input) == [0, 2, 3, 4])
    }

    @Test func invalidListsThrowAndAppendNothing() throws {
        var rows = SparseRows(width: 5)
        let wrong: [([Int], Int, SparseRowsError)] = [
            ([1, 1], 2, .notIncreasing(row: 0, entry: 1, input: 1, after: 1)),
            ([3, 2], 2, .notIncreasing(row: 0, entry: 1, input: 2, after: 3)),
            ([0, 5], 2, .outOfRange(row: 0, entry: 1, input: 5, width: 5)),
            ([-1], 1, .outOfRange(row: 0, entry: 0, input: -1, width: 5)),
            ([.max], 1, .outOfRange(row: 0, entry: 0, input: .max, width: 5)),
            ([1, 2], 1, .counts(row: 0, inputs: 2, values: 1)),
        ]
        for (inputs, values, error) in wrong {
            #expect(throws: error) {
                try rows.append(inputs: inputs, values: Array(repeating: 1, count: values))
            }
            #expect(rows.count == 0 && rows.dense().isEmpty)
            #expect(error.kind == .data && error.description.hasPrefix("row 0"))
        }
        #expect(
            SparseRowsError.notIncreasing(row: 3, entry: 1, input: 7, after: 7).description
                == "row 3, entry 1: input 7 is listed twice")
    }

    /// Rows are put together from lists that others share, whichever way a batch came about.
    @Test func joiningAndChoosingKeepRows() throws {
        var first = SparseRows(width: 6)
        let shared = first.appendList { list in
            list.position = 2
            list.append(7)
        }
        for value in [Float(1), 2] {
            let own = first.appendList { $0.append(value) }
            first.appendRow(shared, SparseRows.noList, own)
        }
        var second = SparseRows(width: 6)
        try second.append(inputs: [5], values: [9])
        second.append(contentsOf: first)
        second.append(row: 1, of: first)
        #expect(
            second.dense() == [
                0, 0, 0, 0, 0, 9, 1, 0, 7, 0, 0, 0, 2, 0, 7, 0, 0, 0, 2, 0, 7, 0, 0, 0,
            ])
        #expect(second.prefix(2).dense() == Array(second.dense().prefix(12)))
        second.removeAll()
        try second.append(inputs: [0], values: [4])
        #expect(second.dense() == [4, 0, 0, 0, 0, 0])
    }
}
