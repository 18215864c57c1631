// The served description: against the table of endpoints, and against real answers.
import BridgecastAlerts
import BridgecastAnswers
import BridgecastCore
import BridgecastJourneys
import BridgecastLive
import BridgecastObservation
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import BridgecastTransit
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Testing
@testable import BridgecastService

@Suite struct OpenAPITests {
    private let description: ServiceDescription

    init() throws { description = try ServiceDescription() }

    @Test func everyEndpointIsDescribedAndNothingElse() {
        let endpoints = EndpointTable.all.map { "\($0.method.rawValue) \($0.path)" }
        #expect(Set(endpoints) == Set(description.operations.keys))
        #expect(endpoints.count == Set(endpoints).count)
    }

    @Test func describedParametersMatchTheEndpoints() throws {
        for endpoint in EndpointTable.all {
            let name = "\(endpoint.method.rawValue) \(endpoint.path)"
            let operation = try #require(description.operations[name])
            #expect(operation.parameters(in: "query") == Set(endpoint.parameters ?? []), "\(name)")
            let inPath = endpoint.path.split(separator: "/").filter { $0.hasPrefix("{") }
                .map { String($0.dropFirst().prefix { $0 != "}" }) }
            #expect(operation.parameters(in: "path") == Set(inPath), "\(name)")
        }
    }

    @Test func describedBodiesMatchTheEndpoints() throws {
        for endpoint in EndpointTable.all {
            let name = "\(endpoint.method.rawValue) \(endpoint.path)"
            let operation = try #require(description.operations[name])
            #expect(operation.bodyTypes == Set(endpoint.bodyTypes), "\(name)")
        }
    }

    @Test func describedCodesMatchTheProblems() {
        let codes = description.schema("Problem")?["properties"]?["code"]?["enum"]?.texts ?? []
        #expect(Set(codes) == Set(Problem.Code.allCases.map(\.rawValue)))
        let reasons = description.schema("Reason")?["properties"]?["code"]?["enum"]?.texts ?? []
        #expect(Set(reasons) == Set(Reason.Code.allCases.map(\.rawValue)))
        let rules = description.schema("Rule")?["properties"]?["code"]?["enum"]?.texts ?? []
        #expect(Set(rules) == Set(BridgeRule.Code.allCases.map(\.rawValue)))
    }

    @Test func describedBridgesMatchTheCatalogue() {
        let names = description.schema("BridgeName")?["enum"]?.texts
        #expect(names == BridgeCatalogue.seattle.map(\.name))
        let numbers = description.schema("BridgeNumber")?["enum"]?.values
        #expect(numbers == BridgeCatalogue.seattle.map { .number(Double($0.id.rawValue)) })
    }

    @Test func everyReferenceResolves() {
        let references = Self.references(in: description.document)
        #expect(references.count > 100)
        let lost = references.filter { description.validator.resolve(.text($0)) == nil }
        #expect(lost.isEmpty, "\(lost)")
    }

    /// Generators of clients name an anonymous object after its location, and some give one name twice.
    @Test func everyObjectHasAName() {
        let schemas = description.document["components"]?["schemas"]?.fields ?? [:]
        let unnamed = schemas.filter {
            $0.value.fields?.values.contains(where: Self.hasObject) == true
        }
        #expect(schemas.count > 100 && unnamed.isEmpty, "\(unnamed.keys.sorted())")
        #expect(!Self.hasObject(description.document["paths"] ?? .null))
    }

    private static func hasObject(_ value: JSONValue) -> Bool {
        switch value {
        case .object(let fields):
            fields["type"] == .text("object") && fields["properties"] != nil
                || fields.values.contains(where: hasObject)
        case .list(let values): values.contains(where: hasObject)
        default: false
        }
    }

    private static func references(in value: JSONValue) -> Set<String> {
        switch value {
        case .object(let fields):
            let own = fields["$ref"]?.text.map { [$0] } ?? []
            return fields.values.reduce(into: Set(own)) { $0.formUnion(references(in: $1)) }
        case .list(let values):
            return values.reduce(into: []) { $0.formUnion(references(in: $1)) }
        default: return []
        }
    }

    @Test func theValidatorFindsErrors() throws {
        let schema = try JSONValue.read(
            Array(
                #"""
                {"type": "object", "required": ["at"], "additionalProperties": false, "properties": {
                  "at": {"type": ["string", "null"], "format": "date-time"},
                  "chance": {"type": "number", "minimum": 0, "maximum": 1},
                  "kind": {"oneOf": [{"const": "a"}, {"type": "integer"}]},
                  "list": {"type": "array", "items": {"enum": [1, 2]}, "minItems": 1, "maxItems": 2}}}
                """#.utf8))
        let rows: [(text: String, count: Int)] = [
            (#"{"at": null}"#, 0),
            (#"{"at": "2026-02-20T18:02:00-08:00", "chance": 1, "kind": 3, "list": [1, 2]}"#, 0),
            (#"{}"#, 1), (#"[]"#, 1), (#"{"at": 5}"#, 1), (#"{"at": "2026-02-20T18:02"}"#, 1),
            (#"{"at": "2026-02-30T18:02:00-08:00"}"#, 1), (#"{"at": null, "more": 1}"#, 1),
            (#"{"at": null, "chance": 1.01}"#, 1), (#"{"at": null, "kind": "b"}"#, 1),
            (#"{"at": null, "list": []}"#, 1), (#"{"at": null, "list": [1, 3]}"#, 1),
            (#"{"at": null, "list": [1, 2, 1]}"#, 1), (#"{"chance": "1", "list": 1}"#, 3),
        ]
        for row in rows {
            let problems = description.validator.problems(
                try JSONValue.read(Array(row.text.utf8)), schema)
            #expect(problems.count == row.count, "\(row.text): \(problems)")
        }
        let odd = try JSONValue.read(Array(#"{"minimun": 1}"#.utf8))
        #expect(description.validator.problems(.null, odd).count == 1)
    }
}

/// A service's state with everything that is shipped with the model, and a person.
private func shippedState(
    _ people: PeopleFixture, _ alerts: PersonAlertsFixture
) async throws -> ServiceState {
    var parts = try ServiceFixture.parts()
    parts.people = try people.access()
    parts.personAlerts = alerts.alerts
    parts.network = Fixtures.seattle
    parts.skill = try Data(contentsOf: Fixtures.model("bridgecast.skill.json"))
    parts.geography = try Data(contentsOf: Fixtures.model("geography/seattle-water.geojson"))
    parts.transit = try TransitFixture.parts()
    parts.live.archiver = try await ServiceFixture.archiver()
    let state = ServiceState(parts, ServiceSettings())
    state.show(try await ServiceFixture.state().snapshot())
    await state.transit?.refresh()
    return state
}

/// Sends a request to a service without a socket.
private func answer(
    _ ask: Ask, _ client: ServiceClient, token: String = ""
) async throws -> ServiceReply {
    var fields: HTTPFields = [.accept: ask.accept]
    if ask.body != nil { fields[.contentType] = ask.bodyType }
    if ask.hasToken { fields[.authorization] = "Bearer \(token)" }
    let method = String(ask.operation.prefix { $0 != " " })
    return try await client.execute(
        uri: ask.uri, method: try #require(HTTPRequest.Method(rawValue: method)), headers: fields,
        body: ask.body.map { ByteBuffer(string: $0) })
}

private func problems(
    _ operation: ServiceDescription.Operation, _ response: ServiceReply,
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

    @Test func answersMatchTheDescription() async throws {
        let people = try PeopleFixture()
        let alerts = try PersonAlertsFixture(people)
        let ann = try #require(
            try PeopleStore(people.folder, .reading).person(withToken: people.token))
        _ = try alerts.store.add(to: ann.alertOwner) {
            AlertRule(
                id: Ask.rule, subscriber: $0, subject: .line("44"),
                createdAt: ServiceFixture.evening)
        }
        let state = try await shippedState(people, alerts)
        let responder = ServiceResponder(state, try ProxyTrust(state.settings))
        let client = ServiceClient(responder)
        for ask in Ask.all {
            let operation = try #require(description.operations[ask.operation], "\(ask)")
            let response = try await answer(ask, client, token: people.token)
            #expect(
                response.status.code == ask.status,
                "\(ask): \(String(buffer: response.body).prefix(400))")
            let problems = problems(operation, response, description)
            #expect(problems.isEmpty, "\(ask): \(problems.prefix(8).joined(separator: "\n"))")
        }
    }

    @Test func everyOperationAndFormIsTested() throws {
        for (name, operation) in description.operations where !name.hasSuffix("/events") {
            let own = Ask.all.filter { $0.operation == name && $0.status == 200 }
            #expect(!own.isEmpty, "\(name)")
            let forms = operation.content["responses"]?["200"]?["content"]?.fields?.keys ?? [:].keys
            guard forms.count > 1, !name.hasSuffix("openapi.json") else { continue }
            for form in forms {
                #expect(own.contains { $0.accept == form }, "\(name) as \(form)")
            }
        }
    }

    /// A new client first sends the examples of the description.
    @Test func describedExamplesOfBodiesAreAccepted() async throws {
        let state = try await ServiceFixture.state()
        let responder = ServiceResponder(state, try ProxyTrust(state.settings))
        let client = ServiceClient(responder)
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

    @Test func eventsMatchTheDescription() async throws {
        let state = try await ServiceFixture.state()
        let board = try state.snapshot()
        let feeds = [FeedStatus(id: "bridges", fetchedAt: board.issueTime, problem: "down")]
        let other = BridgesSnapshot(
            madeAt: board.madeAt, update: board.update, feeds: feeds,
            phase: .stale(since: board.issueTime))
        let change = BridgeChange(
            bridge: .ballard, at: board.issueTime, before: .lowered,
            after: .raised(since: board.issueTime))
        let transit = try await TransitFixture.state([SpokenFeed("alerts", nil)])
        let news = TransitNews(
            snapshot: try #require(transit.transit).timetable.snapshot, refreshed: ["alerts"])
        for (name, bytes) in [
            ("TransitEvent", TransitEvent(news: news, now: board.issueTime).jsonBytes()),
            ("ForecastEvent", ForecastEvent(snapshot: board).jsonBytes()),
            ("FeedEvent", FeedEvent(snapshot: other).jsonBytes()),
            ("StateEvent", StateEvent(change, events: [], in: other).jsonBytes()),
        ] {
            let problems = description.validator.problems(
                try JSONValue.read(bytes), try #require(description.schema(name)))
            #expect(problems.isEmpty, "\(name): \(problems)")
        }
    }

    @Test func answersBeforeTheFirstSnapshotMatchTheDescription() async throws {
        let state = ServiceState(try ServiceFixture.parts(), ServiceSettings())
        let responder = ServiceResponder(state, try ProxyTrust(state.settings))
        let client = ServiceClient(responder)
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
