// The file of alerts: private, its own, and written before anything is sent.
import BridgecastCore
import BridgecastStore
import BridgecastTestSupport
import Foundation
import GRDB
import Testing

@testable import BridgecastAlerts

@Suite struct AlertStoreTests {
    private let conditions = BridgeConditions(raised: true)

    @Test func onlyItsOwnerMayReadItAndItHasItsOwnMark() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            try store.addPerson("me", conditions)
            for ending in ["", "-wal", "-shm"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: url.path + ending)
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(ending)")
            }
            let mark = try await store.database.read {
                try Int32.fetchOne($0, sql: "PRAGMA application_id")
            }
            #expect(mark == 0x4243_414C)
            store.close()
            // It is no history, which would be exported and backed up, and no history is taken for it.
            #expect(throws: HistoryStoreError.self) { try HistoryStore(url, .reading) }
            let history = url.deletingLastPathComponent().appendingPathComponent("history.sqlite")
            try HistoryStore(history, .writing).close()
            let before = try Data(contentsOf: history)
            let error = #expect(throws: AlertStoreError.self) { try AlertStore(history, .writing) }
            #expect(error?.problem == .file(.foreign))
            #expect(try Data(contentsOf: history) == before)
        }
    }

    /// As `alert remove` and `token remove` do while a service has the file open.
    @Test func whatIsRemovedIsNeitherInTheFileNorInItsLog() async throws {
        try await withAlerts { url in
            let service = try AlertStore(url, .writing)
            defer { service.close() }
            let command = try AlertStore(url, .writing)
            defer { command.close() }
            let owner = AlertOwner(id: "a1", name: "Trillian")
            for number in 1...40 {
                try service.addPerson("person \(number)", conditions)
            }
            let line = try service.add(to: "Zaphod", .command(["/bin/true"])) {
                AlertRule(
                    id: "z", subscriber: $0, subject: .line("Arcturus"), createdAt: testNow)
            }
            _ = try service.add(to: owner) {
                AlertRule(
                    id: "t", subscriber: $0, subject: .line("Sirius"), createdAt: testNow)
            }
            func traces() throws -> [String] {
                try ["Zaphod", "Arcturus", "Trillian", "Sirius"].filter { trace in
                    try ["", "-wal"].contains { ending in
                        let file = URL(fileURLWithPath: url.path + ending)
                        return try Data(contentsOf: file).range(of: Data(trace.utf8)) != nil
                    }
                }
            }
            #expect(try traces().count == 4)
            _ = try command.removeRule(line.rule.id)
            #expect(try !traces().contains("Arcturus"))
            _ = try command.removeSubscriber("Zaphod")
            #expect(try traces() == ["Trillian", "Sirius"])
            #expect(try service.removeLeavers(among: ["a1"], except: [:], of: "/people") == 1)
            #expect(try traces().isEmpty)
        }
    }

    @Test func theLogIsEmptiedOnceItIsNoLongerRead() async throws {
        try await withAlerts { url in
            let service = try AlertStore(url, .writing)
            defer { service.close() }
            let reader = try AlertStore(url, .reading)
            defer { reader.close() }
            try service.addPerson("Zaphod", conditions)
            try reader.database.read { database in
                _ = try Row.fetchOne(database, sql: "SELECT * FROM rule")
                try service.addPerson("Trillian", conditions)
                #expect(try !service.emptyLog(waits: false))
            }
            #expect(try service.emptyLog(waits: false))
            let log = try Data(contentsOf: URL(fileURLWithPath: url.path + "-wal"))
            #expect(log.isEmpty)
        }
    }

    @Test func anAlertIsKeptOnceByRuleOccasionAndKind() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            #expect(try store.record("a", for: "s", now: testNow).count == 1)
            #expect(try store.record("a", for: "s", now: testNow).isEmpty)
            #expect(try store.record("a", for: "s", .lowered, now: testNow).count == 1)
            #expect(try store.record("a", for: "t", now: testNow).count == 1)
            #expect(try store.waiting().count == 3)
        }
    }

    @Test func whatWasBeingSentWhenTheProcessEndedIsUnknownAndListed() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            let first = try store.record("sending", for: "s", now: testNow)
            try store.record("waiting", for: "s", now: testNow)
            let begun = try store.begin([first[0].number: "m"], now: testNow)
            #expect(begun == Set(first.map(\.number)))
            store.close()
            let next = try AlertStore(url, .writing)
            defer { next.close() }
            #expect(try next.recover(now: testNow.adding(minutes: 1)) == 1)
            #expect(try next.statuses() == ["sending": .unknown, "waiting": .waiting])
            #expect(try next.log(status: .unknown).map(\.detail) == ["interrupted"])
            #expect(try next.waiting().map(\.alert.identity.occasion) == ["waiting"])
        }
    }

    @Test func whatAPlannerRemembersSurvives() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            var planner = makePlanner([rule(conditions)])
            let plan = planner.plan(board(.raised(since: testNow), at: testNow))
            var kept = plan
            kept.isArmed = ["x": false, "y": false]
            _ = try store.record(kept, now: testNow)
            var rearmed = AlertPlan(at: testNow.adding(minutes: 1))
            rearmed.isArmed = ["y": true]
            _ = try store.record(rearmed, now: testNow)
            let memory = try store.memory()
            #expect(memory.openings == plan.openings && memory.openings.count == 1)
            #expect(memory.disarmed == ["x"])
            #expect(memory.lastAt == testNow.adding(minutes: 1))
        }
    }

    @Test func aMissedReminderIsSentWhenTheClockIsSetBackToItsTime() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            let identity = AlertIdentity(rule: "r", occasion: "leave/2018-01-04", kind: .leaveNow)
            let alert = Alert(
                identity: identity, subscriber: "s", priority: .normal, at: testNow, title: "t",
                text: "t")
            var plan = AlertPlan(at: testNow)
            plan.alerts = [PlannedAlert(alert: alert, status: .missed)]
            #expect(try store.record(plan, now: testNow).isEmpty)
            plan.alerts[0].status = .waiting
            #expect(try store.record(plan, now: testNow).count == 1)
            #expect(try store.record(plan, now: testNow).isEmpty)
        }
    }

    @Test func oneProcessAtATimeDelivers() async throws {
        try await withAlerts { url in
            try AlertStore(url, .writing).close()
            var claim: DeliveryClaim? = try DeliveryClaim(url)
            let error = #expect(throws: AlertStoreError.self) { try DeliveryClaim(url) }
            #expect(error?.problem == .inUse)
            withExtendedLifetime(claim) {}
            claim = nil
            _ = try DeliveryClaim(url)
        }
    }

    @Test func peopleAndRulesAreAddedPausedAndRemoved() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            let person = try store.addPerson(
                "Me", conditions, BridgeConditions(lowered: true))
            #expect(try store.rules().count == 2)
            let other = AlertAddress.ntfy(url: "https://ntfy.example/x", token: nil)
            let taken = #expect(throws: AlertStoreError.self) {
                try store.add(to: "me", other) { rule(BridgeConditions(raised: true), of: $0) }
            }
            #expect(taken?.problem == .taken("me"))
            let unknown = #expect(throws: AlertStoreError.self) {
                try store.add(to: "you", nil) { rule(BridgeConditions(raised: true), of: $0) }
            }
            #expect(unknown?.problem == .noAddress("you"))
            try store.pause("ME", until: testNow)
            #expect(try store.subscribers().map(\.pausedUntil) == [testNow])
            let removed = try #require(try store.rules().first)
            #expect(try store.removeRule(String(removed.id.prefix(8))) == removed)
            try store.record("x", for: person.id, now: testNow)
            #expect(try store.removeSubscriber("me").id == person.id)
            #expect(try store.rules().isEmpty)
            #expect(try store.log().isEmpty)
            #expect(try store.subscribers().isEmpty)
        }
    }

    @Test func aRuleThatSaysTheSameIsNotAddedAgain() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            func add(_ id: String, _ hours: AlertHours = .always) throws -> AlertStore.Addition {
                try store.add(to: "me", .command(["/bin/true"])) {
                    rule(conditions, id: id, of: $0, hours: hours)
                }
            }
            let first = try add("r1")
            let again = try add("r2")
            #expect(first.isNewRule && !again.isNewRule && again.rule == first.rule)
            let days = AlertHours(days: [.monday], startMinute: 0, endMinute: 1440)
            #expect(try add("r3", days).isNewRule)
            #expect(try store.rules().map(\.id) == ["r1", "r3"])
            let empty = #expect(throws: AlertStoreError.self) {
                try add("r4", AlertHours(days: [.monday], startMinute: 420, endMinute: 420))
            }
            #expect(empty?.problem == .rule(.noHours))
        }
    }

    /// The secret of a webhook or a stream is made anew where none is named.
    @Test func oneWhoHasTheAddressKeepsTheSecretInIt() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            func add(_ path: String, _ secret: String, isNew: Bool) throws -> Subscriber {
                try store.add(
                    to: "me",
                    .webhook(
                        url: "https://example.org/\(path)",
                        secret: String(repeating: secret, count: 16)), isSecretNew: isNew
                ) { rule(conditions, of: $0) }.subscriber
            }
            let first = try add("a", "x", isNew: true)
            #expect(try add("a", "y", isNew: true) == first)
            #expect(throws: AlertStoreError.self) { try add("a", "y", isNew: false) }
            #expect(throws: AlertStoreError.self) { try add("b", "y", isNew: true) }
        }
    }

    /// A removed person's address and texts are overwritten in the file.
    @Test func whatIsRemovedIsOverwritten() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            let secret = "a-secret-of-this-test"
            try store.addPerson(
                "me", conditions, address: .webhook(url: "https://example.org/", secret: secret))
            _ = try store.removeSubscriber("me")
            store.close()
            let files = ["", "-wal"].compactMap {
                try? Data(contentsOf: URL(fileURLWithPath: url.path + $0))
            }
            #expect(!files.isEmpty)
            #expect(files.allSatisfy { $0.range(of: Data(secret.utf8)) == nil })
        }
    }

    @Test func aCommandsChangeIsNoticedByAnotherConnection() async throws {
        try await withAlerts { url in
            let service = try AlertStore(url, .writing)
            defer { service.close() }
            let before = try service.version()
            try service.addPerson("own", conditions)
            #expect(try service.version() == before)
            let command = try AlertStore(url, .writing)
            try command.addPerson("other", conditions)
            command.close()
            #expect(try service.version() != before)
        }
    }
}
