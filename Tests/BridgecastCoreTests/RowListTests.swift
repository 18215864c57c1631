// How rows of features are put together: groups, lists that rows share, soft bins.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RowListTests {
    /// Counts are stated apart from the names, so that a forecast need not make names.
    @Test func groupsHaveAsManySpecsAsTheySay() {
        for group in FeatureSchema.groups { #expect(group.specs.count == group.count, "\(group)") }
        #expect(FeatureSchema.groups.reduce(0) { $0 + $1.count } == FeatureSchema.count)
    }

    /// Rows share lists by moment and by bridge, and yet each input stands in one list alone, in order.
    @Test func rowsAreMadeOfListsThatDoNotOverlap() {
        let situation = SituationReader(Fixtures.shippedHistory).situation(
            at: Fixtures.moment("2026-02-20T17:20"))
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
    @Test func densityStandsBehindAllOtherInputs() {
        #expect(FeatureSchema.densityGroups.end == FeatureSchema.count)
    }

    /// Whatever rows came before in a batch, a row is what it is alone: same moment, same bridge, another density,
    /// another situation of the same issue time, another climatology with the same survival table.
    @Test func whatRowsShareIsTheirsAlone() throws {
        let own = RandomModel.climatology
        let other = try #require(
            Climatology(
                slotsPerDay: own.slotsPerDay,
                openProbability: own.openProbability.values.map { min($0 * 1.5, 0.9) },
                durationSurvival: own.durationSurvival,
                openingsPerDay: own.openingsPerDay.values.map { $0 + 1 },
                coveredDays: own.coveredDays))
        var lawful = own
        lawful.lengthLaw = try RoundLaw.law()
        let known = SituationReader(Fixtures.shippedHistory).situation(
            at: Fixtures.moment("2026-02-20T17:20"))
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
        let (together, width) = (batch.rows.dense(), FeatureSchema.count)
        for (place, number) in order.enumerated() {
            let (builder, situation, bridge, lead, density) = rows[number]
            var alone = FeatureBatch()
            builder.append(bridge, leadMinutes: lead, density: density, in: situation, to: &alone)
            #expect(alone.rows.dense()[...] == together[place * width..<(place + 1) * width])
            #expect(alone.priorLogits[...] == batch.priorLogits[place * 12..<place * 12 + 12])
        }
    }

    /// The memory of a climatology that is gone may come to another; rows must not take one for the other.
    @Test func rowsOfAClimatologyThatIsGoneAreNotTakenForAnothers() throws {
        let own = RandomModel.climatology
        let known = SituationReader(Fixtures.shippedHistory).situation(
            at: Fixtures.moment("2026-02-20T17:20"))
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
                    openingsPerDay: own.openingsPerDay.values, coveredDays: own.coveredDays))
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
            for value: Double? in [15, nil, 31, -1] { basis.append(value, to: &row) }
            #expect(row.position == 12)
        }
        rows.appendRow(SparseRows.noList, SparseRows.noList, list)
        #expect(rows.dense() == [0, 0.75, 0.25] + Array(repeating: 0, count: 9))
        #expect(rows.entries(ofRow: 0).map(\.input) == [1, 2])
    }
}
