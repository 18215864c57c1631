// The parameter `issue_time`.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import BridgecastService

private let paths = (
    bridges: "/api/v1/bridges", bridge: "/api/v1/bridges/{id}", forecast: "/api/v1/forecast",
    explain: "/api/v1/explain", routes: "/api/v1/routes", depart: "/api/v1/depart"
)

@Suite struct IssueTimeTests {
    /// An hour later than ``ServiceFixture/evening``: Fremont and University Bridge went up meanwhile.
    private static let later = Fixtures.timestamp("2026-02-20T19:02")
    /// Ballard Bridge went up two minutes before and comes down two minutes after it.
    private static let then = "issue_time=2026-02-20T18:02"

    private func bridge(_ name: String, _ board: [String: Any]) throws -> [String: Any] {
        let bridges = try #require(board["bridges"] as? [[String: Any]])
        return try #require(bridges.first { $0["bridge"] as? String == name })
    }

    @Test func `a past answer uses the forecasts of its day`() async throws {
        let history = Fixtures.shippedHistory
        let state = try await ServiceFixture.state(at: Self.later)
        let inference = state.parts.inference
        let date = try #require(CivilDate(year: 2026, month: 2, day: 20))
        let day = try #require(
            try await DayDocument.make(
                date, at: Self.later, history: history, reader: SituationReader(history),
                openings: OpeningList(history, at: Self.later), inference: inference,
                model: inference.model))
        for (time, bridge) in [("18:00", BridgeIndex.ballard), ("18:20", .fremont)] {
            let issueTime = Fixtures.timestamp("2026-02-20T" + time)
            let issue = try #require(
                day.entries[bridge.rawValue].issues.first { $0.issueTime == issueTime })
            for point in issue.points {
                let answer = try await ServiceFixture.answer(
                    paths.forecast,
                    "bridge=\(BridgeCatalogue[bridge].id)&lead_min=\(point.leadMinutes)"
                        + "&issue_time=2026-02-20T\(time)", from: state
                ).object()
                let forecast = try #require((answer["forecasts"] as? [[String: Any]])?.first)
                let chance = try #require(forecast["probability_stopped"] as? Double)
                let delay = try #require(forecast["delay_s"] as? [String: Double])
                #expect(abs(chance - point.probability) < 1e-5)
                #expect(abs(try #require(delay["mean"]) - point.expectedSeconds) < 0.06)
                #expect(forecast["lead_time_s"] as? Double == point.leadMinutes * 60)
            }
        }
    }

    @Test func `later records do not change an answer`() async throws {
        let whole = try await ServiceFixture.state(at: Self.later)
        let cut = ServiceFixture.evening.adding(seconds: 1)
        let known = try await ServiceFixture.state(
            at: cut, history: Fixtures.shippedHistory.before(cut))
        let ends = "&from=Ballard&to=Downtown"
        for (path, query, id) in [
            (paths.bridges, "", []), (paths.bridge, "", ["Ballard"]),
            (paths.bridge, "&hours=6&vessel_height_ft=60", ["Fremont"]),
            (paths.forecast, "&at=2026-02-20T18:20", []), (paths.explain, "&bridge=Fremont", []),
            (paths.routes, ends + "&explain=true&arrive_by=18:40", []),
            (paths.depart, ends + "&arrive_by=18:40", []),
        ] as [(String, String, [String])] {
            var answers: [[UInt8]] = []
            for state in [whole, known] {
                let answer = try await ServiceFixture.answer(
                    path, Self.then + query, pathValues: id, from: state)
                answers.append(ServiceFixture.bytes(answer))
            }
            #expect(answers[0] == answers[1] && answers[0].count > 300, "\(path) \(query)")
        }
    }

    @Test func `a bridge is as it was seen then`() async throws {
        let state = try await ServiceFixture.state(at: Self.later)
        func board(_ time: String) async throws -> [String: Any] {
            try await ServiceFixture.answer(
                paths.bridges, "issue_time=2026-02-20T" + time, from: state
            ).object()
        }
        let up = try await board("18:02")
        #expect(try bridge("Ballard", up)["state"] as? String == "raised")
        #expect(try bridge("Ballard", up)["since"] as? String == "2026-02-20T18:00:00-08:00")
        #expect(try bridge("Ballard", up)["state_age_s"] as? Double == 120)
        // It goes up at 18:16.
        #expect(try bridge("Fremont", up)["state"] as? String == "lowered")
        #expect(try bridge("Fremont", up)["since"] as? String == "2026-02-20T15:54:00-08:00")
        #expect(try bridge("Lower Spokane St", up)["state"] as? String == "unknown")
        #expect(try bridge("Ballard", try await board("17:59"))["state"] as? String == "lowered")
        #expect(try bridge("Ballard", try await board("18:05"))["state"] as? String == "lowered")
    }

    @Test func `now is the issue time`() async throws {
        let state = try await ServiceFixture.state(at: Self.later)
        let answer = try await ServiceFixture.answer(
            paths.forecast, "bridge=2&lead_min=10&" + Self.then, from: state
        ).object()
        for field in ["generated_at", "issue_time"] {
            #expect(answer[field] as? String == "2026-02-20T18:02:00-08:00")
        }
        #expect(answer["valid_at"] as? String == "2026-02-20T18:12:00-08:00")
        let sources = try #require(answer["sources"] as? [[String: Any]])
        #expect(sources.map { $0["id"] as? String } == ["records"])
        #expect(sources[0]["age_s"] as? Double == 0 && sources[0]["stale"] as? Bool == false)
        // The shipped model has learnt from this very evening.
        #expect(answer["warnings"] as? [String] == [RecordsWarnings.fitted])
        for (path, query) in [
            (paths.forecast, "at=2026-02-20T18:01"),
            (paths.routes, "from=Ballard&to=Downtown&depart=2026-02-20T18:01"),
        ] {
            let refused = try await problem {
                try await ServiceFixture.answer(path, query + "&" + Self.then, from: state)
            }
            #expect(refused?.status == .badRequest && refused?.code == .badParameter)
        }
    }

    @Test func `routes are ranked by what was known then`() async throws {
        let state = try await ServiceFixture.state(at: Self.later)
        func chanceOverBallard(_ time: String) async throws -> Double {
            let answer = try await ServiceFixture.answer(
                paths.routes, "from=Ballard&to=Downtown&issue_time=2026-02-20T" + time, from: state
            ).object()
            #expect(answer["valid_at"] as? String == "2026-02-20T\(time):00-08:00")
            let groups = try #require(answer["groups"] as? [[String: Any]])
            let routes = try #require(groups[0]["routes"] as? [[String: Any]])
            let over = try #require(routes.first { $0["id"] as? String == "Ballard Bridge" })
            return try #require(over["probability_stopped"] as? Double)
        }
        let (before, during) = (
            try await chanceOverBallard("17:55"), try await chanceOverBallard("18:02")
        )
        #expect(during > 0.8 && before < 0.3)
    }

    @Test func `a time that is not past is refused`() async throws {
        let state = try await ServiceFixture.state(at: Self.later)
        for text in [
            "2026-02-20T19:02", "2026-02-20T19:03", "2027-01-01T00:00", "2000-12-31T00:00",
            "yesterday", "0001-01-02T00:00Z", "2026-02-20",
        ] {
            let refused = try await problem {
                try await ServiceFixture.answer(
                    paths.bridges, "issue_time=" + text, from: state)
            }
            #expect(refused?.status == .badRequest && refused?.parameter == "issue_time", "\(text)")
        }
        // A time just before is over, and the records are asked again to know of it.
        _ = try await ServiceFixture.answer(
            paths.bridges, "issue_time=2026-02-20T19:01:59", from: state)
    }

    @Test func `a time without records has no states and a warning`() async throws {
        let state = try await ServiceFixture.state(at: Self.later)
        for time in ["2021-06-01T12:00", "2001-02-03T04:05"] {
            let board = try await ServiceFixture.answer(
                paths.bridges, "issue_time=" + time, from: state
            ).object()
            let bridges = try #require(board["bridges"] as? [[String: Any]])
            #expect(bridges.count == BridgeCatalogue.count)
            #expect(bridges.allSatisfy { $0["state"] as? String == "unknown" })
            #expect(bridges.allSatisfy { $0["probability_stopped"] is Double })
            #expect(
                (board["warnings"] as? [String])?.first
                    == "no records for this time, which does not mean no openings")
            let sources = try #require(board["sources"] as? [[String: Any]])
            #expect(sources[0]["stale"] as? Bool == true)
        }
    }

    @Test func `only forecast resources take issue_time`() {
        let takers = EndpointTable.all.filter { $0.parameters?.contains("issue_time") == true }
        let all = [
            paths.bridges, paths.bridge, paths.forecast, paths.explain, paths.routes, paths.depart,
        ]
        #expect(takers.map(\.path).sorted() == all.sorted())
        #expect(takers.allSatisfy { $0.method == .get })
    }
}
