// Reasons why a span that is down stays down: when each is told, when not, and that the records bear it out.
@testable import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@Suite struct DownReasonTests {
    private let fremont = BridgeIndex.fremont
    private let noon = Fixtures.moment("2026-02-20T12:00")

    /// What is told of Fremont at noon for an arrival so many minutes ahead; its last opening so many minutes ago.
    private func codes(
        lead: Double, loweredAgo: Double? = nil, _ forecast: UsualComparison,
        _ change: (inout Situation) -> Void = { _ in }
    ) -> [Reason.Code] {
        var situation = Situation.unknown(at: noon)
        situation[fremont].state = .lowered
        if let loweredAgo {
            let end = noon.adding(minutes: -loweredAgo)
            situation[fremont].recent = [KnownOpening(start: end.adding(minutes: -4), end: end)]
        }
        change(&situation)
        return ForecastReason(situation: situation, climatology: RandomModel.climatology)
            .reasons(for: fremont, arrival: noon.adding(minutes: lead), forecast: forecast)
            .map(\.code)
    }

    @Test func aBridgeThatHasJustComeDownIsToldWhereTheForecastIsBelowTheUsual() {
        #expect(codes(lead: 5, loweredAgo: 3, .farBelow) == [.downLately])
        #expect(codes(lead: 5, loweredAgo: 3, .below) == [.downLately])
        // Above the usual it is the queue, or openings that come in series.
        for forecast in [UsualComparison.same, .above, .farAbove] {
            #expect(codes(lead: 5, loweredAgo: 3, forecast) == [.loweredRecently])
        }
        #expect(codes(lead: 2, loweredAgo: 6, .farBelow) == [.downLately])
        #expect(codes(lead: 2.1, loweredAgo: 6, .farBelow) == [.downNow], "8 minutes are over")
        #expect(codes(lead: 10, loweredAgo: 15, .farBelow) == [.underUsual])
        #expect(codes(lead: 10, loweredAgo: 15, .same) == [.loweredRecently])
        // Nor where it is not known to be down, or a newer opening has no end.
        #expect(
            codes(lead: 5, loweredAgo: 3, .farBelow) { $0[fremont].state = .unknown }
                == [.underUsual])
        let unended = codes(lead: 5, loweredAgo: 3, .farBelow) {
            $0[fremont].recent.insert(
                KnownOpening(start: noon.adding(minutes: -1), end: nil), at: 0)
        }
        #expect(!unended.contains(.downLately))
    }

    @Test func thatABridgeIsDownNowCountsAsFarAheadAsItsOpeningsLast() {
        let length = RandomModel.climatology.meanOpeningMinutes(fremont)
        #expect(length > 3 && length < 8)
        #expect(codes(lead: length - 0.1, .farBelow) == [.downNow])
        #expect(codes(lead: length + 0.1, .farBelow) == [.underUsual])
        #expect(codes(lead: 1, .same) == [.usual])
        #expect(codes(lead: 1, .farAbove) == [.overUsual])
        #expect(codes(lead: 1, .farBelow) { $0[fremont].state = .unknown } == [.underUsual])
        #expect(
            codes(lead: 1, .farBelow) { $0[fremont].state = .raised(since: noon) } == [.underUsual])
    }

    @Test func aBridgeThatHasNotGoneUpForSixHoursIsToldSo() {
        func told(
            _ forecast: UsualComparison, lead: Double = 20, seenMinutes: Double = 360
        ) -> [Reason.Code] {
            codes(lead: lead, forecast) {
                $0[fremont].observedSince = noon.adding(minutes: -seenMinutes)
            }
        }
        #expect(told(.farBelow) == [.downLong] && told(.below) == [.downLong])
        #expect(told(.same) == [.usual] && told(.farAbove) == [.overUsual])
        #expect(told(.farBelow, lead: 30) == [.downLong])
        #expect(told(.farBelow, lead: 30.1) == [.underUsual])
        #expect(told(.farBelow, seenMinutes: 359) == [.underUsual], "not all of it was seen")
        #expect(codes(lead: 20, loweredAgo: 350, .farBelow) == [.underUsual])
        // A quiet day says it already.
        let quiet = codes(lead: 20, .farBelow) {
            $0[fremont].observedSince = Fixtures.moment("2026-02-20T00:00")
        }
        #expect(quiet.contains(.quietDay) != quiet.contains(.downLong))
    }

    @Test func whatNothingExplainsIsSaidAsSuch() {
        #expect(codes(lead: 20, .farBelow) == [.underUsual])
        #expect(codes(lead: 20, .farAbove) == [.overUsual])
        for forecast in [UsualComparison.below, .same, .above] {
            #expect(codes(lead: 20, forecast) == [.usual])
            let unknown = codes(lead: 20, forecast) { $0[fremont].state = .unknown }
            #expect(unknown == [.stateUnknown])
        }
    }

    @Test func reasonsForTheOtherSideAreLeftOut() {
        func told(_ forecast: UsualComparison) -> [Reason.Code] {
            codes(lead: 10, forecast) {
                $0[fremont].observedSince = Fixtures.moment("2026-02-20T00:00")
                $0[fremont].openingsToday = 12
                $0[.ballard].recent = [
                    KnownOpening(start: noon.adding(minutes: -2), end: nil)
                ]
            }
        }
        #expect(told(.same) == [.convoy, .busyDay] && told(.farAbove) == [.convoy, .busyDay])
        #expect(told(.farBelow) == [.downLong])
    }

    /// How often the span was up, over how often it usually is then.
    @Test func theRecordsBearThemOut() throws {
        let (history, climatology) = (Fixtures.shippedHistory, RandomModel.climatology)
        let reader = SituationReader(history)
        var ratios: [String: (blocked: Double, usual: Double)] = [:]
        for (start, days) in [("2017-10-26T00:00", 60.0), ("2025-01-03T00:00", 110)] {
            var issueTime = Fixtures.moment(start)
            let end = issueTime.adding(minutes: days * 1440)
            while issueTime < end {
                let reasons = ForecastReason(
                    situation: reader.situation(at: issueTime), climatology: climatology)
                for bridge in BridgeIndex.all where reasons.situation[bridge].state == .lowered {
                    for lead in [2.0, 5, 20] {
                        let arrival = issueTime.adding(minutes: lead)
                        guard history.coverage.contains(arrival, of: bridge) else { continue }
                        let blocked = history.isBlocked(at: arrival, of: bridge) ? 1.0 : 0
                        let usual = reasons.usualProbability(bridge, arrival)
                        for name in Self.groups(reasons, bridge, lead, arrival) {
                            ratios[name, default: (0, 0)].blocked += blocked
                            ratios[name, default: (0, 0)].usual += usual
                        }
                    }
                }
                issueTime = issueTime.adding(minutes: 10)
            }
        }
        func ratio(_ name: String) throws -> Double {
            let sums = try #require(ratios[name])
            return sums.blocked / sums.usual
        }
        #expect(try ratio("now") < 0.6)
        #expect(try ratio("lately") < 0.75 * ratio("somewhat later"))
        #expect(try ratio("long") < 0.85 * ratio("not long"))
    }

    /// The groups that a forecast counts in.
    private static func groups(
        _ reasons: ForecastReason, _ bridge: BridgeIndex, _ lead: Double, _ arrival: Timestamp
    ) -> [String] {
        let code = reasons.down(bridge, arrival)?.code
        if lead == 2 { return code == .downNow ? ["now"] : [] }
        if lead == 20 { return [reasons.downLong(bridge) == nil ? "not long" : "long"] }
        if code == .downLately { return ["lately"] }
        let own = reasons.reasons(for: bridge, arrival: arrival, forecast: .same).map(\.code)
        return own.contains(.loweredRecently) ? ["somewhat later"] : []
    }
}
