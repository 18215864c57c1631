// Openings recorded in pieces become one; coverage; records and observations merged.
import BridgecastTestSupport
import Testing
@testable import BridgecastCore

@Suite struct OpeningConsolidationTests {
    private let first = Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:04")
    private let near = Fixtures.opening("Fremont", "2026-02-20T12:07", "2026-02-20T12:10")
    private let far = Fixtures.opening("Fremont", "2026-02-20T12:14", "2026-02-20T12:20")

    @Test func aGapOfThreeMinutesIsOneOpeningWithASeam() {
        let joined = OpeningConsolidation.consolidate([near, first], gapSeconds: 180)
        #expect(joined.count == 1)
        #expect(joined[0].start == first.start && joined[0].end == near.end)
        #expect(joined[0].seams == [Fixtures.timestamp("2026-02-20T12:04")..<near.start])
    }

    @Test func aWiderGapIsTwoOpenings() {
        #expect(OpeningConsolidation.consolidate([first, far], gapSeconds: 180) == [first, far])
        #expect(OpeningConsolidation.consolidate([first, near], gapSeconds: 179).count == 2)
    }

    @Test func overlapsAndRepetitionsBecomeOneWithoutSeam() {
        let overlap = Fixtures.opening("Fremont", "2026-02-20T12:02", "2026-02-20T12:09")
        let joined = OpeningConsolidation.consolidate([first, overlap, first], gapSeconds: 0)
        #expect(joined.count == 1 && joined[0].seams.isEmpty && joined[0].end == overlap.end)
        let next = Fixtures.opening("Fremont", "2026-02-20T12:04", "2026-02-20T12:06")
        let touching = OpeningConsolidation.consolidate([first, next], gapSeconds: 0)
        #expect(touching.count == 1 && touching[0].seams.isEmpty && touching[0].end == next.end)
    }

    @Test func orderDoesNotMatterAndASecondPassChangesNothing() {
        for seed: UInt64 in 0..<200 {
            var random = SeededGenerator(seed: seed)
            let openings = (0..<20).map { _ in
                let start = Int64.random(in: 0..<7_200, using: &random)
                return Opening(
                    bridge: Fixtures.bridge("Fremont"), start: Timestamp(secondsSinceEpoch: start),
                    end: Timestamp(
                        secondsSinceEpoch: start + Int64.random(in: 0..<600, using: &random)))
            }
            let once = OpeningConsolidation.consolidate(openings, gapSeconds: 180)
            let shuffled = OpeningConsolidation.consolidate(
                openings.shuffled(using: &random), gapSeconds: 180)
            #expect(once == shuffled, "seed \(seed)")
            let twice = OpeningConsolidation.consolidate(once, gapSeconds: 180)
            #expect(twice == once, "seed \(seed)")
        }
    }
}

@Suite struct CoverageTests {
    private let fremont = Fixtures.bridge("Fremont")
    private func span(_ from: String, _ to: String) -> Range<Timestamp> {
        Fixtures.timestamp("2026-02-" + from)..<Fixtures.timestamp("2026-02-" + to)
    }
    private func coverage(_ periods: [Range<Timestamp>]) -> Coverage {
        Coverage([fremont: periods])
    }

    @Test func overlappingPeriodsAreJoined() {
        let joined = coverage([span("03T00:00", "05T00:00"), span("01T00:00", "03T12:00")])
        #expect(joined.periods[fremont.rawValue] == [span("01T00:00", "05T00:00")])
        #expect(joined.contains(Fixtures.timestamp("2026-02-04T00:00"), of: fremont))
        #expect(!joined.contains(Fixtures.timestamp("2026-02-05T00:00"), of: fremont))
        #expect(joined.minutes(of: fremont) == 4 * 1440)
    }

    @Test func aHistoryIsCompletedWhereItDoesNotCoverABridge() {
        let fremont = Fixtures.bridge("Fremont")
        let ballard = Fixtures.bridge("Ballard")
        func history(
            _ openings: [Opening], _ periods: [BridgeIndex: (String, String)]
        ) -> OpeningHistory {
            OpeningHistory(
                records: openings,
                coverage: Coverage(
                    periods: BridgeIndex.all.map { bridge in
                        periods[bridge].map {
                            [Fixtures.timestamp($0.0)..<Fixtures.timestamp($0.1)]
                        }
                            ?? []
                    }))
        }
        let own = history(
            [
                Fixtures.opening("Fremont", "2026-02-19T12:00", "2026-02-19T12:04"),
                // Covered by none, and covered by the other alone.
                Fixtures.opening("Fremont", "2026-01-01T12:00", "2026-01-01T12:04"),
                Fixtures.opening("Ballard", "2026-02-19T12:01", "2026-02-19T12:05"),
            ], [fremont: ("2026-02-19T00:00", "2026-02-20T00:00")])
        let other = history(
            [
                Fixtures.opening("Fremont", "2026-02-18T12:00", "2026-02-18T12:04"),
                Fixtures.opening("Fremont", "2026-02-19T12:01", "2026-02-19T12:06"),
                Fixtures.opening("Ballard", "2026-02-19T12:00", "2026-02-19T12:06"),
            ],
            [
                fremont: ("2026-02-18T00:00", "2026-02-19T18:00"),
                ballard: ("2026-02-18T00:00", "2026-02-20T00:00"),
            ])
        let both = own.completed(by: other)
        #expect(
            both.openings[fremont.rawValue] == [
                Fixtures.opening("Fremont", "2026-01-01T12:00", "2026-01-01T12:04"),
                Fixtures.opening("Fremont", "2026-02-18T12:00", "2026-02-18T12:04"),
                Fixtures.opening("Fremont", "2026-02-19T12:00", "2026-02-19T12:04"),
            ])
        #expect(
            both.openings[ballard.rawValue] == [
                Fixtures.opening("Ballard", "2026-02-19T12:00", "2026-02-19T12:06")
            ])
        #expect(
            both.coverage.periods[fremont.rawValue] == [
                Fixtures.timestamp("2026-02-18T00:00")..<Fixtures.timestamp("2026-02-20T00:00")
            ])
        #expect(both.coverage.periods[ballard.rawValue] == other.coverage.periods[ballard.rawValue])
    }

    @Test func anOpeningWithoutEndIsNotCovered() {
        let history = OpeningHistory(
            records: [
                Fixtures.opening("Fremont", "2026-02-20T10:00", nil),
                Fixtures.opening("Fremont", "2026-02-20T10:40", "2026-02-20T10:45"),
                Fixtures.opening("Fremont", "2026-02-20T15:00", nil),
            ], coverage: coverage([span("20T00:00", "21T00:00")]))
        #expect(history.openings[fremont.rawValue].count == 1)
        #expect(
            history.coverage.periods[fremont.rawValue] == [
                span("20T00:00", "20T10:00"), span("20T10:40", "20T15:00"),
                span("20T17:00", "21T00:00"),
            ])
    }

    /// What was recorded in pieces is one opening only for those who know the last piece.
    @Test(arguments: [
        ("20T12:03", "20T12:03"), ("20T12:04", "20T12:04"), ("20T12:06", "20T12:04"),
        ("20T12:07", "20T12:04"), ("20T12:08", "20T12:08"), ("20T12:10", "20T12:10"),
    ])
    func beforeATimeAnOpeningEndsWhereItWasSeenToEnd(_ example: (String, String)) throws {
        let history = OpeningHistory(
            records: [
                Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:04"),
                Fixtures.opening("Fremont", "2026-02-20T12:07", "2026-02-20T12:10"),
            ], coverage: coverage([span("20T00:00", "21T00:00")]))
        let cut = Fixtures.timestamp("2026-02-" + example.0)
        let known = history.before(cut).openings[fremont.rawValue]
        #expect(known.count == 1)
        #expect(try #require(known.first).end == Fixtures.timestamp("2026-02-" + example.1))
        #expect(known.allSatisfy { $0.seams.allSatisfy { $0.upperBound < cut } })
    }

    @Test func aRepetitionWithTheEndFillsItIn() {
        let history = OpeningHistory(
            records: [
                Fixtures.opening("Fremont", "2026-02-20T10:00", nil),
                Fixtures.opening("Fremont", "2026-02-20T10:00", "2026-02-20T10:05"),
            ], coverage: coverage([span("20T00:00", "21T00:00")]))
        #expect(history.coverage.minutes(of: fremont) == 1440)
        #expect(history.openings[fremont.rawValue].map(\.minutes) == [5])
    }
}

private let ballard = Fixtures.bridge("Ballard")
private let noon = Fixtures.timestamp("2026-02-20T12:00")

@Suite struct OpeningReconciliationTests {
    @Test func theCityComesFirst() {
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

    @Test func aRecordAndItsObservationAreOneOpening() {
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

    /// Nothing is lost and nothing is repeated, whatever overlaps whatever.
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
            let records = list()
            let observed = list()
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
