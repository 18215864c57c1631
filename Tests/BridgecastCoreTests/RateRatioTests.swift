// A bridge without history is told the others' rate at first, and its own as its openings are counted.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct RateRatioTests {
    private static let history = Fixtures.shippedHistory
    /// When the bridges are first seen: records of all but one follow for five weeks.
    private static let firstSeen = Fixtures.moment("2026-01-24T00:00")

    /// The climatology without a bridge, and what is known of it that many days after it is first seen.
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
    private func meanTold(
        _ bridge: BridgeIndex, _ climatology: Climatology, _ situation: Situation
    ) -> Double {
        let told = (0..<288).map { step in
            Double(
                climatology.usualProbabilityBlocked(
                    at: bridge, arrival: situation.issueTime.adding(minutes: Double(step) * 5),
                    in: situation))
        }
        return told.reduce(0, +) / Double(told.count)
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

    @Test func aScaledChanceStaysAChanceAndARatioOfOneLeavesItAsItIs() {
        let often = RateRatio(openings: 40, expected: 1, ownDays: 0, openingsPerDay: 4)
        for probability: Float in [1e-5, 0.01, 0.3, 0.9, 1 - 1e-5] {
            #expect(RateRatio.one.scaled(probability) == probability)
            let scaled = often.scaled(probability)
            #expect(scaled >= probability && scaled < 1)
        }
        // What is rare is as many times as likely.
        #expect(abs(often.scaled(0.0001) / 0.0001 / often.value - 1) < 0.01)
    }

    @Test func withoutKnowledgeAndWithHistoryClimatologyStandsBitForBit() throws {
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
                let moment = MomentContext(leadMinutes: lead, after: issueTime)
                #expect(
                    BridgeContext(bridge, in: issue).usual(at: moment)
                        == full.openProbability(of: bridge, at: moment.validCivil))
            }
        }
    }

    @Test(arguments: ["Montlake", "South Park", "Fremont"])
    func aNewBridgeIsToldNearlyItsOwnRateAfterAMonthAndIsOnItsWayAfterAWeek(_ name: String) throws {
        let bridge = Fixtures.bridge(name)
        let window = Self.firstSeen..<Fixtures.moment("2026-03-01T00:00")
        let minutes = stride(from: 0.0, to: 36 * 1440, by: 5).map {
            window.lowerBound.adding(minutes: $0)
        }.filter { window.contains($0) }
        let raised = minutes.count { Self.history.isBlocked(at: $0, of: bridge) }
        let own = Double(raised) / Double(minutes.count)
        func error(days: Double) -> Double {
            let (climatology, situation) = cold(bridge, days: days)
            return abs(log(meanTold(bridge, climatology, situation) / own))
        }
        let (climatology, _) = cold(bridge, days: 0)
        let pooled = abs(
            log(meanTold(bridge, climatology, .unknown(at: Self.firstSeen)) / own))
        let (week, month) = (error(days: 7), error(days: 28))
        #expect(month < log(1.6), "within a factor of 1.6: \(exp(month))")
        // South Park opened twice as often as usual in its first week: a week of its own count tells no better.
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
        let told = (0..<3).map { -expm1(Double(batch.priorLogits[$0 * DelayBins.count])) }
        let usual = climatology.usualProbabilityBlocked(
            at: montlake, arrival: situation.issueTime.adding(minutes: 240), in: situation)
        #expect(abs(told[0] / Double(usual) - 1) < 0.02)
        #expect(told[0] < told[2] * 0.7)
        // Counts of today are live state: without it only the last four weeks' stay.
        #expect(abs(told[1] / told[0] - 1) < 0.1)
    }
}
