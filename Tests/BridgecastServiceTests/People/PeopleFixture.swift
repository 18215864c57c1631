// A folder of people for tests, which is removed with the fixture.
import BridgecastAlertCarriers
import BridgecastAlerts
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import Foundation

@testable import BridgecastService

final class PeopleFixture: Sendable {
    let folder: URL
    /// Of a person called Ann.
    let token: String
    /// Of a person called Bob.
    let otherToken: String

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("bridgecast-people-\(UUID().uuidString)")
        let people = try PeopleStore(folder, .writing)
        defer { people.close() }
        token = try people.add("Ann", now: ServiceFixture.evening)
        otherToken = try people.add("Bob", now: ServiceFixture.evening)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// - Parameter key: The key of all journals; nil if they are not encrypted.
    func access(key: StoreKey? = nil) throws -> PersonAccess {
        PersonAccess(try PeopleStore(folder, .reading, journalKey: key))
    }
}

/// A file of alerts of these people, as a service that delivers has it; removed with the folder of people.
final class PersonAlertsFixture: Sendable {
    let store: AlertStore
    let streams = AlertStreams()
    let alerts: PersonAlerts

    init(_ people: PeopleFixture) throws {
        let url = people.folder.appendingPathComponent("alerts/alerts.sqlite")
        store = try AlertStore(url, .writing)
        _ = try store.setting(AlertStore.publicPushKey) { Array("BPublic".utf8) }
        streams.use(store)
        alerts = PersonAlerts(
            url, refusal: { PushCarrier.refusal(of: $0, by: .publicOnly) },
            listen: { [streams] person, lastEventID in
                try streams.listen(
                    person.alertOwner, tokenMadeAt: person.tokenMadeAt, lastEventID: lastEventID)
            })
    }

    deinit { store.close() }

    /// The body that a browser sends.
    ///
    /// - Parameter key: The browser's public key, by default that of RFC 8291's example.
    static func subscription(
        _ endpoint: String, replacing former: String? = nil,
        key: String =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    ) -> String {
        let keys = "{\"p256dh\": \"\(key)\", \"auth\": \"BTBZMqHH6r4Tts7J_aSIgg\"}"
        let replaced = former.map { ", \"replaces\": \"\($0)\"" } ?? ""
        return
            "{\"endpoint\": \"\(endpoint)\", \"expirationTime\": null, \"keys\": \(keys)\(replaced)}"
    }
}
