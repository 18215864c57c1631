// An answer is computed by the model that it names, the board's, even where another has been loaded since.
import BridgecastAnswers
import BridgecastCore
import BridgecastEngine
import BridgecastLive
import BridgecastObservation
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import BridgecastService

@Suite struct OneModelTests {
    /// A question whose answer takes forecasts beyond the board's own.
    struct Question: Sendable, CustomTestStringConvertible {
        let path: String
        let query: String
        var pathValues: [String] = []
        var body = ""

        var testDescription: String { "\(path)?\(query)" }

        func bytes(from state: ServiceState) async throws -> [UInt8] {
            ServiceFixture.bytes(
                try await ServiceFixture.answer(
                    path, query, method: body.isEmpty ? .get : .post, pathValues: pathValues,
                    body: Array(body.utf8),
                    from: state))
        }
    }

    private static let candidate = """
        {"routes": [{"id": "a", "name": "A", "origin": "Home", "destination": "Work", \
        "steps": [{"minutes": 5}, {"bridge": "Ballard"}, {"minutes": 9}]}]}
        """
    private static let questions = [
        Question(
            path: "/api/v1/bridges/{id}", query: "hours=4&at=2026-02-20T18:30",
            pathValues: ["Ballard"]),
        Question(path: "/api/v1/routes", query: "from=Ballard&to=Downtown"),
        Question(
            path: "/api/v1/depart", query: "from=Ballard&to=Downtown&arrive_by=2026-02-20T19:00"),
        Question(
            path: "/api/v1/routes/rank", query: "detail=summary&depart=2026-02-20T21:00",
            body: candidate),
        Question(path: "/api/v1/routes/rank", query: "detail=full", body: candidate),
    ]

    private func otherModel() throws -> LoadedModel {
        try ModelFile.read(Fixtures.model("validation/bridgecast.int8.bcm"))
    }

    @Test(arguments: questions)
    func anAnswerIsOfItsBoardsModel(_ question: Question) async throws {
        let state = try await ServiceFixture.state()
        let before = try await question.bytes(from: state)
        state.parts.inference.use(try otherModel())
        #expect(try await question.bytes(from: state) == before)
        // A board by the other model says something else, so the question does ask the model.
        let forecaster = try LiveForecaster(
            state.parts.inference, history: Fixtures.shippedHistory,
            reachMinutes: LivePipeline.reachMinutes)
        let update = try await forecaster.update(
            nil, traffic: LiveTraffic(), at: ServiceFixture.evening)
        state.show(
            Board(
                madeAt: ServiceFixture.evening, update: update, feeds: [], phase: .ready)
        )
        #expect(try await question.bytes(from: state) != before)
    }

    @Test func aDayIsOfOneModel() async throws {
        let (now, history) = (ServiceFixture.evening, Fixtures.shippedHistory)
        let date = try #require(CivilDate(year: 2026, month: 2, day: 18))
        func day(_ serving: LoadedModel, by model: LoadedModel) async throws -> [UInt8] {
            let day = try await DayDocument.make(
                date, at: now, history: history, reader: SituationReader(history),
                openings: OpeningList(history, at: now), inference: TrafficInference(serving),
                model: model)
            return try #require(day).jsonBytes()
        }
        let (first, second) = (try ServiceFixture.parts().inference.model, try otherModel())
        let expected = try await day(first, by: first)
        #expect(try await day(second, by: first) == expected)
        #expect(try await day(second, by: second) != expected)
    }
}
