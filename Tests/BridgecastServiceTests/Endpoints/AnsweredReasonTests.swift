// Reasons in the service's answers: on every surface they go the way of the chance that stands beside them.
import BridgecastCore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastService

@Suite struct ReasonDirectionTests {
    private static let codes = Dictionary(
        grouping: [
            Reason.raised(.fremont), .raisedFor(.fremont, minutes: 0),
            .loweredRecently(.fremont, minutesAgo: 0),
            .busyDay(.fremont, openings: 9, usualOpenings: 3),
            .neighbourOften(.fremont, neighbour: .ballard, openings: 2, minutes: 9),
            .windowEnded(.fremont, from: .earliest), .overUsual(.fremont, probability: 0),
            .closedWindow(.fremont, until: .earliest),
            .quietDay(.fremont, openings: 0, usualOpenings: 3), .downNow(.fremont, probability: 0),
            .downLately(.fremont, minutesAgo: 0), .downLong(.fremont, hours: 6),
            .underUsual(.fremont, probability: 0),
        ], by: \.tendency
    ).mapValues { Set($0.map(\.code.rawValue)) }

    /// Checks an answer's reasons against its chances; returns their codes.
    private func check(_ answer: [String: Any]) throws -> [String] {
        let chance = try #require(answer["probability_stopped"] as? Double)
        let usual = try #require(answer["usual_probability_stopped"] as? Double)
        let reasons = try #require(answer["reasons"] as? [[String: Any]])
        let codes = reasons.compactMap { $0["code"] as? String }
        let isSeen = abs(chance - usual) > 0.0051
        if isSeen, chance * 1.101 < usual {
            #expect(Self.codes[.more]?.isDisjoint(with: codes) == true, "\(answer)")
            #expect(!codes.contains("convoy"), "\(answer)")
        }
        if isSeen, chance > usual * 1.101 {
            #expect(Self.codes[.less]?.isDisjoint(with: codes) == true, "\(answer)")
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
