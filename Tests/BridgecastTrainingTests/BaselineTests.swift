// Baselines against their definitions on records small enough to count by hand.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTraining
import Foundation
import Testing

@Suite struct BaselineTests {
    /// Two days of Fremont: up 10:00 to 10:06 and 10:30 to 10:50 on each.
    private static let history = OpeningHistory(
        records: ["03", "04"].flatMap { day in
            [
                Fixtures.opening("Fremont", "2026-02-\(day)T10:00", "2026-02-\(day)T10:06"),
                Fixtures.opening("Fremont", "2026-02-\(day)T10:30", "2026-02-\(day)T10:50"),
            ]
        },
        coverage: Coverage(
            periods: BridgeIndex.all.map { _ in
                [Fixtures.timestamp("2026-02-03T00:00")..<Fixtures.timestamp("2026-02-05T00:00")]
            }))

    private static func query(_ issue: String, lead: Double) -> BaselineQuery {
        let issueTime = Fixtures.timestamp(issue)
        return BaselineQuery(
            bridge: Fixtures.bridge("Fremont"), leadMinutes: lead,
            validCivil: SeattleTime.civil(at: issueTime.adding(minutes: lead)),
            situation: SituationReader(history).situation(at: issueTime))
    }

    @Test func theBaseRateIsTheShareOfCoveredTimeThatWasBlocked() {
        let found = BaseRate(Self.history)
            .probabilityBlocked(Self.query("2026-02-04T03:00", lead: 10))
        #expect(abs(Double(found) - 52.5 / (2880 + 100)) < 1e-6)
    }

    @Test func persistenceCountsWhatFollowsEachState() {
        let persistence = Persistence(Self.history)
        // Up on the five-minute grid at :00, :05, :30, :35, :40, :45; five minutes later still up
        // after :00, :30, :35 and :40, on both days.
        let raised = persistence.probabilityBlocked(Self.query("2026-02-04T10:35", lead: 5))
        #expect(abs(Double(raised) - (8 + 0.02) / (12 + 1)) < 1e-6)
        // Down: of the others, those at 9:55 and 10:25 are followed by up. The last time of the
        // period has nothing after it.
        let lowered = persistence.probabilityBlocked(Self.query("2026-02-04T09:00", lead: 5))
        #expect(abs(Double(lowered) - (4 + 0.02) / (576 - 12 - 1 + 1)) < 1e-6)
    }

    @Test func theBridgelocksRuleFollowsItsDefinition() {
        let rule = BridgelocksRule(Self.history)
        // While it is up: openings of 6 and 20 minutes, twice each; those over 15 minutes count.
        let raised = rule.probabilityBlocked(Self.query("2026-02-04T10:02", lead: 10))
        #expect(abs(Double(raised) - (2 + 0.02) / (4 + 1)) < 1e-6)
        // 10:15 to 10:30 was never blocked, 10:30 to 10:45 always: two days of 15 minutes.
        let quiet = rule.probabilityBlocked(Self.query("2026-02-04T10:10", lead: 10))
        let busy = rule.probabilityBlocked(Self.query("2026-02-04T10:10", lead: 25))
        let share = { (blocked: Double) in (blocked + 0.02) / 31 }
        #expect(
            abs(Double(busy) / Double(quiet) - share(30) / share(0)) < 0.01 * share(30) / share(0))
        // Ten minutes after a closing is less than every pause but the shortest (24 minutes).
        let expected = Climatology(ClimatologyCounts(Self.history), isSeasonal: false)
            .expectedOpenings(
                Fixtures.bridge("Fremont"), on: .weekday,
                from: CivilDateTime(
                    date: SeattleTime.civil(at: Fixtures.timestamp("2026-02-04T00:00")).date,
                    secondOfDay: 0),
                to: SeattleTime.civil(at: Fixtures.timestamp("2026-02-04T10:10")))
        let activity = min(max(1 / Double(expected), 0.5), 2)
        #expect(abs(Double(busy) - share(30) * 0.1 * activity) < 1e-4)
    }

    @Test func logisticRegressionLearnsThatAnOpeningGoesOn() {
        let history = Fixtures.shippedHistory.before(Fixtures.timestamp("2025-02-01T00:00"))
        let regression = LogisticRegression(history)
        let reader = SituationReader(history)
        let fremont = Fixtures.bridge("Fremont")
        let opening = history.openings[fremont.rawValue].last { ($0.minutes ?? 0) >= 5 }
        guard let opening else { return #expect(Bool(false), "no opening in the records") }
        var batch = FeatureBatch()
        for minutes in [1.0, -60] {
            regression.append(
                fremont, leadMinutes: 2,
                in: reader.situation(at: opening.start.adding(minutes: minutes)), to: &batch)
        }
        let found = regression.probabilities(batch, leadsMinutes: [2, 2])
        #expect(found[0] > 0.3 && found[1] < 0.1)
    }
}
