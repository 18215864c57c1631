// X-Service-Time: every answer of the API says when it was sent by the service's clock, files of the page do not.
import BridgecastCore
import BridgecastTestSupport
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import BridgecastService

@Suite struct ServiceTimeTests {
    @Test func answersAndRefusalsSayIt() async throws {
        try await asking { client in
            for path in [
                "/api/v1/bridges", "/api/v1/bridges?issue_time=2026-02-19T17:50", "/nothing",
            ] {
                let answer = try await client.execute(uri: path, method: .get)
                // The service's own time, also where an answer is of another one.
                #expect(
                    answer.headers[.serviceTime] == TimeText.rfc3339(ServiceFixture.evening),
                    "\(path)")
            }
        }
    }

    @Test func filesOfThePageDoNot() async throws {
        let page = try PageFixture()
        defer { page.remove() }
        try await page.visiting { client in
            for path in ["/", "/main.js"] {
                let answer = try await client.execute(uri: path, method: .get)
                #expect(answer.status == .ok && answer.headers[.serviceTime] == nil)
            }
        }
    }

    @Test func theTextIsThatOfTheMomentWhicheverWasAskedForBefore() {
        let times = TimeTextMemory()
        let start = Fixtures.moment("2026-11-01T01:59:58-07:00")
        // Over the hour in which clocks go back, and back again, as a clock may be put.
        for seconds in [0, 0, 1, 2, 2, 3, 1, 3600, 0] as [Int64] {
            let moment = start.adding(seconds: seconds)
            #expect(times.text(moment) == TimeText.rfc3339(moment))
        }
    }
}
