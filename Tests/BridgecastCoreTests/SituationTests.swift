// What may be known of the bridges at issue time, from records and from live states.
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore

@Suite struct SituationTests {
    private let fremont = Fixtures.bridge("Fremont")
    private func history(_ records: [Opening]) -> OpeningHistory {
        let day = Fixtures.timestamp("2026-02-20T00:00")..<Fixtures.timestamp("2026-02-21T00:00")
        return OpeningHistory(
            records: records, coverage: Coverage(day))
    }
    private func situation(_ records: [Opening], _ time: String) -> BridgeSituation {
        SituationReader(history(records))
            .situation(at: Fixtures.timestamp("2026-02-20T" + time))[fremont]
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
        #expect(
            situation(pieces, "12:05").recent.first?.end == Fixtures.timestamp("2026-02-20T12:04"))
        #expect(situation(pieces, "12:08").state == .raised(since: pieces[0].start))
    }

    /// Whatever comes after the issue time, the situation is that of the records up to it; also on the day after a gap began.
    @Test func aSeamOverMidnightTellsNothingOfItsSecondPiece() {
        let days = Fixtures.timestamp("2026-02-01T00:00")..<Fixtures.timestamp("2026-02-25T00:00")
        func reader(_ records: [Opening]) -> SituationReader {
            SituationReader(OpeningHistory(records: records, coverage: Coverage(days)))
        }
        let first = [
            Fixtures.opening("Fremont", "2026-02-20T09:00", "2026-02-20T09:05"),
            Fixtures.opening("Fremont", "2026-02-20T23:43", "2026-02-20T23:58"),
        ]
        let second = Fixtures.opening("Fremont", "2026-02-21T00:01", "2026-02-21T00:20")
        let longer = Fixtures.opening("Fremont", "2026-02-21T00:01", "2026-02-21T00:50")
        let pieces = reader(first + [second])
        for seconds in stride(from: Int64(-300), to: 181, by: 30) {
            let time = second.start.adding(seconds: seconds)
            let known = reader(seconds < 0 ? first : first + [longer]).situation(at: time)
            #expect(pieces.situation(at: time) == known, "\(seconds) s")
        }
        let inTheGap = pieces.situation(at: Fixtures.timestamp("2026-02-21T00:00"))[fremont]
        #expect(inTheGap.state == .lowered && inTheGap.openingsInFourWeeks == 2)
        #expect(
            inTheGap.lengthsInFourWeeks.count == 2 && inTheGap.lengthsInFourWeeks.longCount == 1)
        let underWay = pieces.situation(at: second.start)[fremont]
        #expect(underWay.state == .raised(since: first[1].start))
        #expect(underWay.lengthsInFourWeeks.count == 1)
    }

    @Test func nothingIsKnownOutsideCoverageOrInItsFirstHour() {
        let opening = Fixtures.opening("Fremont", "2026-02-20T00:10", "2026-02-20T00:20")
        #expect(situation([opening], "00:30").state == .unknown)
        #expect(situation([opening], "01:00").state == .lowered)
        let after = SituationReader(history([opening]))
            .situation(at: Fixtures.timestamp("2026-02-21T00:00"))
        #expect(after[fremont].state == .unknown && after[fremont].observedSince == nil)
    }

    @Test func liveStatesOverrideRecordsUnlessTheyAreStale() {
        let lowered = SituationReader(history([]))
            .situation(at: Fixtures.timestamp("2026-02-20T12:00"))
        let since = Fixtures.timestamp("2026-02-20T11:57")
        var live = LiveSnapshot(
            asOf: Fixtures.timestamp("2026-02-20T11:58"), states: [fremont: .raised(since: since)])
        let raised = lowered.applying(live)
        #expect(raised[fremont].state == .raised(since: since))
        #expect(raised[fremont].recent == [KnownOpening(start: since, end: nil)])
        live.asOf = Fixtures.timestamp("2026-02-20T11:50")
        #expect(lowered.applying(live) == lowered)
    }

    /// Clocks that run ahead, spans that have been stuck for a month: odd, but no reason to fail.
    @Test(arguments: [-60.0, 0, 3, 90, 43_200]) func anyStartOfARaisedSpanGivesAForecast(
        _ minutesAgo: Double
    ) {
        let issue = Fixtures.timestamp("2026-02-20T12:00")
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

    @Test func liveStatesAfterTheIssueTimeAreNotUsed() {
        let asOf = Fixtures.timestamp("2026-02-20T18:02")
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
        let issue = Fixtures.timestamp("2026-02-20T12:00")
        let live = LiveSnapshot(
            asOf: issue, states: [fremont: .lowered],
            openings: [
                Fixtures.opening("Fremont", "2026-02-20T12:01", "2026-02-20T12:05"),
                Fixtures.opening("Fremont", "2026-02-20T11:30", "2026-02-20T11:35"),
            ], observedSince: [Fixtures.bridge("Fremont"): Fixtures.timestamp("2026-02-20T09:00")])
        let situation = Situation.unknown(at: issue).applying(live)
        #expect(
            situation[fremont].recent == [
                KnownOpening(
                    start: Fixtures.timestamp("2026-02-20T11:30"),
                    end: Fixtures.timestamp("2026-02-20T11:35"))
            ])
        #expect(situation[fremont].openingsToday == 1)
    }
}

@Suite struct FourWeeksTests {
    @Test func nothingIsCoveredWhereNothingIsKnown() {
        #expect(BridgeSituation.unknown.coveredDaysInFourWeeks == [0, 0])
        #expect(BridgeSituation.unknown.openingsInFourWeeks == 0)
    }

    /// The 28 days before today, whatever the hour; days without coverage and their openings do not count.
    @Test(arguments: [
        "2026-02-20T00:00", "2026-02-20T12:34", "2025-01-12T23:59", "2018-03-13T05:00",
    ])
    func openingsAndCoveredDaysAreThoseOfTheDaysBefore(_ time: String) {
        let history = Fixtures.shippedHistory
        let issueTime = Fixtures.timestamp(time)
        let situation = SituationReader(history).situation(at: issueTime)
        let today = SeattleTime.civil(at: issueTime).date.dayNumber
        for bridge in BridgeIndex.all {
            var days = [0.0, 0.0]
            var openings = 0
            for day in (today - 28)..<today {
                let date = CivilDate(dayNumber: day)
                let start = SeattleTime.startOfDay(date)
                let end = SeattleTime.startOfDay(date.adding(days: 1))
                let covered = history.coverage.clamped(to: start..<end).periods[bridge.rawValue]
                guard !covered.isEmpty else { continue }
                // An hour counts as much as the share of a day's openings that it has.
                days[DayType(date).rawValue] += covered.reduce(0) { sum, period in
                    let last = SeattleTime.civil(at: period.upperBound).secondOfDay
                    return sum
                        + FourWeeks.shareOfDay(before: period.upperBound == end ? 86_400 : last)
                        - FourWeeks.shareOfDay(
                            before: SeattleTime.civil(at: period.lowerBound).secondOfDay)
                }
                openings += history.openings[bridge.rawValue].count {
                    (start..<end).contains($0.start)
                        && history.coverage.contains($0.start, of: bridge)
                }
            }
            let name = BridgeCatalogue[bridge].name
            #expect(situation[bridge].openingsInFourWeeks == openings, "\(name)")
            // An opening's length is known once it is over, so that it counts on the day of its end.
            let over = history.openings[bridge.rawValue].filter { opening in
                guard let end = opening.end, history.coverage.contains(opening.start, of: bridge)
                else { return false }
                let day = SeattleTime.civil(at: end).date
                let whole =
                    SeattleTime.startOfDay(day)..<SeattleTime.startOfDay(day.adding(days: 1))
                return (today - 28..<today).contains(day.dayNumber)
                    && history.coverage.clamped(to: whole).minutes(of: bridge) > 0
            }
            let lengths = situation[bridge].lengthsInFourWeeks
            #expect(lengths.count == over.count, "\(name)")
            #expect(lengths.longCount == over.count { $0.minutes ?? 0 >= 12 }, "\(name)")
            for (found, expected) in zip(situation[bridge].coveredDaysInFourWeeks, days) {
                #expect(abs(found - expected) < 1e-4, "\(name)")
            }
        }
    }

    /// Coverage that ends in the middle of a day, with an opening on that day.
    @Test func theLastDayMayBeHalfCovered() {
        let fremont = Fixtures.bridge("Fremont")
        var periods = Coverage.empty.periods
        periods[fremont.rawValue] = [
            Fixtures.timestamp("2026-02-18T00:00")..<Fixtures.timestamp("2026-02-20T12:00")
        ]
        let history = OpeningHistory(
            records: [Fixtures.opening("Fremont", "2026-02-20T11:00", "2026-02-20T11:05")],
            coverage: Coverage(periods: periods))
        let situation = SituationReader(history).situation(
            at: Fixtures.timestamp("2026-02-21T08:00"))
        #expect(situation[fremont].openingsInFourWeeks == 1)
        let days = situation[fremont].coveredDaysInFourWeeks
        // Morning has less than half of a day's openings.
        #expect(abs(days[0] - (2 + FourWeeks.hourlyShares[..<12].reduce(0, +))) < 1e-6)
        #expect(days[0] > 2.35 && days[0] < 2.45 && days[1] == 0)
    }
}
