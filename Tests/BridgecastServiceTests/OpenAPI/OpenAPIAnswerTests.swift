// Holds real answers of every endpoint against the schemas that the description has for them.
import BridgecastAnswers
import BridgecastCore
import BridgecastObservation
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import BridgecastService

/// A service's state with everything that is shipped beside the model.
private func shippedState() async throws -> ServiceState {
    var parts = try ServiceFixture.parts()
    parts.skill = try Data(contentsOf: Fixtures.model("bridgecast.skill.json"))
    parts.geography = try Data(contentsOf: Fixtures.model("geography/seattle-water.geojson"))
    parts.transit = try TransitFixture.parts()
    let state = ServiceState(parts, ServiceSettings())
    state.show(try await ServiceFixture.state().board())
    await state.transit?.refresh()
    return state
}

/// Sends a request to a service without a socket.
private func answer(
    _ ask: Ask, _ client: any TestClientProtocol
) async throws -> TestResponse {
    var fields: HTTPFields = [.accept: ask.accept]
    if ask.body != nil { fields[.contentType] = "application/json" }
    return try await client.execute(
        uri: ask.uri, method: ask.body == nil ? .get : .post, headers: fields,
        body: ask.body.map { ByteBuffer(string: $0) })
}

private func problems(
    _ operation: ServiceDescription.Operation, _ response: TestResponse,
    _ description: ServiceDescription
) -> [String] {
    let type = response.headers[.contentType]?.split(separator: ";").first.map(String.init)
    do {
        return try description.problems(
            operation, status: response.status.code, mediaType: type, body: response.body)
    } catch {
        return ["\(error): \(String(buffer: response.body).prefix(200))"]
    }
}

@Suite struct OpenAPIAnswerTests {
    private let description: ServiceDescription

    init() throws { description = try ServiceDescription() }

    @Test func answersAreAsTheDescriptionHasThem() async throws {
        let state = try await shippedState()
        let responder = ServiceResponder(state, try ProxyTrust(state.settings))
        let application = Application(responder: responder)
        try await application.test(.router) { client in
            for ask in Ask.all {
                let operation = try #require(description.operations[ask.operation], "\(ask)")
                let response = try await answer(ask, client)
                #expect(
                    response.status.code == ask.status,
                    "\(ask): \(String(buffer: response.body).prefix(400))")
                let problems = problems(operation, response, description)
                #expect(problems.isEmpty, "\(ask): \(problems.prefix(8).joined(separator: "\n"))")
            }
        }
    }

    @Test func everyOperationAndFormIsAskedFor() throws {
        for (name, operation) in description.operations where name != "GET \(Ask.base)/events" {
            let own = Ask.all.filter { $0.operation == name && $0.status == 200 }
            #expect(!own.isEmpty, "\(name)")
            let forms = operation.content["responses"]?["200"]?["content"]?.fields?.keys ?? [:].keys
            guard forms.count > 1, !name.hasSuffix("openapi.json") else { continue }
            for form in forms {
                #expect(own.contains { $0.accept == form }, "\(name) as \(form)")
            }
        }
    }

    /// What a stranger sends first is what stands in the description.
    @Test func examplesOfBodiesAreTaken() async throws {
        let state = try await ServiceFixture.state()
        let responder = ServiceResponder(state, try ProxyTrust(state.settings))
        try await Application(responder: responder).test(.router) { client in
            var count = 0
            for (name, operation) in description.operations {
                for (type, form) in operation.content["requestBody"]?["content"]?.fields ?? [:] {
                    for (title, example) in form["examples"]?.fields ?? [:] {
                        let value = try #require(example["value"])
                        let problems = description.validator.problems(
                            value, try #require(form["schema"]))
                        #expect(problems.isEmpty, "\(name), \(title): \(problems)")
                        let response = try await client.execute(
                            uri: String(name.split(separator: " ")[1]), method: .post,
                            headers: [.contentType: type], body: ByteBuffer(string: value.json))
                        #expect(
                            response.status == .ok, "\(title): \(String(buffer: response.body))")
                        count += 1
                    }
                }
            }
            #expect(count >= 3)
        }
    }

    @Test func eventsAreAsTheDescriptionHasThem() async throws {
        let state = try await ServiceFixture.state()
        let board = try state.board()
        let feeds = [FeedStatus(id: "bridges", fetchedAt: board.issueTime, problem: "down")]
        let other = Board(
            madeAt: board.madeAt, update: board.update, feeds: feeds,
            phase: .stale(since: board.issueTime))
        let change = BridgeChange(
            bridge: .ballard, at: board.issueTime, before: .lowered,
            after: .raised(since: board.issueTime))
        let transit = try await TransitFixture.state([SpokenFeed("alerts", nil)])
        let news = TransitNews(
            snapshot: try #require(transit.transit).desk.snapshot, refreshed: ["alerts"])
        for (name, bytes) in [
            ("TransitEvent", TransitEvent(news, at: board.issueTime).jsonBytes()),
            ("ForecastEvent", ForecastEvent(board).jsonBytes()),
            ("FeedEvent", FeedEvent(other).jsonBytes()),
            ("StateEvent", StateEvent(change, [], other).jsonBytes()),
        ] {
            let problems = description.validator.problems(
                try JSONValue.read(bytes), try #require(description.schema(name)))
            #expect(problems.isEmpty, "\(name): \(problems)")
        }
    }

    @Test func beforeAnythingIsLoadedAnswersAreDescribedToo() async throws {
        let state = ServiceState(try ServiceFixture.parts(), ServiceSettings())
        let responder = ServiceResponder(state, try ProxyTrust(state.settings))
        try await Application(responder: responder).test(.router) { client in
            for ask in Ask.all where ask.status == 200 {
                let operation = try #require(description.operations[ask.operation])
                let response = try await answer(ask, client)
                #expect(
                    [200, 404, 503].contains(response.status.code), "\(ask): \(response.status)")
                let problems = problems(operation, response, description)
                #expect(problems.isEmpty, "\(ask): \(problems.prefix(3))")
            }
        }
    }
}
