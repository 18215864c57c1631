// Models fitted again without a bridge, and scored on it.
import BridgecastCore
import BridgecastTestSupport
@testable import BridgecastTraining
import Testing

@Suite struct ColdStartTests {
    private static let history = Fixtures.shippedHistory.before(
        Fixtures.timestamp("2025-02-01T00:00"))

    private static var recipe: TrainingPlan {
        let cut = Fixtures.timestamp("2025-01-28T00:00")
        var plan = TrainingPlan(history: history, validationFrom: cut, validationTo: cut)
        plan.teachers = 1
        plan.minutesBetweenIssueTimes = 30
        plan.boostingPasses = 1
        plan.boosting.trees = 20
        plan.boosting.minRowsInLeaf = 50
        plan.settings.epochs = 2
        plan.settings.hiddenSizes = [16, 8]
        return plan
    }

    @Test func aBridgeWithoutHistoryGetsAPooledForecastOfLowConfidence() async throws {
        let cut = Fixtures.timestamp("2025-01-28T00:00")
        let evaluation = RefitEvaluation(history: Self.history, recipe: Self.recipe)
        let (found, rows) = try #require(
            await evaluation.withoutHistory(
                of: Fixtures.bridge("Fremont"), scoring: cut..<cut.adding(minutes: 2880)))
        #expect(found.confidence == .low)
        let low = try #require(ConfidenceScores.leftOut(.joined(rows)))
        #expect(low.rows == found.rows && low.confidence == .low)
        #expect(abs(low.meanForecast - found.meanForecast) < 1e-9)
        // The first day and the second are separate stages; there are no later ones.
        #expect(found.stages.map(\.fromDay) == [0, 1] && found.stages.map(\.rows) == [2304, 2304])
        #expect(ColdStart.stages([rows, rows]).map(\.rows) == [4608, 4608])
        #expect(found.rows == 2 * 288 * 8 && found.skillOverOwnRateByLead.count == 8)
        // Its own rate is not known, but that of other bridges is: the forecast is no nonsense.
        #expect(found.meanForecast > 0.003 && found.meanForecast < 0.1)
        // Its state is: two minutes ahead it beats the rate that it does not know.
        let soon = try #require(found.skillOverOwnRateByLead["2"])
        #expect(soon > 0.2)
    }
}
