// What may be known of the bridges at issue time, from records and from live states.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

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
        #expect(
            batch.rows.dense().allSatisfy(\.isFinite) && batch.priorLogits.allSatisfy(\.isFinite))
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
