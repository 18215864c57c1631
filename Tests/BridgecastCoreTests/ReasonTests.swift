// How long a span that is up usually stays up, and how that is said.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct ReasonTests {
    /// Of ten openings six last up to 4 minutes, the others up to 8.
    private static let climatology: Climatology? = {
        let survival = (0..<Climatology.survivalCount).map { minute -> Float in
            minute < 4 ? 1 : minute < 8 ? 0.4 : 0
        }
        let bridges = BridgeCatalogue.count
        return Climatology(
            slotsPerDay: 1, openProbability: Array(repeating: 0.05, count: bridges * 2),
            durationSurvival: (0..<bridges).flatMap { _ in survival },
            openingsPerDay: Array(repeating: 5, count: bridges * 2),
            coveredDays: Array(repeating: 100, count: bridges))
    }()
    private let fremont = Fixtures.bridge("Fremont")

    @Test func theRestOfAnOpeningFollowsFromHowLongItHasLasted() throws {
        let climatology = try #require(Self.climatology)
        func left(_ elapsed: Double, _ share: Double) -> Double {
            BridgeContext(
                fremont,
                in: IssueContext(
                    .unknown(at: Fixtures.moment("2026-02-20T12:00")), climatology)
            ).minutesLeft(elapsed: elapsed, share: share)
        }
        // Between the whole minutes of the table the survival falls evenly.
        #expect(left(0, 0.25) == 3.5 && left(0, 0.5) == 4 && left(0, 0.9) == 8)
        #expect(left(2, 0.5) == 2 && left(2, 0.9) == 6)
        // It has outlasted the short ones: it is one of the long ones.
        #expect(left(5, 0.4) == 2.5 && left(5, 0.9) == 3)
    }

    @Test func theWordsSayIt() throws {
        let now = Fixtures.moment("2026-02-20T12:00")
        func words(_ state: SpanState) throws -> String? {
            var situation = Situation.unknown(at: now)
            situation[fremont].state = state
            return ForecastReason(
                situation: situation, climatology: try #require(Self.climatology)
            ).stillUp(fremont)
        }
        #expect(
            try words(.raised(since: now.adding(minutes: -2)))
                == "Fremont is up; of its openings that have lasted 2 min half are over after 2 min more, "
                + "nine in ten after 6 min")
        #expect(
            try words(.raised(since: nil))
                == "Fremont is up; of its openings half are over after 4 min, nine in ten after 8 min"
        )
        #expect(try words(.lowered) == nil && words(.unknown) == nil)
    }

    @Test func theWordsAreSaidWhereLengthsSettleTheArrival() throws {
        let now = Fixtures.moment("2026-02-20T12:00")
        var situation = Situation.unknown(at: now)
        func certainty(lead: Double, density: Double) throws -> String? {
            ForecastReason(situation: situation, climatology: try #require(Self.climatology))
                .certainty(of: fremont, leadMinutes: lead, density: density)
        }
        #expect(try certainty(lead: 1, density: 0) == nil, "not known to be up")
        situation[fremont].state = .raised(since: now.adding(minutes: -2))
        let soon = try #require(try certainty(lead: 1, density: 0))
        #expect(soon.hasSuffix("nine in ten after 6 min"))
        // It will be down by then, and without traffic there is no queue.
        #expect(try certainty(lead: 5, density: 0) == nil)
        let queue = try #require(try certainty(lead: 5, density: 0.6))
        #expect(queue.hasSuffix("; its queue stands for longer"))
        #expect(try certainty(lead: 40, density: 0.6) == nil)
    }
}
