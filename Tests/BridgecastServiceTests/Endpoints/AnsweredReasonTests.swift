// Reasons in the service's answers: on every surface they go the way of the chance that stands beside them.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastService

@Suite struct AnsweredReasonTests {
    /// Codes of reasons for more and for less, as the documentation has them.
    private static let more: Set = [
        "raised", "raised_for", "raised_long", "lowered_recently", "convoy", "convoy_in_order",
        "neighbour_often", "window_ended", "long_openings", "busy_day", "over_usual",
    ]
    private static let less: Set = [
        "closed_window", "quiet_day", "down_now", "down_lately", "down_long", "under_usual",
    ]

    /// Checks an answer's reasons against its chances; returns their codes.
    private func check(_ answer: [String: Any]) throws -> [String] {
        let chance = try #require(answer["probability_stopped"] as? Double)
        let usual = try #require(answer["usual_probability_stopped"] as? Double)
        let reasons = try #require(answer["reasons"] as? [[String: Any]])
        let codes = reasons.compactMap { $0["code"] as? String }
        let isSeen = abs(chance - usual) > 0.0051
        if isSeen, chance * 1.101 < usual {
            #expect(Self.more.isDisjoint(with: codes), "\(answer)")
        }
        if isSeen, chance > usual * 1.101 {
            #expect(Self.less.isDisjoint(with: codes), "\(answer)")
        }
        if isSeen, max(chance, usual) > 1.51 * min(chance, usual) {
            #expect(!codes.contains("usual") && !codes.contains("state_unknown"), "\(answer)")
        }
        #expect((1...3).contains(codes.count))
        return codes
    }

    @Test func forecastsBoardsAndRoutesTellNoReasonAgainstTheirChance() async throws {
        var seen: Set<String> = []
        for time in ["18:02", "12:20", "14:41", "09:35"] {
            let state = try await ServiceFixture.state(
                at: Fixtures.moment("2026-02-20T\(time)"))
            // Leads of one minute share their reasons only where they go the same way.
            for lead in [0.0, 2.4, 2.6, 5, 9.6, 10, 10.4, 25, 59] {
                for mode in ["car", "bike"] {
                    let answer = try await ServiceFixture.answer(
                        "/api/v1/forecast", "lead_min=\(lead)&mode=\(mode)", from: state
                    ).object()
                    for forecast in try #require(answer["forecasts"] as? [[String: Any]]) {
                        seen.formUnion(try check(forecast))
                    }
                }
            }
            let board = try await ServiceFixture.answer("/api/v1/bridges", from: state).object()
            for bridge in try #require(board["bridges"] as? [[String: Any]]) {
                seen.formUnion(try check(bridge))
            }
            let ways = try await ServiceFixture.answer(
                "/api/v1/routes", "from=Ballard&to=Downtown", from: state
            ).object()
            for group in try #require(ways["groups"] as? [[String: Any]]) {
                for route in try #require(group["routes"] as? [[String: Any]]) {
                    for crossing in try #require(route["crossings"] as? [[String: Any]]) {
                        seen.formUnion(try check(crossing))
                    }
                }
            }
        }
        #expect(seen.isSuperset(of: ["down_now", "convoy", "raised_for"]), "\(seen)")
    }
}
