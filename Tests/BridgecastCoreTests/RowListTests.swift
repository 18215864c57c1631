// How rows of features are put together: groups, lists that rows share, soft bins.
@testable import BridgecastCore
import BridgecastTestSupport
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
