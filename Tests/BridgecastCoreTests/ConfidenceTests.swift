// How far forecasts are to be trusted, and why they are what they are.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct ConfidenceTests {
    private let issueTime = Fixtures.moment("2026-02-20T12:00")

    private func confidence(
        _ name: String, lead: Double, known: Bool, newest: String? = "2026-02-20T12:00"
    ) -> Confidence {
        let situation =
            known
            ? SituationReader(Fixtures.shippedHistory).situation(at: issueTime)
            : .unknown(at: issueTime)
        return Confidence(
            Fixtures.bridge(name), leadMinutes: lead, in: situation,
            climatology: RandomModel.climatology, newestRecord: newest.map(Fixtures.moment))
    }

    @Test func followsTheStatedRule() {
        #expect(confidence("Fremont", lead: 20, known: true) == .high)
        #expect(confidence("Fremont", lead: 21, known: true) == .medium)
        #expect(confidence("Fremont", lead: 5, known: false) == .medium)
        #expect(confidence("Fremont", lead: 5, known: true, newest: nil) == .low)
        #expect(
            confidence("Lower Spokane St", lead: 5, known: true, newest: "2018-03-27T00:00") == .low
        )
        #expect(Confidence.low < .medium && Confidence.medium < .high)
    }
}

@Suite struct ForecastReasonTests {
    @Test func saysWhichBoatIsOnItsWayAndWhichRuleHolds() throws {
        let issueTime = Fixtures.moment("2026-02-20T12:20")
        let day = Fixtures.moment("2026-02-20T00:00")..<Fixtures.moment("2026-02-21T00:00")
        let history = OpeningHistory(
            records: [Fixtures.opening("Ballard", "2026-02-20T12:08", "2026-02-20T12:13")],
            coverage: Coverage(periods: BridgeIndex.all.map { _ in [day] }))
        let reasons = ForecastReason(
            situation: SituationReader(history).situation(at: issueTime),
            climatology: RandomModel.climatology)
        #expect(
            reasons.phrases(
                for: Fixtures.bridge("Fremont"), arrival: issueTime.adding(minutes: 3))
                == ["Ballard went up 12 min ago; boats usually reach Fremont in 9 to 20"])
        #expect(
            reasons.phrases(
                for: Fixtures.bridge("1st Ave South"),
                arrival: Fixtures.moment("2026-02-20T15:30")) == [
                    "closed to smaller boats until 18:00"
                ])
        for bridge in BridgeIndex.all {
            #expect(!reasons.phrases(for: bridge, arrival: issueTime).isEmpty)
        }
    }
}
