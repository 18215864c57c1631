// Openings, coverage, and what may be known of them at issue time.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
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

@Suite struct SituationTests {
    private let fremont = Fixtures.bridge("Fremont")
    private func history(_ records: [Opening]) -> OpeningHistory {
        let day = Fixtures.moment("2026-02-20T00:00")..<Fixtures.moment("2026-02-21T00:00")
        return OpeningHistory(
            records: records, coverage: Coverage(day))
    }
    private func situation(_ records: [Opening], _ time: String) -> BridgeSituation {
        SituationReader(history(records))
            .situation(at: Fixtures.moment("2026-02-20T" + time))[fremont]
    }

    @Test func theEndOfAnOpeningIsNotKnownWhileItLasts() {
        let opening = Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:06")
        #expect(situation([opening], "11:59").state == .lowered)
        let during = situation([opening], "12:03")
        #expect(during.state == .raised(since: opening.start))
        #expect(during.recent == [KnownOpening(start: opening.start, end: nil)])
        #expect(situation([opening], "12:06").state == .lowered)
    }

    @Test func aSeamLooksLikeALoweredSpanWhileItLasts() {
        let pieces = [
            Fixtures.opening("Fremont", "2026-02-20T12:00", "2026-02-20T12:04"),
            Fixtures.opening("Fremont", "2026-02-20T12:07", "2026-02-20T12:10"),
        ]
        #expect(situation(pieces, "12:05").state == .lowered)
        #expect(situation(pieces, "12:05").recent.first?.end == Fixtures.moment("2026-02-20T12:04"))
        #expect(situation(pieces, "12:08").state == .raised(since: pieces[0].start))
    }

    @Test func nothingIsKnownOutsideCoverageOrInItsFirstHour() {
        let opening = Fixtures.opening("Fremont", "2026-02-20T00:10", "2026-02-20T00:20")
        #expect(situation([opening], "00:30").state == .unknown)
        #expect(situation([opening], "01:00").state == .lowered)
        let after = SituationReader(history([opening]))
            .situation(at: Fixtures.moment("2026-02-21T00:00"))
        #expect(after[fremont].state == .unknown && after[fremont].observedSince == nil)
    }

    @Test func liveStatesOverrideRecordsUnlessTheyAreStale() {
        let lowered = SituationReader(history([]))
            .situation(at: Fixtures.moment("2026-02-20T12:00"))
        let since = Fixtures.moment("2026-02-20T11:57")
        var live = LiveSnapshot(
            asOf: Fixtures.moment("2026-02-20T11:58"), states: [fremont: .raised(since: since)])
        let raised = lowered.applying(live)
        #expect(raised[fremont].state == .raised(since: since))
        #expect(raised[fremont].recent == [KnownOpening(start: since, end: nil)])
        live.asOf = Fixtures.moment("2026-02-20T11:50")
        #expect(lowered.applying(live) == lowered)
    }

    /// Clocks that run ahead, spans that have been stuck for a month: odd, but no reason to fail.
    @Test(arguments: [-60.0, 0, 3, 90, 43_200]) func anyStartOfARaisedSpanGivesAForecast(
        _ minutesAgo: Double
    ) {
        let issue = Fixtures.moment("2026-02-20T12:00")
        let live = LiveSnapshot(
            asOf: issue, states: [fremont: .raised(since: issue.adding(minutes: -minutesAgo))])
        let situation = Situation.unknown(at: issue).applying(live)
        var batch = FeatureBatch()
        for lead in [0.0, 10, 60] {
            for density in [Float(0), 0.9] {
                FeatureBuilder(climatology: RandomModel.climatology).append(
                    fremont, leadMinutes: lead, density: density, in: situation, to: &batch)
            }
        }
        #expect(batch.features.allSatisfy(\.isFinite) && batch.priorLogits.allSatisfy(\.isFinite))
        for row in 0..<batch.rowCount {
            let logits = batch.priorLogits[row * 12..<(row + 1) * 12]
            let delay = DelayDistribution(logits.map { exp($0) })
            #expect(row > 1 || delay.probabilityDelayed > 0.9, "it is up now")
        }
    }

    @Test func liveStatesOfAfterTheIssueTimeAreNotUsed() {
        let asOf = Fixtures.moment("2026-02-20T18:02")
        let live = LiveSnapshot(asOf: asOf, states: [fremont: .raised(since: nil)])
        for (minutes, isUsed) in [
            (-4.0, false), (-2, false), (-0.5, true), (0, true), (5, true), (6, false),
        ] {
            let issueTime = asOf.adding(minutes: minutes)
            let situation = Situation.unknown(at: issueTime).applying(live)
            #expect((situation[fremont].state != .unknown) == isUsed, "\(minutes) min")
        }
    }

    @Test func liveOpeningsAfterTheIssueTimeAreNotUsed() {
        let issue = Fixtures.moment("2026-02-20T12:00")
        let live = LiveSnapshot(
            asOf: issue, states: [fremont: .lowered],
            openings: [
                Fixtures.opening("Fremont", "2026-02-20T12:01", "2026-02-20T12:05"),
                Fixtures.opening("Fremont", "2026-02-20T11:30", "2026-02-20T11:35"),
            ], observedSince: [Fixtures.bridge("Fremont"): Fixtures.moment("2026-02-20T09:00")])
        let situation = Situation.unknown(at: issue).applying(live)
        #expect(
            situation[fremont].recent == [
                KnownOpening(
                    start: Fixtures.moment("2026-02-20T11:30"),
                    end: Fixtures.moment("2026-02-20T11:35"))
            ])
        #expect(situation[fremont].openingsToday == 1)
    }
}
