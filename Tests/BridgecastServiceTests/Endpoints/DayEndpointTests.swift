// A day as it was: forecasts that could have been made then, and the records around them.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import BridgecastService

struct DayEndpointTests {
    private static let date = CivilDate(year: 2026, month: 2, day: 18)
    private static let evening = ServiceFixture.evening

    private func day(
        _ history: OpeningHistory, at now: Timestamp = evening
    ) async throws -> DayDocument {
        let parts = try ServiceFixture.parts(at: now, history: history)
        let date = try #require(Self.date)
        return try #require(
            try await DayDocument.make(
                date, at: now, history: history, reader: SituationReader(history),
                openings: OpeningList(history, at: now), inference: parts.inference,
                model: parts.inference.model))
    }

    private func object(
        _ date: String, _ query: String = "", from state: ServiceState
    ) async throws -> [String: Any] {
        let answer = try await ServiceFixture.answer(
            "/api/v1/days/{date}", query, pathValues: [date], from: state)
        let json = try JSONSerialization.jsonObject(with: Data(ServiceFixture.bytes(answer)))
        return try #require(json as? [String: Any])
    }

    @Test func `a forecast of a day is the library's of that issue time`() async throws {
        let history = Fixtures.shippedHistory
        let day = try await day(history)
        let issueTime = Fixtures.moment("2026-02-18T12:20")
        let inference = try ServiceFixture.parts().inference
        let table = try await inference.table(
            in: SituationReader(history).situation(at: issueTime), reaching: 60, modes: [.car])
        for bridge in [BridgeIndex.ballard, .fremont, .montlake] {
            let issue = try #require(
                day.entries[bridge.rawValue].issues.first { $0.issueTime == issueTime })
            #expect(issue.points.map(\.leadMinutes) == [5, 15, 30, 60])
            for point in issue.points {
                let delay = try table.delay(
                    at: bridge, leadMinutes: point.leadMinutes, mode: .car)
                #expect(point.probability == delay.probabilityDelayed)
                #expect(point.expectedSeconds == delay.expectedSeconds)
            }
        }
    }

    @Test func `forecasts of a day do not change when all that came later is removed`() async throws
    {
        let whole = try await day(Fixtures.shippedHistory)
        for text in ["2026-02-18T08:25", "2026-02-18T15:05"] {
            let cut = Fixtures.moment(text)
            let known = try await day(Fixtures.shippedHistory.before(cut))
            for (all, part) in zip(whole.entries, known.entries) {
                let before = all.issues.filter { $0.issueTime < cut }
                #expect(part.issues == before)
            }
            #expect(known.entries.contains { $0.issues.count > 40 })
        }
    }

    @Test func `a day that is today ends now`() async throws {
        let state = try await ServiceFixture.state()
        let day = try await object("2026-02-20", from: state)
        #expect(day["to"] as? String == TimeText.rfc3339(Self.evening))
        let bridges = try #require(day["bridges"] as? [[String: Any]])
        let ballard = try #require(bridges.first { $0["bridge"] as? String == "Ballard" })
        let forecasts = try #require(ballard["forecasts"] as? [[String: Any]])
        #expect(forecasts.last?["issue_time"] as? String == "2026-02-20T18:00:00-08:00")
        let openings = try #require(ballard["openings"] as? [[String: Any]])
        #expect(openings.last?["closed_at"] is NSNull)
    }

    @Test func `a day without its forecasts tells the same states`() async throws {
        let state = try await ServiceFixture.state()
        let batches = state.parts.inference.batchesRun
        let bare = try await object("2026-02-19", "forecasts=false", from: state)
        #expect(state.parts.inference.batchesRun == batches)
        #expect(bare["issued"] == nil && bare["covered"] as? Bool == true)
        let whole = try await object("2026-02-19", from: state)
        let states = ["bridge", "bridge_id", "coverage", "openings"]
        let (few, all) = (
            try #require(bare["bridges"] as? [[String: Any]]),
            try #require(whole["bridges"] as? [[String: Any]])
        )
        #expect(few.allSatisfy { $0.keys.sorted() == states })
        #expect(few as NSArray == all.map { $0.filter { states.contains($0.key) } } as NSArray)
        #expect(all.contains { ($0["forecasts"] as? [Any])?.isEmpty == false })
    }

    @Test func `a day to come is not found`() async throws {
        let state = try await ServiceFixture.state()
        let problem = await #expect(throws: Problem.self) {
            try await object("2026-02-21", from: state)
        }
        #expect(problem?.status == .notFound && problem?.near == ["2026-02-20"])
    }

    @Test func `a day without records is empty and says what that means`() async throws {
        let state = try await ServiceFixture.state()
        let day = try await object("2021-06-01", from: state)
        #expect(day["covered"] as? Bool == false)
        #expect((day["warnings"] as? [String])?.first?.hasPrefix("no records for this day") == true)
        let bridges = try #require(day["bridges"] as? [[String: Any]])
        #expect(bridges.count == BridgeCatalogue.count)
        #expect(bridges.allSatisfy { ($0["coverage"] as? [Any])?.isEmpty == true })
        #expect(bridges.allSatisfy { ($0["forecasts"] as? [Any])?.isEmpty == true })
    }

    @Test func `what is no day is refused with what is taken`() async throws {
        let state = try await ServiceFixture.state()
        let problem = await #expect(throws: Problem.self) {
            try await object("2026-02-30", from: state)
        }
        #expect(problem?.status == .badRequest && problem?.parameter == "date")
    }

    @Test func `a day is made once`() async throws {
        let state = try await ServiceFixture.state()
        func tag() async throws -> String? {
            let answer = try await ServiceFixture.answer(
                "/api/v1/days/{date}", pathValues: ["2026-02-19"], from: state)
            guard case .shared(let document) = answer.content else { return nil }
            return document.tag
        }
        let first = try await tag()
        let batches = state.parts.inference.batchesRun
        #expect(try await tag() == first && first != nil)
        #expect(state.parts.inference.batchesRun == batches)
    }

    @Test func `records of past days stay what they are while today goes on`() throws {
        func revision(_ history: OpeningHistory, at now: Timestamp) throws -> Int {
            let parts = try ServiceFixture.parts(at: now, history: history)
            return try RecordShelf().records(ServiceState(parts, ServiceSettings())).pastRevision
        }
        let (history, later) = (Fixtures.shippedHistory, Self.evening.adding(minutes: 90))
        let first = try revision(history, at: Self.evening)
        #expect(try revision(history, at: later) == first)
        // A past day of which less is known is another one.
        let hidden = history.hiding(.ballard, before: Fixtures.moment("2026-02-19T12:00"))
        #expect(try revision(hidden, at: Self.evening) != first)
        #expect(try revision(history, at: later.adding(minutes: 1440)) != first)
    }
}
