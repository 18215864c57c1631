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
        key: StoreKey? = nil, _ body: @Sendable (ServiceClient) async throws -> Void
    ) async throws {
        var parts = try ServiceFixture.parts()
        parts.people = try people.access(key: key)
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

    /// By what the page refreshes a favourite sooner.
    @Test func favouritesHaveWhenTheirRemindersSayToLeave() async throws {
        let token = people.token
        let journal = """
            {"format": "bridgecast-journal", "version": 2, "journeys": [], "favourites": [
             {"id": "bus", "name": "bus", "kind": "stop", "line": "1", "stop": "N1",
              "refresh_min": 5, "use_count": 0},
             {"id": "other", "name": "other", "kind": "stop", "line": "2", "stop": "N1",
              "refresh_min": 5, "use_count": 0}],
             "reminders": [{"id": "r", "favourite_id": "bus", "time": "18:30", "days": "daily",
              "zone": "America/Los_Angeles", "confidence": 0.9, "lead_s": 300, "walk_s": 600,
              "on": true}]}
            """
        try await asking { client in
            let imported = try await client.execute(
                uri: "/api/v1/me/import", method: .post,
                headers: [
                    .authorization: "Bearer \(token)", .contentType: "application/json",
                ], body: ByteBuffer(string: journal))
            #expect(imported.status == .ok, "\(String(buffer: imported.body))")
            let reply = try await Self.send(.get, "/favourites", as: token, on: client)
            let text = String(buffer: reply.body)
            // Half past six, less ten minutes on foot.
            #expect(
                text.contains(
                    "\"departures\":[{\"favourite\":\"bus\",\"leave_by\":\"2026-02-20T18:20:00-08:00\"}]"
                ), "\(text)")
        }
    }

    @Test func withoutATokenNothingIsAnswered() async throws {
        try await asking { client in
            for (method, path) in Self.resources {
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

    @Test func encryptedJournalsAreBoundToTheirPeopleAndReadByNoOneElse() async throws {
        let key = try StoreKey.make(at: people.folder.appendingPathComponent("key"))
        let (ann, bob, folder) = (people.token, people.otherToken, people.folder)
        let store = try PeopleStore(folder, .reading, journalKey: key)
        let files = try store.people().map(store.journal)
        try await asking(key: key) { client in
            for token in [ann, bob] {
                let added = try await Self.send(
                    .post, "/favourites", as: token, form: "name=ZANZIBAR&from=Ballard&to=Fremont",
                    on: client)
                #expect(added.status == .ok)
            }
            for file in files {
                let content = try Data(contentsOf: file)
                #expect(content.range(of: Data("ZANZIBAR".utf8)) == nil)
            }
            // One person's journal, copied over another's, is not read.
            try Data(contentsOf: files[0]).write(to: files[1])
            let copied = try await Self.send(.get, "/export", as: bob, on: client)
            #expect(copied.status == .internalServerError)
            // Asking again would not help, and what is wrong is the operator's to mend.
            #expect(copied.headers[.retryAfter] == nil)
            let text = String(buffer: copied.body)
            #expect(text.contains("your journal cannot be used") && text.contains("operator"))
            #expect(!text.contains("ZANZIBAR") && !text.contains("try again"))
            #expect(try await Self.send(.get, "/export", as: ann, on: client).status == .ok)
        }
        // A service with another key, or none, does not start.
        try store.checkJournals()
        for other in [nil, try StoreKey.make(at: folder.appendingPathComponent("other"))] {
            let wrong = try PeopleStore(folder, .reading, journalKey: other)
            let error = #expect(throws: JourneyStoreError.self) { try wrong.checkJournals() }
            #expect(error?.description.contains("--people-key") == true)
        }
        // The key alone does not say whose journal it is.
        #expect(throws: JourneyStoreError.self) { _ = try store.readJournals() }
    }

    @Test func journalsOfPeopleAreEncryptedOnceAndThenReadWithTheKey() async throws {
        let token = people.token
        try await asking { client in
            let added = try await Self.send(
                .post, "/favourites", as: token, form: "name=ZANZIBAR&from=Ballard&to=Fremont",
                on: client)
            #expect(added.status == .ok)
        }
        let key = try StoreKey.make(at: people.folder.appendingPathComponent("key"))
        let store = try PeopleStore(people.folder, .reading, journalKey: key)
        #expect(throws: JourneyStoreError.self) { try store.checkJournals() }
        #expect(try store.encryptJournals(with: key) == (1, 0, 1))
        #expect(try store.encryptJournals(with: key) == (0, 1, 1))
        try store.checkJournals()
        try await asking(key: key) { client in
            let reply = try await Self.send(.get, "/favourites", as: token, on: client)
            #expect(String(buffer: reply.body).contains("ZANZIBAR"))
        }
    }

    @Test func guessingIsLimitedAndLocksNoOneOut() async throws {
        let token = people.token
        try await asking { client in
            var statuses: [HTTPResponse.Status] = []
            for _ in 0..<12 {
                let wrong = String(token.dropLast()) + "g"
                statuses.append(try await Self.send(.get, "", as: wrong, on: client).status)
            }
            #expect(Array(statuses.prefix(9)) == Array(repeating: .unauthorized, count: 9))
            #expect(statuses.last == .tooManyRequests)
            // Who shares the address, and any page in a browser there, could otherwise shut a person out.
            #expect(try await Self.send(.get, "", as: token, on: client).status == .ok)
            for _ in 0..<20 {
                let reply = try await Self.send(.get, "", as: nil, on: client)
                #expect(reply.status == .unauthorized)
            }
        }
    }

    @Test func aPersonIsLimitedWhateverTheAddress() throws {
        let access = try people.access()
        let fields: HTTPFields = [.authorization: "bearer  \(people.token)"]
        let other: HTTPFields = [.authorization: "Bearer \(people.otherToken)"]
        let addresses = try ["192.0.2.1", "198.51.100.7"].map {
            try #require(ClientAddress($0[...]))
        }
        var refused = 0
        for count in 0..<150 {
            do {
                _ = try access.person(fields, from: addresses[count % 2], at: 0)
            } catch let problem as Problem {
                #expect(problem.code == .tooManyRequests)
                refused += 1
            }
        }
        #expect(refused == 50)
        #expect(try access.person(other, from: addresses[0], at: 0).person.name == "Bob")
        #expect(
            try access.person(fields, from: addresses[0], at: 1_000_000_000).person.name == "Ann")
    }

    /// Paths are in logs.
    @Test func pathsTakeIdsAndNoNames() async throws {
        let token = people.token
        try await asking { client in
            let added = try await Self.send(
                .post, "/favourites", as: token, form: "name=doctor&from=Ballard&to=Fremont",
                on: client)
            let id = try #require(try JSONValue.read(added.body.readableBytesView)["id"]?.text)
            for (path, status) in [
                ("doctor", HTTPResponse.Status.notFound), (String(id.prefix(8)), .notFound),
                (id, .ok),
            ] {
                let reply = try await Self.send(
                    .delete, "/favourites/\(path)", as: token, on: client)
                #expect(reply.status == status, "\(path)")
            }
        }
    }

    @Test(arguments: [
        ("/favourites", "name=a%00b&from=x&to=y"), ("/favourites", "name=x&from=a%00b&to=y"),
        ("/journeys/start", "from=Ball%00ard&to=Downtown&minutes=5"),
        ("/favourites", "name=x&line=44&stop=1&from=Ballard"),
        ("/journeys/start", "favourite=x&from=Ballard&to=Downtown"),
        ("/journeys/stop", "abandoned=true&stopped=false"),
        ("/favourites", "name=" + String(repeating: "x", count: 20_000) + "&from=a&to=b"),
    ])
    func textsThatCannotBeMeantAreRefused(path: String, form: String) async throws {
        let token = people.token
        try await asking { client in
            let reply = try await Self.send(.post, path, as: token, form: form, on: client)
            #expect([400, 413, 422].contains(reply.status.code), "\(String(buffer: reply.body))")
            let fields: HTTPFields = [
                .authorization: "Bearer \(token)",
                .contentType: "application/x-www-form-urlencoded",
            ]
            let raw = try await client.execute(
                uri: "/api/v1/me" + path, method: .post, headers: fields,
                body: ByteBuffer(bytes: Array("name=caf".utf8) + [0xE9]))
            #expect(raw.status == .badRequest)
        }
    }

    /// What was removed or replaced is in no file, though the service goes on.
    @Test func whatWasRemovedIsNowhere() async throws {
        let (token, folder) = (people.token, people.folder)
        try await asking { client in
            let added = try await Self.send(
                .post, "/favourites", as: token, form: "name=Zaphod&from=Ballard&to=Fremont",
                on: client)
            let id = try #require(try JSONValue.read(added.body.readableBytesView)["id"]?.text)
            #expect(try Self.files(in: folder, with: "Zaphod") == 1)
            _ = try await Self.send(
                .post, "/favourites/\(id)", as: token, form: "name=Trillian", on: client)
            #expect(try Self.files(in: folder, with: "Zaphod") == 0)
            _ = try await Self.send(.delete, "/favourites/\(id)", as: token, on: client)
            #expect(try Self.files(in: folder, with: "Trillian") == 0)
        }
    }

    private static func files(in folder: URL, with text: String) throws -> Int {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil }.count
    }

    @Test func moreJournalsThanStayOpenAreAllReached() throws {
        let store = try PeopleStore(people.folder, .writing)
        defer { store.close() }
        let tokens = try (0..<PersonAccess.maxOpenJournals + 3).map {
            try store.add("Person \($0)", now: ServiceFixture.evening)
        }
        let access = try people.access()
        let address = try #require(ClientAddress("192.0.2.1"))
        for round in 0..<2 {
            for (index, token) in tokens.enumerated() {
                let person = try access.person(
                    [.authorization: "Bearer \(token)"], from: address, at: 0)
                let journal = try person.journal
                if round == 0 { try journal.setMaxJourneys(index + 1) }
                #expect(try journal.maxJourneys() == index + 1)
            }
        }
    }

    @Test func aServiceWithoutPeopleSaysSo() async throws {
        try await TransitFixture.asking(try await ServiceFixture.state()) { client in
            let reply = try await Self.send(.get, "", as: people.token, on: client)
            #expect(reply.status == .notFound)
            #expect(try ReportedProblem(reply).recovery.contains("--people"))
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
            _ = try await Self.send(
                .patch, "/settings", as: token, form: "keeps_history=true", on: client)
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

    /// The form that the page makes of a recorded ride, as `trip --keep` enters that ride.
    @Test func aRideThatThePageKeepsIsAsPlannedAsForecastAndAsItWas() async throws {
        let file = Fixtures.checkout.appendingPathComponent(
            "Tests/PageTests/support/ride-montlake.json")
        let recorded = try JSONValue.read(Array(Data(contentsOf: file)))
        let fields = try #require(recorded["form"]?.fields)
        let form = fields.map { name, value in
            let text = (value.text ?? "").addingPercentEncoding(
                withAllowedCharacters: .alphanumerics)
            return "\(name)=\(text ?? "")"
        }.joined(separator: "&")
        let token = people.token
        try await asking { client in
            let refused = try await Self.send(
                .post, "/journeys", as: token, form: form, on: client)
            #expect(refused.status == .unprocessableContent, "without a consent")
            _ = try await Self.send(
                .patch, "/settings", as: token, form: "keeps_history=true", on: client)
            let reply = try await Self.send(.post, "/journeys", as: token, form: form, on: client)
            let kept = try JSONValue.read(Array(reply.body.readableBytesView))
            #expect(reply.status == .ok, "\(kept)")
            #expect(
                kept["name"]?.text
                    == "15th Ave NE & NE 40th St -> Montlake Blvd E & E Lake Washington Blvd, line 542"
            )
            #expect(kept["planned_departure"]?.text == "2018-01-04T15:09:20-08:00")
            #expect(kept["planned_arrival"]?.text == "2018-01-04T15:17:00-08:00")
            #expect(kept["actual_departure"]?.text == "2018-01-04T15:09:20-08:00")
            #expect(kept["way"]?.text == "542" && kept["bridges"]?.texts == ["Montlake"])
            for (field, name) in [
                ("expected_s", "expected_s"), ("p90_s", "p90_s"), ("expected_delay_s", "delay_s"),
                ("probability_stopped", "chance"),
            ] {
                let sent = try #require(Double(fields[name]?.text ?? ""))
                #expect(abs(try #require(kept[field]?.number) - sent) < 0.06, "\(field)")
            }
        }
    }

    @Test func theFilesAreTheirOwnersAlone() throws {
        let access = try people.access()
        let person = try access.person(
            [.authorization: "Bearer \(people.token)"],
            from: try #require(ClientAddress("192.0.2.1")), at: 0)
        try person.journal.setMaxJourneys(7)
        let folder = try FileManager.default.attributesOfItem(atPath: people.folder.path)
        #expect(folder[.posixPermissions] as? Int == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: people.folder.path)
        #expect(
            names.contains(PeopleStore.fileName) && names.contains("\(person.person.id).sqlite"))
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
