// What is said of records that contradict themselves where they are scored.
import BridgecastCore
import BridgecastTestSupport
import Testing

@testable import BridgecastCLI

struct RecordsReviewTextTests {
    @Test func `days of a missing month are named where they are scored, and no others`() {
        let month = Fixtures.moment("2025-03-01T00:00")..<Fixtures.moment("2025-04-01T00:00")
        let shipped = Fixtures.shippedHistory
        let history = OpeningHistory(
            records: shipped.openings.joined().filter { !month.contains($0.start) },
            coverage: shipped.coverage)
        let inside = Fixtures.moment("2025-03-15T00:00")..<Fixtures.moment("2025-03-17T00:00")
        let later = Fixtures.moment("2026-02-15T00:00")..<Fixtures.moment("2026-02-17T00:00")
        let told = RecordsReviewText.scored(history, in: [inside])
        #expect(told.contains { $0.contains("it is scored all the same") }, "\(told)")
        #expect(RecordsReviewText.scored(history, in: [later]).isEmpty)
        #expect(RecordsReviewText.scored(shipped, in: [inside, later]).isEmpty)
    }
}
