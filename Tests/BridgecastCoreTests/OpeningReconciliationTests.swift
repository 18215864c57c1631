// Recorded and observed openings become one list: nothing is lost, nothing is said twice.
@testable import BridgecastCore
import BridgecastTestSupport
import Testing

private let ballard = Fixtures.bridge("Ballard")
private let noon = Fixtures.moment("2026-02-20T12:00")

@Suite struct OpeningReconciliationTests {
    @Test func theCityIsNamedFirst() {
        #expect(Set([OpeningWitness.observed, .record]).sorted() == [.record, .observed])
        for witness in OpeningWitness.allCases { #expect(!(witness < witness)) }
    }

    @Test func observationsASecondApartStayTwo() {
        let first = Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:04")
        let second = Fixtures.opening("Fremont", "2026-02-20T12:04:01", "2026-02-20T12:09")
        let merged = OpeningReconciliation.reconcile(records: [], observed: [second, first])
        #expect(merged.map(\.opening) == [first, second])
    }

    private func opening(_ minute: Double, _ length: Double?) -> Opening {
        let start = noon.adding(minutes: minute)
        return Opening(bridge: ballard, start: start, end: length.map { start.adding(minutes: $0) })
    }

    @Test func aRecordAndAnObservationOfOneOpeningAreOneWithBothWitnesses() {
        let merged = OpeningReconciliation.reconcile(
            records: [opening(0, 5), opening(60, 4)],
            observed: [opening(-2.5, 6), opening(30, 4), opening(66.9, 1), opening(68, 3)])
        #expect(
            merged == [
                WitnessedOpening(opening: opening(0, 5), witnesses: [.record, .observed]),
                WitnessedOpening(opening: opening(30, 4), witnesses: [.observed]),
                WitnessedOpening(opening: opening(60, 4), witnesses: [.record, .observed]),
                WitnessedOpening(opening: opening(68, 3), witnesses: [.observed]),
            ])
    }

    @Test func anObservationWithoutEndIsMatchedByItsStart() {
        let merged = OpeningReconciliation.reconcile(
            records: [opening(0, 5)], observed: [opening(1, nil), opening(40, nil)])
        #expect(merged.map(\.witnesses) == [[.record, .observed], [.observed]])
    }

    /// Nothing is lost and nothing is said twice, whatever overlaps whatever.
    @Test func anyTwoListsKeepEveryOpening() {
        for seed: UInt64 in 0..<500 {
            var random = SeededGenerator(seed: seed)
            func list() -> [Opening] {
                var minute = 0.0
                return (0..<Int.random(in: 0...12, using: &random)).map { _ in
                    minute += Double.random(in: 6...40, using: &random)
                    return opening(minute, Double.random(in: 0...5, using: &random))
                }
            }
            let (records, observed) = (list(), list())
            let merged = OpeningReconciliation.reconcile(records: records, observed: observed)
            let recorded = merged.filter { $0.witnesses.contains(.record) }.map(\.opening)
            #expect(recorded == records, "seed \(seed)")
            for item in observed {
                let alone = merged.contains { $0.opening == item && $0.witnesses == [.observed] }
                let near = records.contains { record in
                    item.start <= (record.end ?? record.start).adding(seconds: 180)
                        && (item.end ?? item.start) >= record.start.adding(seconds: -180)
                }
                #expect(alone != near, "seed \(seed)")
            }
            let starts = merged.map(\.opening.start)
            #expect(starts == starts.sorted(), "seed \(seed)")
        }
    }
}
