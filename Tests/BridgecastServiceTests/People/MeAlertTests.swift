// `/api/v1/me/alerts`, `/me/reminders` and `/me/events`: what a person keeps, that no other reaches it, and when streams end.
import BridgecastAlertCarriers
@testable import BridgecastAlerts
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import BridgecastService

@Suite struct MeAlertTests {
    private let people: PeopleFixture
    private let fixture: PersonAlertsFixture

    init() throws {
        people = try PeopleFixture()
        fixture = try PersonAlertsFixture(people)
    }

    private func state() async throws -> ServiceState {
        var parts = try ServiceFixture.parts()
        parts.people = try people.access()
        parts.personAlerts = fixture.alerts
        let state = ServiceState(parts, ServiceSettings())
        state.show(try await ServiceFixture.state().snapshot())
        return state
    }

    private static func send(
        _ method: HTTPRequest.Method, _ path: String, as token: String, _ body: String? = nil,
        on client: ServiceClient
    ) async throws -> (status: Int, json: JSONValue) {
        var fields: HTTPFields = [.authorization: "Bearer \(token)"]
        let isJSON = body?.hasPrefix("{") == true
        if body != nil {
            fields[.contentType] =
                isJSON ? "application/json" : "application/x-www-form-urlencoded"
        }
        let reply = try await client.execute(
            uri: "/api/v1/me" + path, method: method, headers: fields,
            body: body.map { ByteBuffer(string: $0) })
        return (reply.status.code, try JSONValue.read(reply.body.readableBytesView))
    }

    private static let endpoint = "https://push.example.org/send/ann"
    private static let browser = AlertBrowser.id(of: endpoint)

    /// Ann has one of everything; returns the ids of her rule and her reminder.
    private func furnish(_ client: ServiceClient) async throws -> (rule: String, reminder: String) {
        let ann = people.token
        _ = try await Self.send(
            .post, "/favourites", as: ann, "name=secret&from=Ballard&to=Fremont", on: client)
        let reminder = try await Self.send(
            .post, "/reminders", as: ann, "favourite=secret&by=9:00", on: client)
        let rule = try await Self.send(
            .post, "/alerts/rules", as: ann, "line=secret", on: client)
        let browser = try await Self.send(
            .post, "/alerts/push", as: ann, PersonAlertsFixture.subscription(Self.endpoint),
            on: client)
        #expect(browser.status == 200 && browser.json["id"]?.text == Self.browser)
        _ = try await Self.send(.post, "/alerts/test", as: ann, "", on: client)
        return (
            try #require(rule.json["id"]?.text), try #require(reminder.json["id"]?.text)
        )
    }

    @Test func noPersonReachesWhatIsAnothers() async throws {
        let (ann, bob) = (people.token, people.otherToken)
        try await TransitFixture.asking(try await state()) { client in
            let (rule, reminder) = try await furnish(client)
            for path in ["/alerts", "/reminders", "/export"] {
                let reply = try await Self.send(.get, path, as: bob, on: client)
                #expect(reply.status == 200 && !reply.json.json.contains("secret"), "\(path)")
                #expect(!reply.json.json.contains("A test of"), "\(path)")
            }
            let bobs = try await Self.send(.get, "/alerts", as: bob, on: client).json
            #expect(bobs["rules"] == .list([]) && bobs["browsers"] == .list([]))
            #expect(bobs["alerts"] == .list([]))
            for (method, path, body) in [
                (HTTPRequest.Method.delete, "/alerts/rules/\(rule)", nil),
                (.delete, "/alerts/rules/\(rule.prefix(8))", nil),
                (.delete, "/alerts/push/\(Self.browser)", nil),
                (.patch, "/reminders/\(reminder)", "on=false"),
                (.delete, "/reminders/\(reminder)", nil),
                (.delete, "/alerts/rules/%25", nil), (.delete, "/alerts/push/..%2Fx", nil),
            ] {
                let reply = try await Self.send(method, path, as: bob, body, on: client)
                #expect(reply.status == 404, "\(method) \(path)")
            }
            // What Bob replaces is his own alone.
            _ = try await Self.send(
                .post, "/alerts/push", as: bob,
                PersonAlertsFixture.subscription(
                    "https://push.example.org/send/bob", replacing: Self.browser), on: client)
            _ = try await Self.send(.post, "/alerts/pause", as: bob, "for=week", on: client)
            let own = try await Self.send(.get, "/alerts", as: ann, on: client).json
            #expect(own.at("rules.0.line")?.text == "secret")
            #expect(own.at("browsers.0.id")?.text == Self.browser)
            #expect(own["paused_until"] == .null)
            #expect(own.at("alerts.0.status")?.text == "waiting")
            let reminders = try await Self.send(.get, "/reminders", as: ann, on: client).json
            #expect(reminders.at("reminders.0.on") == .bool(true))
        }
    }

    /// An endpoint is a secret: who has it could send to the browser.
    @Test func noSecretOfABrowserIsAnswered() async throws {
        let ann = people.token
        try await TransitFixture.asking(try await state()) { client in
            _ = try await furnish(client)
            let text = try await Self.send(.get, "/alerts", as: ann, on: client).json.json
            #expect(text.contains("push.example.org"))
            for secret in ["/send/ann", "BTBZMqHH6r4Tts7J", "BCVxsr7N", people.folder.path] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }

    @Test func aBrowserIsKeptOnceAndBelongsToWhoHasItNow() async throws {
        let (ann, bob) = (people.token, people.otherToken)
        @Sendable func browsers(
            _ token: String, _ client: ServiceClient
        ) async throws -> [String] {
            let json = try await Self.send(.get, "/alerts", as: token, on: client).json
            return (json["browsers"]?.values ?? []).compactMap { $0["id"]?.text }
        }
        try await TransitFixture.asking(try await state()) { client in
            let body = PersonAlertsFixture.subscription(Self.endpoint)
            for _ in 0..<2 {
                _ = try await Self.send(.post, "/alerts/push", as: ann, body, on: client)
            }
            #expect(try await browsers(ann, client) == [Self.browser])
            let newer = "https://push.example.org/send/newer"
            _ = try await Self.send(
                .post, "/alerts/push", as: ann,
                PersonAlertsFixture.subscription(newer, replacing: Self.browser), on: client)
            #expect(try await browsers(ann, client) == [AlertBrowser.id(of: newer)])
            let taken = PersonAlertsFixture.subscription(newer)
            _ = try await Self.send(.post, "/alerts/push", as: bob, taken, on: client)
            #expect(try await browsers(ann, client).isEmpty)
            for number in 0..<AlertBrowser.maxPerPerson {
                let one = PersonAlertsFixture.subscription("https://push.example.org/\(number)")
                let reply = try await Self.send(.post, "/alerts/push", as: ann, one, on: client)
                #expect(reply.status == 200)
            }
            let refused = try await Self.send(.post, "/alerts/push", as: ann, body, on: client)
            #expect(refused.status == 422)
            #expect(refused.json["detail"]?.text?.contains("10 browsers") == true)
        }
    }

    @Test(arguments: [
        "http://push.example.org/x", "https://127.0.0.1/x", "https://10.0.0.5/x",
        "https://[::1]/x", "https://[::ffff:192.168.0.1]/x", "https://localhost/x",
        "https://router/x", "https://printer.local/x", "https://2130706433/x",
        "https://0x7f.1/x", "https://127.1/x", "https://push.example.org:8443/x",
        "https://user@push.example.org/x", "https:///x", "ftp://push.example.org/x", "x",
    ])
    func endpointsThatAreNotOfTheInternetAreRefused(endpoint: String) async throws {
        try await TransitFixture.asking(try await state()) { client in
            let reply = try await Self.send(
                .post, "/alerts/push", as: people.token,
                PersonAlertsFixture.subscription(endpoint), on: client)
            #expect(reply.status == 422, "\(endpoint)")
        }
        #expect(try fixture.store.owners().isEmpty)
    }

    @Test(arguments: [
        "https://push.example.org/a\\u0000b", "https://push.example.org/a b",
        "https://push.example.org/é", "https://push.example.org/a\\tb",
    ])
    func anEndpointThatNoBrowserGivesIsRefused(endpoint: String) async throws {
        try await TransitFixture.asking(try await state()) { client in
            let reply = try await Self.send(
                .post, "/alerts/push", as: people.token,
                PersonAlertsFixture.subscription(endpoint), on: client)
            #expect(reply.status == 422 && reply.json["parameter"]?.text == "endpoint")
        }
        #expect(try fixture.store.owners().isEmpty)
    }

    @Test func aSubscriptionThatSaysSomethingTwiceOrHasNoPointOfTheCurveIsRefused() async throws {
        let whole = PersonAlertsFixture.subscription(Self.endpoint)
        // The last byte of the point's y is another.
        let offCurve =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw8"
        try await TransitFixture.asking(try await state()) { client in
            for (body, parameter) in [
                (
                    whole.replacing("{\"endpoint\"", with: "{\"endpoint\": \"x\", \"endpoint\""),
                    "endpoint"
                ),
                (whole.replacing("\"auth\"", with: "\"auth\": \"x\", \"\\u0061uth\""), "keys.auth"),
                (PersonAlertsFixture.subscription(Self.endpoint, key: offCurve), "keys.p256dh"),
                (PersonAlertsFixture.subscription(Self.endpoint, key: "BCVx"), "keys.p256dh"),
            ] {
                let reply = try await Self.send(
                    .post, "/alerts/push", as: people.token, body, on: client)
                #expect(
                    reply.status == 422 && reply.json["parameter"]?.text == parameter, "\(body)")
            }
        }
        #expect(try fixture.store.owners().isEmpty)
    }

    @Test(arguments: [
        ("/alerts/rules", "line=4%004", "line"), ("/favourites", "name=a%00&from=a&to=b", "name"),
        ("/favourites", "name=a&line=4&stop=%00", "stop"),
    ])
    func aValueWithTheCharacterNULIsRefused(
        path: String, form: String, parameter: String
    ) async throws {
        try await TransitFixture.asking(try await state()) { client in
            let reply = try await Self.send(.post, path, as: people.token, form, on: client)
            #expect(reply.status == 400 && reply.json["parameter"]?.text == parameter)
        }
    }

    @Test func aFormWithoutValuesMayBeLeftOut() async throws {
        try await TransitFixture.asking(try await state()) { client in
            func post(_ path: String) async throws -> (status: Int, json: JSONValue) {
                try await Self.send(.post, path, as: people.token, on: client)
            }
            #expect(try await post("/alerts/test").status == 200)
            let paused = try await post("/alerts/pause")
            #expect(paused.status == 200 && paused.json["paused_until"]?.text != nil)
            let stopped = try await post("/journeys/stop")
            #expect(stopped.json["detail"]?.text == "no journey is under way")
            #expect(try await post("/alerts/rules").json["parameter"]?.text == "bridge")
            // A body without a type is still refused, and so is a document that is missing.
            let untyped = try await client.execute(
                uri: "/api/v1/me/alerts/pause", method: .post,
                headers: [.authorization: "Bearer \(people.token)"],
                body: ByteBuffer(string: "for=off"))
            #expect(untyped.status == .unsupportedMediaType)
            #expect(try await post("/alerts/push").status == 415)
        }
    }

    @Test func testsAreLimited() async throws {
        try await TransitFixture.asking(try await state()) { client in
            var statuses: [Int] = []
            for _ in 0..<5 {
                statuses.append(
                    try await Self.send(.post, "/alerts/test", as: people.token, "", on: client)
                        .status)
            }
            #expect(statuses == [200, 200, 200, 429, 429])
            let other = try await Self.send(
                .post, "/alerts/test", as: people.otherToken, "", on: client)
            #expect(other.status == 200)
        }
    }

    @Test func remindersHaveTheirNextDeadline() async throws {
        try await TransitFixture.asking(try await state()) { client in
            _ = try await furnish(client)
            // The fixture's evening is a Friday: workdays go on on Monday.
            let reply = try await Self.send(.get, "/reminders", as: people.token, on: client)
            let reminder = try #require(reply.json.at("reminders.0"))
            #expect(reminder["next_deadline"]?.text == "2026-02-23T09:00:00-08:00")
            #expect(reminder["favourite"]?.text == "secret" && reminder["kind"]?.text == "trip")
            let id = try #require(reminder["id"]?.text)
            let changed = try await Self.send(
                .patch, "/reminders/\(id)", as: people.token, "on=false&lead_min=7.5", on: client)
            #expect(changed.json["on"] == .bool(false) && changed.json["lead_s"] == .number(450))
        }
    }

    @Test func remindersGoWithTheirFavouriteAndAreNamed() async throws {
        try await TransitFixture.asking(try await state()) { client in
            let reminder = try await furnish(client).reminder
            let again = try await Self.send(
                .post, "/reminders", as: people.token, "favourite=secret&by=9:00", on: client)
            #expect(again.json["id"]?.text == reminder)
            let all = try await Self.send(.get, "/favourites", as: people.token, on: client)
            let id = try #require(all.json.at("favourites.0")?["id"]?.text)
            let removed = try await Self.send(
                .delete, "/favourites/\(id)", as: people.token, on: client)
            #expect(removed.json["name"]?.text == "secret")
            #expect(removed.json.at("removed_reminders.0")?["id"]?.text == reminder)
        }
    }

    @Test func aRuleAboutRemindersNamesTheOwnJournal() async throws {
        try await TransitFixture.asking(try await state()) { client in
            _ = try await Self.send(
                .post, "/alerts/rules", as: people.token, "reminders=true", on: client)
        }
        let rule = try #require(try fixture.store.rules().first)
        #expect(rule.subject == .ownReminders)
        let ann = try person(people.token)
        #expect(try fixture.store.reminderJournals() == [.person(ann.id)])
    }

    @Test func aRuleThatSaysTheSameIsNotAddedAgain() async throws {
        try await TransitFixture.asking(try await state()) { client in
            @Sendable func add(_ form: String) async throws -> (status: Int, json: JSONValue) {
                try await Self.send(.post, "/alerts/rules", as: people.token, form, on: client)
            }
            for form in ["bridge=Ballard&up=true&from=7:00", "reminders=true"] {
                let first = try await add(form)
                let again = try await add(form)
                #expect(first.json["is_new"] == .bool(true))
                #expect(again.status == 200 && again.json["is_new"] == .bool(false))
                #expect(again.json["id"] == first.json["id"])
            }
            let other = try await add("bridge=Ballard&up=true&from=8:00")
            #expect(other.json["is_new"] == .bool(true))
            let empty = try await add("bridge=Ballard&up=true&from=8:00&until=8:00")
            #expect(empty.status == 422)
            #expect(empty.json["detail"]?.text?.contains("end when they begin") == true)
        }
        #expect(try fixture.store.rules().count == 3)
    }

    // MARK: Stream

    private func person(_ token: String) throws -> Person {
        try #require(try PeopleStore(people.folder, .reading).person(withToken: token))
    }

    @Test func aStreamHasOnesOwnAlertsAndEndsWithTheToken() async throws {
        let (ann, bob) = (try person(people.token), try person(people.otherToken))
        let anns = try fixture.alerts.listen(ann, nil)
        let bobs = try fixture.alerts.listen(bob, nil)
        try fixture.store.addTest(to: ann.alertOwner, now: ServiceFixture.evening)
        let subscriber = try #require(try fixture.store.subscriber(of: ann.alertOwner))
        let entry = try #require(try fixture.store.waiting().first)
        let message = AlertMessage(id: "m", of: [entry], sentAt: ServiceFixture.evening)
        #expect(await fixture.streams.send(message, to: subscriber) == .delivered)
        // Bob was removed, and Ann has another token.
        fixture.streams.endStreams(except: [ann.id: ann.tokenMadeAt.adding(seconds: 1)])
        let texts = await (Self.text(anns), Self.text(bobs))
        #expect(texts.0.contains("A test of") && texts.0.contains("id: \(entry.number)\n"))
        #expect(!texts.1.contains("A test of"))
    }

    @Test func aReaderThatReconnectsGetsWhatItMissed() async throws {
        let ann = try person(people.token)
        try fixture.store.addTest(to: ann.alertOwner, now: ServiceFixture.evening)
        let entry = try #require(try fixture.store.waiting().first)
        _ = try fixture.store.begin([entry.number: "m"], now: ServiceFixture.evening)
        let stream = try fixture.alerts.listen(ann, "0")
        let other = try fixture.alerts.listen(try person(people.otherToken), "0")
        fixture.streams.finish()
        #expect(await Self.text(stream).contains("A test of"))
        #expect(await !Self.text(other).contains("A test of"))
    }

    @Test func aPersonHasAFewStreamsAndOthersHaveTheirs() async throws {
        let ann = try person(people.token)
        let streams = try (0..<5).map { _ in try fixture.alerts.listen(ann, nil) }
        #expect(throws: AlertStreamRefusal.tooMany(max: 5)) {
            try fixture.alerts.listen(ann, nil)
        }
        _ = try fixture.alerts.listen(try person(people.otherToken), nil)
        fixture.streams.finish()
        for stream in streams { _ = await Self.text(stream) }
        #expect(throws: AlertStreamRefusal.notOpen) { try fixture.alerts.listen(ann, nil) }
    }

    private static func text(_ stream: AsyncStream<[UInt8]>) async -> String {
        var bytes: [UInt8] = []
        for await chunk in stream { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func aServiceWithoutAlertsSaysSo() async throws {
        var parts = try ServiceFixture.parts()
        parts.people = try people.access()
        try await TransitFixture.asking(ServiceState(parts, ServiceSettings())) { client in
            for path in ["/alerts", "/events"] {
                let reply = try await Self.send(.get, path, as: people.token, on: client)
                #expect(reply.status == 404)
                #expect(reply.json["detail"]?.text == "this service sends no alerts")
            }
        }
    }
}
