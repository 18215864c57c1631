// `/api/v1/me`: who may see what, what no cache keeps and no other site reads, and how tokens are guessed.
import BridgecastCore
import BridgecastJourneys
import BridgecastLive
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct MeTests {
    private let people: PeopleFixture

    init() throws { people = try PeopleFixture() }

    private func asking(
        _ body: @Sendable (ServiceClient) async throws -> Void
    ) async throws {
        var parts = try ServiceFixture.parts()
        parts.people = try people.access()
        let state = ServiceState(parts, ServiceSettings())
        state.show(try await ServiceFixture.state().snapshot())
        try await TransitFixture.asking(state, body)
    }

    private static func send(
        _ method: HTTPRequest.Method, _ path: String, as token: String?, form: String? = nil,
        on client: ServiceClient
    ) async throws -> ServiceReply {
        var fields: HTTPFields = [:]
        if let token { fields[.authorization] = "Bearer \(token)" }
        if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
        return try await client.execute(
            uri: "/api/v1/me" + path, method: method, headers: fields,
            body: form.map { ByteBuffer(string: $0) })
    }

    /// Every resource, and one that there is not.
    private static let resources =
        EndpointTable.all.filter { PrivateResources.contains($0.path) }
        .map { ($0.method, String($0.path.replacing("{id}", with: "x").dropFirst(10))) }
        + [(HTTPRequest.Method.get, "/nothing")]

    @Test func withoutATokenNothingIsAnswered() async throws {
        try await asking { client in
            for (method, path) in Self.resources.prefix(9) {
                let reply = try await Self.send(method, path, as: nil, on: client)
                #expect(reply.status == .unauthorized, "\(method) \(path)")
                #expect(reply.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true)
            }
        }
    }

    /// Neither answers nor refusals, nor what a browser asks before a request.
    @Test func noCacheKeepsAnAnswerAndNoOtherSiteReadsOne() async throws {
        let token = people.token
        try await asking { client in
            for (method, path) in Self.resources {
                let reply = try await Self.send(method, path, as: token, on: client)
                #expect(reply.status != .unauthorized, "\(path)")
                #expect(reply.headers[.cacheControl]?.contains("no-store") == true, "\(path)")
                #expect(reply.headers[.accessControlAllowOrigin] == nil, "\(path)")
                #expect(reply.headers[.eTag] == nil)
                #expect(reply.headers[.crossOriginResourcePolicy] == "same-origin")
                #expect(reply.headers[.vary]?.contains("Authorization") == true)
            }
            let asked = try await client.execute(
                uri: "/api/v1/me/favourites", method: .options,
                headers: [.origin: "https://example.org"])
            #expect(asked.headers[.accessControlAllowHeaders] == nil)
            #expect(asked.headers[.accessControlAllowOrigin] == nil)
            let open = try await client.execute(uri: "/api/v1/bridges", method: .get)
            #expect(open.headers[.accessControlAllowOrigin] == "*")
        }
    }

    @Test func noPersonReachesWhatIsAnothers() async throws {
        let (ann, bob) = (people.token, people.otherToken)
        try await asking { client in
            let added = try await Self.send(
                .post, "/favourites", as: ann, form: "name=secret&from=Ballard&to=Fremont",
                on: client)
            let id = try #require(
                try JSONValue.read(added.body.readableBytesView)["id"]?.text)
            for (method, path) in [
                (HTTPRequest.Method.get, "/favourites"), (.get, "/export"), (.get, ""),
            ] {
                let reply = try await Self.send(method, path, as: bob, on: client)
                #expect(reply.status == .ok && !String(buffer: reply.body).contains("secret"))
            }
            for name in ["secret", id, String(id.prefix(4)), "..%2F\(id)", "%25"] {
                for (method, form) in [(HTTPRequest.Method.delete, nil), (.post, "position=1")] {
                    let reply = try await Self.send(
                        method, "/favourites/\(name)", as: bob, form: form, on: client)
                    #expect(reply.status == .notFound, "\(name)")
                }
            }
            let own = try await Self.send(.get, "/favourites", as: ann, on: client)
            #expect(String(buffer: own.body).contains("secret"))
        }
    }

    @Test func guessingIsLimitedAndSaysNothingMore() async throws {
        let token = people.token
        try await asking { client in
            #expect(try await Self.send(.get, "", as: token, on: client).status == .ok)
            var statuses: [HTTPResponse.Status] = []
            for guess in 0..<12 {
                let wrong = String(token.dropLast(2)) + "0\(guess % 10)"
                statuses.append(try await Self.send(.get, "", as: wrong, on: client).status)
            }
            #expect(Array(statuses.prefix(9)) == Array(repeating: .unauthorized, count: 9))
            #expect(statuses.last == .tooManyRequests)
            // Not even whether this one is right.
            #expect(try await Self.send(.get, "", as: token, on: client).status == .tooManyRequests)
        }
    }

    @Test func aPersonIsLimitedWhateverTheAddress() async throws {
        let (ann, bob) = (people.token, people.otherToken)
        var settings = ServiceSettings()
        settings.requestsPerSecond = 0
        var parts = try ServiceFixture.parts()
        parts.people = try people.access()
        let state = ServiceState(parts, settings)
        try await TransitFixture.asking(state) { client in
            var statuses: Set<HTTPResponse.Status> = []
            for _ in 0..<200 {
                statuses.insert(try await Self.send(.get, "", as: ann, on: client).status)
            }
            #expect(statuses == [.ok, .tooManyRequests])
            #expect(try await Self.send(.get, "", as: bob, on: client).status == .ok)
        }
    }

    @Test func aRemovedPersonAndAnOldTokenAreRefused() async throws {
        let (ann, bob) = (people.token, people.otherToken)
        let folder = people.folder
        try await asking { client in
            #expect(try await Self.send(.get, "", as: bob, on: client).status == .ok)
            let store = try PeopleStore(folder, .writing)
            defer { store.close() }
            _ = try store.remove("BOB")
            let newer = try store.renew("ann", now: ServiceFixture.evening)
            #expect(try await Self.send(.get, "", as: bob, on: client).status == .unauthorized)
            #expect(try await Self.send(.get, "", as: ann, on: client).status == .unauthorized)
            #expect(try await Self.send(.get, "", as: newer, on: client).status == .ok)
        }
    }

    /// What the forecast said stays beside what happened.
    @Test func aJourneyKeepsItsForecast() async throws {
        var parts = try ServiceFixture.parts()
        parts.people = try people.access()
        parts.network = Fixtures.seattle
        let clock = JumpingClock(ServiceFixture.evening)
        parts.live.clock = clock
        let state = ServiceState(parts, ServiceSettings())
        state.show(try await ServiceFixture.state().snapshot())
        let token = people.token
        try await TransitFixture.asking(state) { client in
            let asked = try await TransitFixture.json(
                "/api/v1/routes?from=Ballard&to=Downtown", client)
            let began = try await Self.send(
                .post, "/journeys/start", as: token, form: "from=Ballard&to=Downtown", on: client)
            let journey = try JSONValue.read(began.body.readableBytesView)
            #expect(
                journey["way"] == asked.at("groups.0.routes.0.name"),
                "\(String(buffer: began.body))")
            try await clock.sleep(seconds: 1500)
            let ended = try await Self.send(
                .post, "/journeys/stop", as: token, form: "stopped=true", on: client)
            #expect(
                try JSONValue.read(ended.body.readableBytesView)["actual_arrival"]?.text
                    == TimeText.rfc3339(clock.now))
            let reply = try await Self.send(.get, "/statistics?range=all", as: token, on: client)
            let statistics = try JSONValue.read(reply.body.readableBytesView)
            #expect(statistics.at("forecasts.journeys") == .number(1))
        }
    }

    @Test func theFilesAreTheirOwnersAlone() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: people.folder.path)
        #expect(names.contains(PeopleStore.fileName))
        for name in names {
            let path = people.folder.appendingPathComponent(name).path
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(bytes.range(of: Data(people.token.utf8)) == nil, "Only digests are kept")
        }
    }

    @Test func namesAreCheckedAndUnique() throws {
        let store = try PeopleStore(people.folder, .writing)
        defer { store.close() }
        for name in ["", " ", "ÄNN", "ann", String(repeating: "x", count: 81), "a\u{7}"] {
            #expect(throws: PeopleStoreError.self, "\(name)") {
                try store.add(name, now: ServiceFixture.evening)
            }
        }
        #expect(try store.people().map(\.name) == ["Ann", "Bob"])
        #expect(try store.person(withToken: "") == nil)
        #expect(try store.person(withToken: people.token + "0") == nil)
        #expect(try store.person(withToken: people.token)?.name == "Ann")
    }
}
