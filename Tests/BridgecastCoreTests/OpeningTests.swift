// Openings recorded in pieces become one, and coverage says for which times they are all there.
@testable import BridgecastCore
import BridgecastTestSupport
import Testing

@Suite struct OpeningConsolidationTests {
    private let first = Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:04")
    private let near = Fixtures.opening("Fremont", "2026-02-20T12:07", "2026-02-20T12:10")
    private let far = Fixtures.opening("Fremont", "2026-02-20T12:14", "2026-02-20T12:20")

    @Test func aGapOfThreeMinutesIsOneOpeningWithASeam() {
        let joined = OpeningConsolidation.consolidate([near, first], gapSeconds: 180)
        #expect(joined.count == 1)
        #expect(joined[0].start == first.start && joined[0].end == near.end)
        #expect(joined[0].seams == [Fixtures.moment("2026-02-20T12:04")..<near.start])
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
        Fixtures.moment("2026-02-" + from)..<Fixtures.moment("2026-02-" + to)
    }
    private func coverage(_ periods: [Range<Timestamp>]) -> Coverage {
        Coverage([fremont: periods])
    }

    @Test func overlappingPeriodsAreJoined() {
        let joined = coverage([span("03T00:00", "05T00:00"), span("01T00:00", "03T12:00")])
        #expect(joined.periods[fremont.rawValue] == [span("01T00:00", "05T00:00")])
        #expect(joined.contains(Fixtures.moment("2026-02-04T00:00"), of: fremont))
        #expect(!joined.contains(Fixtures.moment("2026-02-05T00:00"), of: fremont))
        #expect(joined.minutes(of: fremont) == 4 * 1440)
    }

    @Test func aHistoryIsCompletedWhereItDoesNotCoverABridge() {
        let (fremont, ballard) = (Fixtures.bridge("Fremont"), Fixtures.bridge("Ballard"))
        func history(
            _ openings: [Opening], _ periods: [BridgeIndex: (String, String)]
        ) -> OpeningHistory {
            OpeningHistory(
                records: openings,
                coverage: Coverage(
                    periods: BridgeIndex.all.map { bridge in
                        periods[bridge].map { [Fixtures.moment($0.0)..<Fixtures.moment($0.1)] }
                            ?? []
                    }))
        }
        let own = history(
            [
                Fixtures.opening("Fremont", "2026-02-19T12:00", "2026-02-19T12:04"),
                // Covered by nobody, and covered by the other alone.
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
                Fixtures.moment("2026-02-18T00:00")..<Fixtures.moment("2026-02-20T00:00")
            ])
        #expect(both.coverage.periods[ballard.rawValue] == other.coverage.periods[ballard.rawValue])
    }

    @Test func anOpeningWithoutEndTakesCoverageAwayUntilTheNext() {
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
    func beforeAMomentAnOpeningEndsWhereItWasSeenToEnd(_ example: (String, String)) throws {
        let history = OpeningHistory(
            records: [
                Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:04"),
                Fixtures.opening("Fremont", "2026-02-20T12:07", "2026-02-20T12:10"),
            ], coverage: coverage([span("20T00:00", "21T00:00")]))
        let cut = Fixtures.moment("2026-02-" + example.0)
        let known = history.before(cut).openings[fremont.rawValue]
        #expect(known.count == 1)
        #expect(try #require(known.first).end == Fixtures.moment("2026-02-" + example.1))
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
