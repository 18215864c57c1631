// People with tokens in the file of alerts: found by their id alone, sent to all of their browsers, and removed without a trace.
import BridgecastCore
import BridgecastStore
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@testable import BridgecastAlertCarriers
@testable import BridgecastAlerts

@Suite struct PersonSubscriptionTests {
    private let ann = AlertOwner(id: "a1", name: "Ann")
    private let bob = AlertOwner(id: "b2", name: "me")
    private let clock = HandClock(testNow)

    private func subscription(_ endpoint: String) -> PushSubscription {
        PushSubscription(
            endpoint: endpoint, publicKey: [4] + [UInt8](repeating: 7, count: 64),
            secret: [UInt8](repeating: 1, count: 16))
    }

    private func furnish(_ owner: AlertOwner, in store: AlertStore) throws {
        _ = try store.add(
            subscription("https://push.example/\(owner.id)"), to: owner, now: testNow)
        _ = try store.add(to: owner) {
            AlertRule(
                id: "rule-\(owner.id)", subscriber: $0, subject: .line("44"), createdAt: testNow)
        }
        try store.addTest(to: owner, now: testNow)
    }

    /// Neither by `--person` of a command nor by a name of the same letters.
    @Test func noNameThatIsTypedFindsAPersonWithAToken() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            try furnish(bob, in: store)
            for name in ["me", "b2", "me/b2", "meb2"] {
                #expect(throws: AlertStoreError.self, "\(name)") {
                    try store.removeSubscriber(name)
                }
                #expect(throws: AlertStoreError.self) { try store.pause(name, until: testNow) }
                #expect(throws: AlertStoreError.self) { try store.addTest(to: name, now: testNow) }
            }
            let own = try store.add(to: "me", .command(["/bin/true"])) {
                rule(BridgeConditions(raised: true), id: "typed", of: $0)
            }
            #expect(own.isNewSubscriber && own.subscriber.owner == nil)
            _ = try store.removeSubscriber("me")
            #expect(try store.rules(of: bob).map(\.id) == ["rule-b2"])
        }
    }

    @Test func whoLeavesLeavesNothingAndOthersKeepTheirs() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            try furnish(ann, in: store)
            try furnish(bob, in: store)
            #expect(try store.owners() == ["a1", "b2"])
            let owners = try store.owners()
            #expect(
                try store.removeLeavers(among: owners, except: ["b2": testNow], of: "/people")
                    == 1)
            #expect(try store.owners() == ["b2"])
            for table in ["subscriber", "rule", "alert", "browser"] {
                let count = try await store.database.read {
                    try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)")
                }
                #expect(count == 1, "\(table)")
            }
            #expect(try store.log(of: bob, max: 50).count == 1)
            // A browser that a lost token added gets nothing once there is another token.
            #expect(
                try store.removeLeavers(
                    among: ["b2"], except: ["b2": testNow.adding(minutes: 1)], of: "/people") == 0)
            #expect(try store.browsers(of: bob.subscriber).isEmpty)
            #expect(try store.rules(of: bob).count == 1)
        }
    }

    @Test func anOlderFileGetsTheTablesAndKeepsItsRules() async throws {
        try await withAlerts { url in
            let first = try AlertStore(url, .writing)
            try first.addPerson("me", BridgeConditions(raised: true))
            try await first.database.write {
                try $0.execute(
                    sql: """
                        DROP INDEX subscriberOwner; DROP TABLE browser;
                        ALTER TABLE subscriber DROP COLUMN owner; PRAGMA user_version = 2
                        """)
            }
            first.close()
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            #expect(try store.rules().count == 1)
            try furnish(ann, in: store)
            #expect(try store.owners() == ["a1"])
        }
    }

    @Test func rulesOfPeopleThatNameAPathBecomeTheirOwn() async throws {
        try await withAlerts { url in
            let first = try AlertStore(url, .writing)
            for (number, path) in ["/old/a1.sqlite", "/new/a1.sqlite"].enumerated() {
                _ = try first.add(to: ann) {
                    AlertRule(
                        id: "ann\(number)", subscriber: $0, subject: .reminders(journal: path),
                        createdAt: testNow)
                }
            }
            let typed = AlertRule.Subject.reminders(journal: "/home/me/journeys.sqlite")
            _ = try first.add(to: "me", .command(["/bin/true"])) {
                AlertRule(id: "typed", subscriber: $0, subject: typed, createdAt: testNow)
            }
            try await first.database.write { try $0.execute(sql: "PRAGMA user_version = 3") }
            first.close()
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            #expect(try store.rules().map(\.id) == ["ann0", "typed"])
            #expect(try store.rules().map(\.subject) == [.ownReminders, typed])
            #expect(
                try store.reminderJournals() == [.person("a1"), .file("/home/me/journeys.sqlite")])
        }
    }

    @Test func aMessageGoesToAllBrowsersAndWhatIsGoneIsForgotten() async throws {
        let service = try Receiver("push_service.py")
        let words = service.address.split(separator: " ").map(String.init)
        try #require(words.count == 3, "python3 has the package cryptography")
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            for path in ["/one", "/gone", "/two"] {
                let json =
                    #"{"endpoint": "\#(words[0])\#(path)", "expirationTime": null, "#
                    + #""keys": {"p256dh": "\#(words[1])", "auth": "\#(words[2])"}}"#
                _ = try store.add(
                    try PushSubscription(json: Array(json.utf8)), to: ann, now: testNow)
            }
            let key = try #require(PushKey(PushKey.makeBytes()))
            let carrier = PersonCarrier(
                store, streams: AlertStreams(),
                push: PushCarrier(
                    HTTPPost(reach: .everywhere, clock: clock), key: key, contact: nil))
            let subscriber = try #require(try store.subscriber(of: ann))
            #expect(await carrier.send(sampleMessage, to: subscriber) == .delivered)
            let titles = try (0..<3).map { _ in
                try service.request()["message"] as? [String: Any]
            }.map { $0?["title"] as? String }
            #expect(titles == Array(repeating: "Ballard Bridge is up, and 1 more", count: 3))
            #expect(
                try store.browsers(of: subscriber.id).map { $0.subscription.endpoint }
                    == ["\(words[0])/one", "\(words[0])/two"])
        }
    }

    @Test func whatBecameOfAMessageIsTheBestThatBecameOfAny() {
        let failed = CarrierOutcome.failed(reason: "HTTP 503")
        let refused = CarrierOutcome.refused(reason: "HTTP 400")
        let unclear = CarrierOutcome.uncertain(reason: "timed out")
        let gone = CarrierOutcome.gone(reason: "HTTP 410")
        #expect(PersonCarrier.summary([failed, .delivered, gone]) == .delivered)
        #expect(PersonCarrier.summary([failed, unclear]) == unclear)
        #expect(PersonCarrier.summary([refused, failed]) == failed)
        #expect(PersonCarrier.summary([refused, gone]) == refused)
        // The person may switch on another browser.
        #expect(PersonCarrier.summary([gone]) == .failed(reason: "HTTP 410"))
        guard case .failed = PersonCarrier.summary([]) else {
            Issue.record("nothing to send to")
            return
        }
    }

    @Test func alertsOfOneOccasionShareATopicAndOthersDoNot() {
        let raised = AlertIdentity(rule: "r", occasion: "opening/1", kind: .raised)
        let lowered = AlertIdentity(rule: "r", occasion: "opening/1", kind: .lowered)
        let next = AlertIdentity(rule: "r", occasion: "opening/2", kind: .raised)
        #expect(raised.topic == lowered.topic && raised.digest != lowered.digest)
        #expect(raised.topic != next.topic && raised.topic.utf8.count == 32)
    }

    @Test(arguments: [
        "https://push.example.org/x", "https://8.8.8.8/x", "https://[2606:4700::1]/x",
    ])
    func pushServicesOfTheInternetAreAllowed(endpoint: String) {
        #expect(NetworkReach.publicOnly.allows(endpoint: endpoint))
    }

    @Test func aServiceForPrivateNetworksAllowsThem() {
        #expect(NetworkReach.everywhere.allows(endpoint: "http://127.0.0.1:9000/x"))
        #expect(!NetworkReach.everywhere.allows(endpoint: "file:///etc/passwd"))
    }

    /// Bytes that are no subscription are refused with a reason; what is accepted has keys of the right length.
    @Test func mutatedSubscriptionsAreRefusedOrWhole() throws {
        let key =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        let whole = Array(
            (#"{"endpoint": "https://push.example/a", "expirationTime": null, "keys": {"p256dh": ""#
                + key + #"", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}"#).utf8)
        let words = ["null", "{", "\"", "\\u0000", "https://", "=", "[[[["].map { Array($0.utf8) }
        var random = SeededGenerator(seed: 20_261_129)
        var accepted = 0
        for _ in 0..<4000 {
            let bytes = mutated(whole, words: words, &random)
            guard let subscription = try? PushSubscription(json: bytes),
                (try? AlertAddress.push(subscription).validate()) != nil
            else { continue }
            accepted += 1
            #expect(subscription.publicKey.count == 65 && subscription.secret.count == 16)
            #expect(subscription.endpoint.utf8.count <= 2000)
            #expect(AlertBrowser.id(of: subscription.endpoint).utf8.count == 32)
        }
        // Nothing is tested where all is refused, or where nothing is.
        #expect((400..<3800).contains(accepted), "\(accepted)")
    }
}
