// The climatology against its definition, written again on the real records; the rate ratio of new bridges.
import BridgecastTestSupport
import Foundation
import Testing
@testable import BridgecastCore

@Suite struct ClimatologyTests {
    private let fremont = Fixtures.bridge("Fremont")

    /// The definition without seasons, written out without any of the code under test.
    @Test func followsItsDefinitionOnTheRealRecords() throws {
        let history = Fixtures.shippedHistory.before(Fixtures.timestamp("2025-02-01T00:00"))
        let climatology = Climatology(
            ClimatologyCounts(history), slotsPerDay: 1440, isSeasonal: false)
        var blocked = [Double](repeating: 0, count: 1440)
        var covered = blocked
        for period in history.coverage.periods[fremont.rawValue] {
            var time = period.lowerBound
            while time < period.upperBound {
                let civil = SeattleTime.civil(at: time)
                if DayType(civil.date) == .weekday {
                    covered[civil.secondOfDay / 60] += 1.0 / 60
                    if history.isBlocked(at: time, of: fremont) {
                        blocked[civil.secondOfDay / 60] += 1.0 / 60
                    }
                }
                time = time.adding(seconds: 1)
            }
        }
        // Ship canal bridges are closed to smaller vessels from 7 to 9 and from 16 to 18 (33 CFR 117.1051).
        let edges = [420, 540, 960, 1080]
        let nearEdges = edges.flatMap { [$0 - 1, $0, $0 + 20] }
        for minute in Array(stride(from: 5, to: 1440, by: 97)) + nearEdges {
            var sumBlocked = 0.0
            var sumCovered = 0.0
            var sumWeight = 0.0
            for offset in -75...75 {
                let other = (minute + offset + 1440) % 1440
                let isCut = edges.contains { edge in
                    min(minute, other) < edge && edge <= max(minute, other)
                        && abs(minute - other) <= 75
                }
                guard !isCut else { continue }
                let weight = exp(-0.5 * Double(offset * offset) / 225)
                sumBlocked += weight * blocked[other]
                sumCovered += weight * covered[other]
                sumWeight += weight
            }
            let expected = (sumBlocked / sumWeight + 0.02) / (sumCovered / sumWeight + 1)
            let civil = CivilDateTime(
                date: try #require(CivilDate(year: 2026, month: 2, day: 20)),
                secondOfDay: minute * 60)
            let found = Double(climatology.openProbability(of: fremont, at: civil))
            #expect(abs(found - expected) < 1e-5 + 1e-4 * expected, "minute \(minute)")
        }
    }

    /// The last ten minutes of a closed window have about the frequency that the records have in them, not that of the
    /// crowd of boats that waits for its end.
    @Test(arguments: ["Ballard", "Fremont", "University", "1st Ave South"])
    func theEndOfAClosedWindowIsNotMixedWithWhatFollows(_ name: String) throws {
        let history = Fixtures.shippedHistory
        let bridge = Fixtures.bridge(name)
        let climatology = Climatology(ClimatologyCounts(history))
        var raised = 0.0
        var covered = 0.0
        for period in history.coverage.periods[bridge.rawValue] {
            var time = period.lowerBound
            while time < period.upperBound {
                let civil = SeattleTime.civil(at: time)
                if DayType(civil.date) == .weekday, (1_070..<1_080).contains(civil.secondOfDay / 60)
                {
                    covered += 1
                    raised += history.isBlocked(at: time, of: bridge) ? 1 : 0
                }
                time = time.adding(seconds: 60)
            }
        }
        try #require(covered > 1_000)
        let date = try #require(CivilDate(year: 2026, month: 2, day: 20))
        let before = climatology.openProbability(
            of: bridge, at: CivilDateTime(date: date, secondOfDay: 1_075 * 60))
        let after = climatology.openProbability(
            of: bridge, at: CivilDateTime(date: date, secondOfDay: 1_085 * 60))
        #expect(abs(Double(before) - raised / covered) < 0.01, "\(before), \(raised / covered)")
        #expect(after > 3 * before)
    }

    @Test func foldsAddUpToTheWhole() {
        let history = Fixtures.shippedHistory
        let folds = ClimatologyCounts.folds(of: history, count: 5) { $0.dayNumber % 5 }
        var sum = ClimatologyCounts()
        for fold in folds { sum.add(fold) }
        let whole = ClimatologyCounts(history)
        for (a, b) in zip(
            sum.blocked.values + sum.openings.values, whole.blocked.values + whole.openings.values)
        {
            #expect(abs(a - b) < 1e-6)
        }
    }

    @Test func subtractingUndoesAdding() {
        let folds = ClimatologyCounts.folds(of: Fixtures.shippedHistory, count: 3) {
            $0.dayNumber % 3
        }
        var less = ClimatologyCounts(Fixtures.shippedHistory)
        var sum = ClimatologyCounts()
        less.subtract(folds[1])
        sum.add(folds[0])
        sum.add(folds[2])
        for (a, b) in zip(
            less.blocked.values + less.openings.values, sum.blocked.values + sum.openings.values)
        {
            #expect(abs(a - b) < 1e-6)
        }
        let bridge = Fixtures.bridge("Ballard")
        #expect(
            less.coveredDays(of: bridge, on: .weekend) == sum.coveredDays(of: bridge, on: .weekend))
        #expect(less.coveredDays(of: bridge, on: .weekend) > 20)
    }

    /// What a day expects is what its parts expect, wherever it is cut.
    @Test func expectedOpeningsAddUpOverTheDay() throws {
        let date = try #require(CivilDate(year: 2026, month: 2, day: 20))
        let bridge = Fixtures.bridge("Fremont")
        func expected(_ from: Int, _ to: Int) -> Double {
            Double(
                RandomModel.climatology.expectedOpenings(
                    bridge, on: .weekday, from: CivilDateTime(date: date, secondOfDay: from * 60),
                    to: CivilDateTime(date: date, secondOfDay: to * 60)))
        }
        let day = expected(0, 1_439)
        #expect(day > 3 && day < 12)
        for cut in [1, 400, 601, 965, 1_300] {
            #expect(abs(expected(0, cut) + expected(cut, 1_439) - day) < 1e-4, "cut at \(cut)")
        }
    }

    @Test func aBridgeWithoutRecordsGetsAPooledForecast() {
        let before = Fixtures.shippedHistory
        let spokane = Fixtures.bridge("Lower Spokane St")
        let recent = OpeningHistory(
            records: before.openings.flatMap(\.self),
            coverage: before.coverage.clamped(
                to: Fixtures.timestamp("2025-01-01T00:00")..<Fixtures.timestamp("2026-03-01T00:00"))
        )
        let climatology = Climatology(ClimatologyCounts(recent))
        #expect(climatology.coveredDays[spokane.rawValue] == 0)
        let civil = SeattleTime.civil(at: Fixtures.timestamp("2026-02-20T12:00"))
        let pooled = climatology.openProbability(of: spokane, at: civil)
        let others = BridgeIndex.all.filter { $0 != spokane }.map {
            climatology.openProbability(of: $0, at: civil)
        }
        #expect(abs(pooled - others.reduce(0, +) / 6) < 1e-6)
    }

    @Test func thePriorIsADistributionWhoseUnqueuedPartIsTheOpenProbability() {
        let climatology = RandomModel.climatology
        for probability in [Float(0.001), 0.05, 0.4] {
            let free = climatology.delay(fremont, openProbability: probability, density: 0)
            #expect(abs(free.probabilityDelayed - Double(probability)) < 1e-6)
            let queued = climatology.delay(fremont, openProbability: probability, density: 0.6)
            #expect(queued.probabilityDelayed > free.probabilityDelayed)
            #expect(abs(queued.probabilities.reduce(0, +) - 1) < 1e-6)
        }
    }

    @Test func longerOpeningsAreLessLikelyToLast() {
        let climatology = RandomModel.climatology
        for elapsed in stride(from: 0.0, through: 90, by: 3) {
            var last = 1.0
            for further in stride(from: 0.0, through: 60, by: 2) {
                let probability = climatology.probabilityOutlasts(
                    fremont, total: elapsed + further, elapsed: elapsed)
                #expect(probability > 0 && probability <= last + 1e-12)
                last = probability
            }
        }
    }
}

@Suite struct RateRatioTests {
    private static let history = Fixtures.shippedHistory
    /// When the bridges are first seen: records of all but one follow for five weeks.
    private static let firstSeen = Fixtures.timestamp("2026-01-24T00:00")

    /// The climatology without a bridge, and its evidence that many days after it is first seen.
    private func cold(
        _ bridge: BridgeIndex, days: Double
    ) -> (climatology: Climatology, situation: Situation) {
        let others = Self.history.before(Self.firstSeen).hiding(bridge, before: nil)
        let seen = Self.history.hiding(bridge, before: Self.firstSeen)
        return (
            Climatology(ClimatologyCounts(others)),
            SituationReader(seen).situation(at: Self.firstSeen.adding(minutes: days * 1440))
        )
    }

    /// The mean of P(blocked) over the 24 hours from the issue time on.
    private func meanForecast(
        _ bridge: BridgeIndex, _ climatology: Climatology, _ situation: Situation
    ) -> Double {
        let probabilities = (0..<288).map { step in
            Double(
                climatology.climatologicalProbabilityBlocked(
                    at: bridge, arrival: situation.issueTime.adding(minutes: Double(step) * 5),
                    in: situation))
        }
        return probabilities.reduce(0, +) / Double(probabilities.count)
    }

    @Test func theRatioIsTheMeanOfAGammaPosterior() {
        // Gamma(2.5, 2.5) and 3 openings where 12 were expected: Gamma(5.5, 14.5).
        let fresh = RateRatio(openings: 3, expected: 12, ownDays: 0, openingsPerDay: 4)
        #expect(abs(fresh.value - 5.5 / 14.5) < 1e-6)
        // 30 own days of 4 openings are 120 more, and being half the way to enough doubles the whole: 245.
        let half = RateRatio(openings: 3, expected: 12, ownDays: 30, openingsPerDay: 4)
        #expect(abs(half.value - 248 / 257) < 1e-6)
        #expect(RateRatio(openings: 0, expected: 0, ownDays: 0, openingsPerDay: 4) == .one)
        #expect(RateRatio(openings: 3, expected: 12, ownDays: 60, openingsPerDay: 4) == .one)
        let almost = RateRatio(openings: 3, expected: 12, ownDays: 59.9, openingsPerDay: 4)
        #expect(almost != .one && abs(almost.value - 1) < 1e-3)
    }

    @Test func aScaledProbabilityStaysAProbability() {
        let often = RateRatio(openings: 40, expected: 1, ownDays: 0, openingsPerDay: 4)
        for probability: Float in [1e-5, 0.01, 0.3, 0.9, 1 - 1e-5] {
            #expect(RateRatio.one.scaled(probability) == probability)
            let scaled = often.scaled(probability)
            #expect(scaled >= probability && scaled < 1)
        }
        // What is rare is as many times as likely.
        #expect(abs(often.scaled(0.0001) / 0.0001 / often.value - 1) < 0.01)
    }

    @Test func withoutCountsOrWithHistoryClimatologyIsNotCorrected() throws {
        let montlake = Fixtures.bridge("Montlake")
        let (pooled, _) = cold(montlake, days: 0)
        let unknown = Situation.unknown(at: Self.firstSeen)
        #expect(IssueContext(unknown, pooled).rateRatios.isEmpty)
        let full = Climatology(ClimatologyCounts(Self.history.before(Self.firstSeen)))
        let issueTime = Self.firstSeen.adding(minutes: 8 * 1440 + 700)
        let situation = SituationReader(Self.history).situation(at: issueTime)
        let issue = IssueContext(situation, full)
        #expect(issue.rateRatios.isEmpty)
        for bridge in BridgeIndex.all {
            #expect(
                situation[bridge].openingsInFourWeeks > 0
                    || bridge == Fixtures.bridge("Lower Spokane"))
            for lead in [0.0, 10, 60] {
                let valid = ValidTimeContext(leadMinutes: lead, after: issueTime)
                #expect(
                    BridgeContext(bridge, in: issue).openProbability(at: valid)
                        == full.openProbability(of: bridge, at: valid.civil))
            }
        }
    }

    @Test(arguments: ["Montlake", "South Park", "Fremont"])
    func aNewBridgeApproachesItsOwnRateInAMonth(_ name: String) throws {
        let bridge = Fixtures.bridge(name)
        let window = Self.firstSeen..<Fixtures.timestamp("2026-03-01T00:00")
        let minutes = stride(from: 0.0, to: 36 * 1440, by: 5).map {
            window.lowerBound.adding(minutes: $0)
        }.filter { window.contains($0) }
        let raised = minutes.count { Self.history.isBlocked(at: $0, of: bridge) }
        let own = Double(raised) / Double(minutes.count)
        func error(days: Double) -> Double {
            let (climatology, situation) = cold(bridge, days: days)
            return abs(log(meanForecast(bridge, climatology, situation) / own))
        }
        let (climatology, _) = cold(bridge, days: 0)
        let pooled = abs(
            log(meanForecast(bridge, climatology, .unknown(at: Self.firstSeen)) / own))
        let week = error(days: 7)
        let month = error(days: 28)
        #expect(month < log(1.6), "within a factor of 1.6: \(exp(month))")
        // South Park opened twice as often as usual in its first week: a week of its own count is no better evidence.
        guard name != "South Park" else { return }
        #expect(week < 0.8 * pooled, "\(exp(week)) after a week, \(exp(pooled)) by the pool")
    }

    @Test func countingBeginsWithTheFirstHour() {
        let montlake = Fixtures.bridge("Montlake")
        let (climatology, situation) = cold(montlake, days: 0.5)
        #expect(situation[montlake].coveredDaysInFourWeeks == [0, 0])
        #expect(situation[montlake].observedSince == Self.firstSeen)
        let ratio = RateRatio(montlake, in: situation, climatology).value
        #expect(ratio != 1 && ratio > 0.2 && ratio < 2)
    }

    @Test func forecastsBeyondAnHourKnowTheRateToo() {
        let montlake = Fixtures.bridge("Montlake")
        let (climatology, situation) = cold(montlake, days: 14.5)
        var batch = FeatureBatch()
        let builder = FeatureBuilder(climatology: climatology)
        for known in [situation, situation.withoutLiveState, .unknown(at: situation.issueTime)] {
            builder.append(montlake, leadMinutes: 240, density: 0, in: known, to: &batch)
        }
        let probabilities = (0..<3).map { -expm1(Double(batch.priorLogits[$0 * DelayBins.count])) }
        let usual = climatology.climatologicalProbabilityBlocked(
            at: montlake, arrival: situation.issueTime.adding(minutes: 240), in: situation)
        #expect(abs(probabilities[0] / Double(usual) - 1) < 0.02)
        #expect(probabilities[0] < probabilities[2] * 0.7)
        // Counts of today are live state: without it only the last four weeks' stay.
        #expect(abs(probabilities[1] / probabilities[0] - 1) < 0.1)
    }
}
