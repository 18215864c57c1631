// `/api/v1/me/settings`: what a service may keep of a person, and which features a person has.
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

@Suite struct MeSettingsTests {
    private let people: PeopleFixture

    init() throws { people = try PeopleFixture() }

    private func asking(
        features: FeatureRollout? = nil, _ body: @Sendable (ServiceClient) async throws -> Void
    ) async throws {
        var parts = try ServiceFixture.parts()
        parts.people = PersonAccess(try PeopleStore(people.folder, .reading), features: features)
        let state = ServiceState(parts, ServiceSettings())
        state.show(try await ServiceFixture.state().snapshot())
        try await TransitFixture.asking(state, body)
    }

    private struct Answer {
        let status: Int
        let document: JSONValue
        let text: String
    }

    private static func send(
        _ method: HTTPRequest.Method, _ path: String, as token: String, form: String? = nil,
        json: String? = nil, on client: ServiceClient
    ) async throws -> Answer {
        var fields: HTTPFields = [.authorization: "Bearer \(token)"]
        if form != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
        if json != nil { fields[.contentType] = "application/json" }
        let reply = try await client.execute(
            uri: "/api/v1/me" + path, method: method, headers: fields,
            body: (form ?? json).map { ByteBuffer(string: $0) })
        return Answer(
            status: reply.status.code, document: try JSONValue.read(reply.body.readableBytesView),
            text: String(buffer: reply.body))
    }

    @Test func settingsAreChangedReadAndReset() async throws {
        let (ann, bob) = (people.token, people.otherToken)
        try await asking { client in
            let changed = try await Self.send(
                .patch, "/settings", as: ann,
                form: "keeps_history=true&refresh_min=15&reminder_lead_s=600", on: client)
            #expect(changed.document.at("settings.keeps_history") == .bool(true))
            let read = try await Self.send(.get, "/settings", as: ann, on: client)
            #expect(read.document == changed.document["settings"])
            #expect(read.document["refresh_min"] == .number(15))
            #expect(read.document["keeps_location"] == .bool(false))
            // Another person's are their own.
            let others = try await Self.send(.get, "/settings", as: bob, on: client)
            #expect(others.document["keeps_history"] == .bool(false))
            // The answer is the document that the command line imports.
            _ = try JournalSettings(reading: Array(read.text.utf8))
            let reset = try await Self.send(.delete, "/settings", as: ann, on: client)
            #expect(reset.document["settings"] == others.document)
        }
    }

    @Test func aWrongSettingChangesNone() async throws {
        let token = people.token
        try await asking { client in
            for form in [
                "keeps_history=true&refresh_min=3", "keeps_history=true&reminder_lead_s=-1",
                "keeps_history=true&color=red", "keeps_history=true&tracks_journeys=",
                "keeps_history=true&keeps_history=true", "",
            ] {
                let answer = try await Self.send(
                    .patch, "/settings", as: token, form: form, on: client)
                #expect(answer.status == 400, "\(form): \(answer.text)")
            }
            let read = try await Self.send(.get, "/settings", as: token, on: client)
            #expect(read.document["keeps_history"] == .bool(false))
        }
    }

    /// Every resource through which a journey could come into a journal.
    @Test func withoutConsentNoResourceRecordsAJourney() async throws {
        let (token, folder) = (people.token, people.folder)
        let journal = """
            {"format": "bridgecast-journal", "version": 2, "favourites": [], "reminders": [], "journeys": [
              {"id": "i", "route": "car/zaphod/b", "name": "Zaphod -> b", "mode": "car",
               "planned_departure": "2026-02-01T08:00:00-08:00",
               "planned_arrival": "2026-02-01T08:20:00-08:00", "abandoned": true,
               "created_at": "2026-02-01T08:00:00-08:00"}]}
            """
        let past = "from=Zaphod&to=b&departed=2026-02-19T17:30&arrived=2026-02-19T17:55"
        try await asking { client in
            for isAllowed in [false, true] {
                if isAllowed {
                    _ = try await Self.send(
                        .patch, "/settings", as: token, form: "keeps_history=true", on: client)
                }
                let answers = [
                    try await Self.send(.post, "/journeys", as: token, form: past, on: client),
                    try await Self.send(
                        .post, "/journeys/start", as: token, form: "from=Zaphod&to=b&minutes=5",
                        on: client),
                    try await Self.send(.post, "/import", as: token, json: journal, on: client),
                ]
                for answer in answers {
                    #expect(answer.status == (isAllowed ? 200 : 422), "\(answer.text)")
                    #expect(isAllowed || answer.text.contains("keeps_history=true"))
                }
                let files = try FileManager.default.contentsOfDirectory(
                    at: folder, includingPropertiesForKeys: nil)
                let holders = try files.filter {
                    try Data(contentsOf: $0).range(of: Data("Zaphod".utf8)) != nil
                }
                #expect(holders.count == (isAllowed ? 1 : 0))
            }
            _ = try await Self.send(
                .patch, "/settings", as: token, form: "tracks_journeys=false", on: client)
            let stopped = try await Self.send(
                .post, "/journeys/stop", as: token, form: "", on: client)
            #expect(stopped.status == 422 && stopped.text.contains("tracks_journeys=true"))
        }
    }

    @Test func coordinatesAreKeptWithConsentAndRemovedWithoutIt() async throws {
        let token = people.token
        let form = "name=own&from=47.66871,-122.37612&to=Downtown"
        try await asking { client in
            let refused = try await Self.send(
                .post, "/favourites", as: token, form: form, on: client)
            #expect(refused.status == 422 && refused.text.contains("keeps_location=true"))
            _ = try await Self.send(
                .patch, "/settings", as: token, form: "keeps_location=true", on: client)
            let kept = try await Self.send(.post, "/favourites", as: token, form: form, on: client)
            #expect(kept.status == 200)
            _ = try await Self.send(
                .post, "/reminders", as: token, form: "favourite=own&by=9:00", on: client)
            let withdrawn = try await Self.send(
                .patch, "/settings", as: token, form: "keeps_location=false", on: client)
            #expect(withdrawn.document["removed_favourites"] == .number(1))
            #expect(withdrawn.document["removed_reminders"] == .number(1))
            let left = try await Self.send(.get, "/export", as: token, on: client)
            #expect(!left.text.contains("47.66871"))
        }
    }

    @Test func placesOfFavouritesAreCheckedAndAReminderHasItsProblem() async throws {
        let token = people.token
        let imported = """
            {"format": "bridgecast-journal", "version": 2, "journeys": [], "favourites": [
             {"id": "lost", "name": "lost", "kind": "trip", "from": "Nowhereville",
              "to": "Downtown", "mode": "car"}],
             "reminders": [{"id": "r", "favourite_id": "lost", "time": "18:30", "days": "daily",
              "zone": "America/Los_Angeles"}]}
            """
        try await asking { client in
            for (form, status) in [
                ("name=x&from=Nowhereville&to=Downtown", 404),
                ("name=x&from=Ballard&to=Ballard", 400),
                ("name=x&from=N47.668+W122.384&to=Downtown", 404),
                ("name=x&from=47,668+-122,384&to=Downtown", 404),
            ] {
                let answer = try await Self.send(
                    .post, "/favourites", as: token, form: form, on: client)
                #expect(answer.status == status, "\(form): \(answer.text)")
            }
            _ = try await Self.send(
                .post, "/favourites", as: token, form: "name=work&from=Ballard&to=Downtown",
                on: client)
            _ = try await Self.send(
                .post, "/reminders", as: token, form: "favourite=work&by=9:00", on: client)
            _ = try await Self.send(.post, "/import", as: token, json: imported, on: client)
            let list = try await Self.send(.get, "/reminders", as: token, on: client)
            let problems = (0..<2).map { list.document.at("reminders.\($0)")?["problem"] }
            #expect(problems[0] == .null)
            #expect(problems[1]?.text?.contains("Nowhereville") == true, "\(list.text)")
        }
    }

    @Test func newFavouritesTakeTheIntervalOfTheSettings() async throws {
        let token = people.token
        try await asking { client in
            _ = try await Self.send(
                .patch, "/settings", as: token, form: "refresh_min=10", on: client)
            let own = "name=own&from=Ballard&to=Downtown"
            let added = try await Self.send(.post, "/favourites", as: token, form: own, on: client)
            #expect(added.document["refresh_min"] == .number(10))
            let stated = "name=other&from=Ballard&to=Fremont&refresh_min=1"
            let other = try await Self.send(
                .post, "/favourites", as: token, form: stated, on: client)
            #expect(other.document["refresh_min"] == .number(1))
        }
    }

    @Test func olderJourneysAreCleared() async throws {
        let token = people.token
        try await asking { client in
            _ = try await Self.send(
                .patch, "/settings", as: token, form: "keeps_history=true", on: client)
            for day in [17, 18, 19] {
                let times = "departed=2026-02-\(day)T17:30&arrived=2026-02-\(day)T17:55"
                _ = try await Self.send(
                    .post, "/journeys", as: token, form: "from=a&to=b&" + times, on: client)
            }
            let cleared = try await Self.send(
                .post, "/journeys/clear", as: token, form: "before=2026-02-19T00:00", on: client)
            #expect(cleared.document["removed_journeys"] == .number(2))
            let left = try await Self.send(.get, "", as: token, on: client)
            #expect(left.document["journeys"] == .number(1))
        }
    }

    @Test func aFeatureIsOnForItsShareOfPeople() async throws {
        let store = try PeopleStore(people.folder, .writing)
        defer { store.close() }
        let tokens = try (0..<24).map { try store.add("P\($0)", now: ServiceFixture.evening) }
        var rollout = FeatureRollout()
        rollout.key = "a key for these tests"
        rollout.shares = [.statistics: 0.5, .journalPage: 0]
        let members = try tokens.map { token in
            let person = try #require(try store.person(withToken: token))
            return rollout.isOn(.statistics, for: person.id)
        }
        try #require(Set(members).count == 2)
        try await asking(features: rollout) { client in
            for (token, isMember) in zip(tokens, members) {
                let answer = try await Self.send(.get, "/statistics", as: token, on: client)
                #expect(answer.status == (isMember ? 200 : 404), "\(answer.text)")
                let me = try await Self.send(.get, "", as: token, on: client)
                let features = me.document["features"]?.texts ?? []
                #expect(features.contains("statistics") == isMember)
                #expect(!features.contains("journal_page") && features.contains("learned_pace"))
            }
        }
    }
}
