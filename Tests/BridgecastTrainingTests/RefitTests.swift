// Models fitted again at a cut date or without a bridge: to what came before, scored on what came after.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTraining
import Testing

@Suite struct RefitTests {
    private static let history = Fixtures.shippedHistory.before(Fixtures.moment("2025-02-01T00:00"))

    private static var recipe: TrainingPlan {
        let cut = Fixtures.moment("2025-01-28T00:00")
        var plan = TrainingPlan(history: history, validationFrom: cut, validationTo: cut)
        plan.teachers = 1
        plan.minutesBetweenIssueTimes = 30
        plan.boostingPasses = 1
        plan.boosting.trees = 20
        plan.boosting.leastRows = 50
        plan.settings.epochs = 2
        plan.settings.hiddenSizes = [16, 8]
        return plan
    }

    @Test func anOriginIsFittedToWhatCameBeforeItAndScoredOnWhatCameAfter() async throws {
        let cut = Fixtures.moment("2025-01-28T00:00")
        let evaluation = RefitEvaluation(history: Self.history, recipe: Self.recipe)
        let found = try #require(await evaluation.origin(at: cut, days: 2))
        #expect(found.origin.days == 2 && found.origin.skillByLead.count == 8)
        #expect(found.origin.skill.low <= found.origin.skill.value)
        // Other records after the cut change the scores but not one forecast of the first row.
        let emptied = OpeningHistory(
            records: Self.history.openings.flatMap(\.self).filter { $0.start < cut },
            coverage: Self.history.coverage)
        let quiet = try #require(
            await RefitEvaluation(history: emptied, recipe: Self.recipe).origin(at: cut, days: 2))
        let (a, b) = (found.rows.probabilities[.model], quiet.rows.probabilities[.model])
        #expect(a?.first == b?.first && a != b)
        #expect(
            try await evaluation.origin(at: Fixtures.moment("2016-01-01T00:00"), days: 2) == nil)
    }

    @Test func aBridgeWithoutHistoryGetsAPooledForecastOfLowConfidence() async throws {
        let cut = Fixtures.moment("2025-01-28T00:00")
        let evaluation = RefitEvaluation(history: Self.history, recipe: Self.recipe)
        let found = try #require(
            await evaluation.withoutHistory(
                of: Fixtures.bridge("Fremont"), scoring: cut..<cut.adding(minutes: 2880)))
        #expect(found.confidence == .low)
        #expect(found.rows == 2 * 288 * 8 && found.skillOverOwnRateByLead.count == 8)
        // Its own rate is not known, but that of other bridges is: the forecast is no nonsense.
        #expect(found.meanForecast > 0.003 && found.meanForecast < 0.1)
        // Its state is: two minutes ahead it beats the rate that it does not know.
        let soon = try #require(found.skillOverOwnRateByLead["2"])
        #expect(soon > 0.2)
    }
}
