// People who leave a service: what is kept of their alerts goes, and streams that their tokens opened end.
import BridgecastAlertCarriers
import BridgecastAlerts
import BridgecastCore
import BridgecastJourneys
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Logging
import Testing

@testable import BridgecastServerCLI

@Suite struct LeaverWatchTests {
    private let now = Fixtures.timestamp("2018-01-04T15:00")

    @Test func whatIsKeptOfAPersonGoesWithTheirToken() async throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let people = try PeopleStore(folder.appendingPathComponent("people"), .writing)
        let tokens = try ["Ann", "Bob"].map { try people.add($0, now: now) }
        let file = folder.appendingPathComponent("alerts.sqlite")
        let alerts = try AlertStore(file, .writing)
        let streams = AlertStreams()
        streams.use(alerts)
        var opened: [AsyncStream<[UInt8]>] = []
        for token in tokens {
            let person = try #require(try people.person(withToken: token))
            let owner = AlertOwner(id: person.id, name: person.name)
            _ = try alerts.add(to: owner) {
                AlertRule(
                    id: "\(person.name)", subscriber: $0, subject: .line("44"), createdAt: now)
            }
            opened.append(
                try streams.listen(owner, tokenMadeAt: person.tokenMadeAt, lastEventID: nil))
        }
        let others = try PeopleStore(folder.appendingPathComponent("people"), .reading)
        let watch = try LeaverWatch(
            of: others, file, streams: streams, log: Logger(label: "test"))
        watch.look()
        #expect(try alerts.rules().map(\.id) == ["Ann", "Bob"])

        _ = try people.remove("Ann")
        watch.look()
        #expect(try alerts.rules().map(\.id) == ["Bob"])
        for await _ in opened[0] {}
        // A new token is no reason to forget anything, but the old one reads no more.
        _ = try people.renew("Bob", now: now.adding(seconds: 60))
        watch.look()
        for await _ in opened[1] {}
        #expect(try alerts.rules().map(\.id) == ["Bob"])
    }

    /// A command may remove a person while no service runs.
    @Test func whoLeftBeforeTheStartIsFoundAtTheFirstLook() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let people = try PeopleStore(folder.appendingPathComponent("people"), .writing)
        let file = folder.appendingPathComponent("alerts.sqlite")
        let alerts = try AlertStore(file, .writing)
        try alerts.pause(AlertOwner(id: "gone", name: "Eve"), until: now)
        try LeaverWatch(of: people, file, streams: AlertStreams(), log: Logger(label: "test"))
            .look()
        #expect(try alerts.owners().isEmpty)
    }

    @Test func aServiceWithTheWrongFolderRemovesNothing() throws {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("alerts.sqlite")
        let alerts = try AlertStore(file, .writing)
        func look(_ name: String, adding person: String?) throws {
            let people = try PeopleStore(folder.appendingPathComponent(name), .writing)
            if let person {
                let token = try people.add(person, now: now)
                let added = try #require(try people.person(withToken: token))
                try alerts.pause(AlertOwner(id: added.id, name: person), until: now)
            }
            try LeaverWatch(of: people, file, streams: AlertStreams(), log: Logger(label: "test"))
                .look()
        }
        try look("people", adding: "Ann")
        let ann = try alerts.owners()
        #expect(ann.count == 1)
        // None of its people is known here.
        try look("others", adding: nil)
        #expect(try alerts.owners() == ann)
        // In their own folder they are compared as before.
        _ = try PeopleStore(folder.appendingPathComponent("people"), .writing).remove("Ann")
        try look("people", adding: "Bob")
        #expect(try alerts.owners().isDisjoint(with: ann) && alerts.owners().count == 1)
    }
}
