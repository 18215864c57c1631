import HTTPTypes
import Testing

@testable import BridgecastService

@Suite struct BodyBudgetTests {
    @Test func allRequestsTogetherHoldNoMoreThanTheBudget() throws {
        let budget = BodyBudget(most: 100)
        let first = budget.share()
        try first.take(60)
        try first.take(30)
        let second = budget.share()
        do {
            try second.take(11)
            Issue.record("more was held than there is")
        } catch {
            #expect(error.status == .serviceUnavailable)
            #expect(error.retryAfterSeconds == 5)
        }
        #expect(budget.bytesHeld == 90)
        try second.take(10)
        first.giveBack()
        first.giveBack()
        #expect(budget.bytesHeld == 10)
    }

    @Test func whatARequestHeldThatFailedIsGivenBack() throws {
        let budget = BodyBudget(most: 100)
        do {
            let share = budget.share()
            try share.take(70)
        }
        #expect(budget.bytesHeld == 0)
    }
}
