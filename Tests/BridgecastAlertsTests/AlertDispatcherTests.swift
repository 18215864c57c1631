// How messages are put together, repeated, given up and kept apart.
import BridgecastCore
import BridgecastStore
import BridgecastSupport
import BridgecastTestSupport
import Foundation
import Synchronization
import Testing

@testable import BridgecastAlerts

@Suite struct AlertDispatcherTests {
    /// A dispatcher over a new file, with people named a, b, c and so on.
    private func withDispatcher(
        _ carrier: RecordingCarrier, people: Int = 1, policy: DispatchPolicy = DispatchPolicy(),
        _ body: (AlertStore, AlertDispatcher, HandClock, [Subscriber]) async throws -> Void
    ) async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            let clock = HandClock(testNow)
            var subscribers: [Subscriber] = []
            for name in "abcdefghij".prefix(people) {
                subscribers.append(
                    try store.addPerson("\(name)", BridgeConditions(raised: true)))
            }
            let dispatcher = AlertDispatcher(
                store, carriers: ["command": carrier], clock: clock, policy: policy,
                random: { 1 })
            try await body(store, dispatcher, clock, subscribers)
        }
    }

    @Test func alertsThatAreDueTogetherAreOneMessage() async throws {
        let carrier = RecordingCarrier()
        try await withDispatcher(carrier) { store, dispatcher, clock, people in
            for occasion in ["1", "2"] {
                let entries = try store.record(occasion, for: people[0].id, now: clock.now)
                await dispatcher.enqueue(entries, for: people)
                await dispatcher.deliverDue()
                clock.advance(seconds: 1)
            }
            #expect(carrier.sent.isEmpty)
            clock.advance(seconds: 1)
            await dispatcher.deliverDue()
            #expect(carrier.sent.map(\.message.alerts.count) == [2])
            #expect(carrier.sent[0].message.title == "title 1, and 1 more")
            #expect(carrier.sent[0].message.text == "text 1\ntext 2")
            #expect(try store.statuses() == ["1": .delivered, "2": .delivered])
        }
    }

    @Test func aCriticalAlertDoesNotWaitForOthers() async throws {
        let carrier = RecordingCarrier()
        try await withDispatcher(carrier) { store, dispatcher, clock, people in
            let entries = try store.record(
                "1", for: people[0].id, priority: .critical, now: clock.now)
            await dispatcher.enqueue(entries, for: people)
            await dispatcher.deliverDue()
            #expect(carrier.sent.map(\.message.priority) == [.critical])
        }
    }

    @Test func theLedgerSaysThatAMessageIsSentBeforeItIs() async throws {
        let seen = Mutex<[AlertStatus]>([])
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            let person = try store.addPerson("a", BridgeConditions(raised: true))
            let carrier = RecordingCarrier { _, _ in
                // By another connection, as after a crash at this very time.
                let other = try? AlertStore(url, .reading)
                let statuses = (try? other?.log().map(\.status)) ?? []
                seen.withLock { $0 = statuses }
                other?.close()
                return .delivered
            }
            let clock = HandClock(testNow)
            let dispatcher = AlertDispatcher(store, carriers: ["command": carrier], clock: clock)
            await dispatcher.enqueue(
                try store.record("1", for: person.id, now: clock.now), for: [person])
            clock.advance(seconds: 3)
            await dispatcher.deliverDue()
        }
        #expect(seen.withLock { $0 } == [.sending])
    }

    @Test func whatIsUncertainIsNotSentAgain() async throws {
        let carrier = RecordingCarrier { _, _ in .uncertain(reason: "no answer") }
        try await withDispatcher(carrier) { store, dispatcher, clock, people in
            await dispatcher.enqueue(
                try store.record("1", for: people[0].id, now: clock.now), for: people)
            for _ in 1...100 {
                clock.advance(seconds: 60)
                await dispatcher.deliverDue()
            }
            #expect(carrier.sent.count == 1)
            #expect(try store.log().map(\.status) == [.unknown])
        }
    }

    @Test func whatDidNotArriveIsRepeatedWithGrowingWaits() async throws {
        let carrier = RecordingCarrier { _, _ in .failed(reason: "refused") }
        var policy = DispatchPolicy()
        policy.maxAttempts = 6
        try await withDispatcher(carrier, policy: policy) { store, dispatcher, clock, people in
            let times = Mutex<[Double]>([])
            let entries = try store.record("1", for: people[0].id, .line, now: clock.now)
            await dispatcher.enqueue(entries, for: people)
            var count = 0
            for _ in 1...3600 {
                clock.advance(seconds: 1)
                await dispatcher.deliverDue()
                if carrier.sent.count > count {
                    count = carrier.sent.count
                    times.withLock { $0.append(clock.monotonicSeconds) }
                }
            }
            #expect(times.withLock { $0 } == [3, 8, 18, 38, 78, 158])
            let entry = try #require(try store.log().first)
            #expect(entry.status == .gaveUp && entry.attempts == 6)
            #expect(entry.detail == "6 attempts: refused")
        }
    }

    @Test func everyFailureIsReportedWithWhatFollows() async throws {
        let outcomes = Mutex<[CarrierOutcome]>([
            .failed(reason: "HTTP 503", retryAfterSeconds: 60), .delivered,
            .refused(reason: "HTTP 401"), .uncertain(reason: "cut"), .gone(reason: "HTTP 410"),
        ])
        let carrier = RecordingCarrier { _, _ in outcomes.withLock { $0.removeFirst() } }
        let reports = Mutex<[String]>([])
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            let person = try store.addPerson("a", BridgeConditions(raised: true))
            let clock = HandClock(testNow)
            let dispatcher = AlertDispatcher(
                store, carriers: ["command": carrier], clock: clock, random: { 0 },
                report: { report in
                    switch report {
                    case .failed(let failure, let result):
                        let text = "\(failure.publicDescription): \(result)"
                        reports.withLock { $0.append(text) }
                        #expect(failure.recovery.hasSuffix("."))
                    case .recovered: reports.withLock { $0.append("recovered") }
                    default: break
                    }
                })
            for number in 1...4 {
                await dispatcher.enqueue(
                    try store.record("\(number)", for: person.id, now: clock.now), for: [person])
                for _ in 1...2 {
                    clock.advance(seconds: 70)
                    await dispatcher.deliverDue()
                }
            }
        }
        func needs(_ text: String, _ reason: String) -> String {
            "\(text): \(RecoveryResult.userActionRequired(message: "\(text): \(reason)"))"
        }
        #expect(
            reports.withLock { $0 } == [
                "the alert was not delivered: retryScheduled(after: 60.0)", "recovered",
                needs("the receiver refuses the alert", "HTTP 401"),
                needs("it is unknown whether the alert arrived", "cut"),
                needs("the receiver's address no longer exists", "HTTP 410"),
            ])
    }

    @Test func halfOfAWaitIsRandomAndARequestToWaitIsHonoured() {
        let policy = DispatchPolicy()
        #expect(policy.waitSeconds(failures: 1, retryAfterSeconds: nil, random: 0) == 2.5)
        #expect(policy.waitSeconds(failures: 3, retryAfterSeconds: nil, random: 0.5) == 15)
        #expect(policy.waitSeconds(failures: 40, retryAfterSeconds: nil, random: 1) == 900)
        #expect(policy.waitSeconds(failures: 1, retryAfterSeconds: 120, random: 1) == 122.5)
        #expect(policy.waitSeconds(failures: 1, retryAfterSeconds: 1e9, random: 0) == 86_400)
    }

    @Test func aReceiverThatIsDownForADayGetsWhatIsStillOfUseAndTheRestIsReported() async throws {
        let isUp = Mutex(false)
        let carrier = RecordingCarrier { _, _ in
            isUp.withLock { $0 } ? .delivered : .failed(reason: "connection refused")
        }
        try await withDispatcher(carrier) { store, dispatcher, clock, people in
            for minute in 0..<1440 {
                if minute % 10 == 0 {
                    let kind: AlertKind = minute % 20 == 0 ? .raised : .line
                    let entries = try store.record(
                        "\(minute)", for: people[0].id, kind, now: clock.now)
                    await dispatcher.enqueue(entries, for: people)
                }
                clock.advance(seconds: 60)
                await dispatcher.deliverDue()
            }
            // A day has 96 quarters of an hour.
            #expect(carrier.sent.count < 130)
            isUp.withLock { $0 = true }
            for _ in 0..<100 {
                clock.advance(seconds: 60)
                await dispatcher.deliverDue()
            }
            let log = try store.log(max: 1000)
            #expect(log.count == 144 && log.allSatisfy { $0.status.isFinal })
            #expect(log.contains { $0.status == .delivered })
            #expect(log.contains { $0.status == .tooLate } && log.contains { $0.status == .gaveUp })
            #expect(log.filter { $0.status != .delivered }.allSatisfy { $0.detail != nil })
            // Each was delivered once.
            let delivered = carrier.sent.last.map { $0.message.alerts.map(\.identity) } ?? []
            #expect(Set(delivered).count == delivered.count)
        }
    }

    @Test func aQueueIsBoundedAndWhatIsDroppedIsListed() async throws {
        var policy = DispatchPolicy()
        policy.maxWaiting = 5
        let carrier = RecordingCarrier()
        try await withDispatcher(carrier, policy: policy) { store, dispatcher, clock, people in
            for number in 1...8 {
                await dispatcher.enqueue(
                    try store.record("\(number)", for: people[0].id, now: clock.now), for: people)
            }
            clock.advance(seconds: 3)
            await dispatcher.deliverDue()
            let dropped = try store.log(status: .dropped).map(\.alert.identity.occasion)
            #expect(dropped == ["1", "2", "3"])
            #expect(carrier.sent.map(\.message.alerts.count) == [5])
        }
    }

    @Test func aSlowReceiverDelaysNoOther() async throws {
        let release = AsyncStream.makeStream(of: Void.self)
        let arrived = AsyncStream.makeStream(of: String.self)
        let carrier = RecordingCarrier { _, person in
            arrived.continuation.yield(person.name)
            if person.name == "a" { for await _ in release.stream {} }
            return .delivered
        }
        try await withDispatcher(carrier, people: 10) { store, dispatcher, clock, people in
            for person in people {
                await dispatcher.enqueue(
                    try store.record("1", for: person.id, now: clock.now), for: people)
            }
            clock.advance(seconds: 3)
            let delivery = Task { await dispatcher.deliverDue() }
            var names: Set<String> = []
            for await name in arrived.stream {
                names.insert(name)
                if names.count == 10 { break }
            }
            // The slow one still waits; others get their next message.
            await dispatcher.enqueue(
                try store.record("2", for: people[1].id, now: clock.now), for: people)
            await dispatcher.enqueue(
                try store.record("2", for: people[0].id, now: clock.now), for: people)
            while try store.log(status: .delivered).count < 9 { await Task.yield() }
            clock.advance(seconds: 3)
            await dispatcher.deliverDue()
            #expect(carrier.sent.count { $0.subscriber == people[1].id } == 2)
            #expect(carrier.sent.count { $0.subscriber == people[0].id } == 1)
            release.continuation.finish()
            await delivery.value
            await dispatcher.deliverDue()
            #expect(carrier.sent.count { $0.subscriber == people[0].id } == 2)
        }
    }

    @Test func aPersonWhoseAddressIsGoneIsRemovedWithTheirRules() async throws {
        let carrier = RecordingCarrier { _, _ in .gone(reason: "HTTP 410") }
        try await withDispatcher(carrier, people: 2) { store, dispatcher, clock, people in
            await dispatcher.enqueue(
                try store.record("1", for: people[0].id, now: clock.now), for: people)
            clock.advance(seconds: 3)
            await dispatcher.deliverDue()
            #expect(try store.subscribers().map(\.name) == ["b"])
            #expect(try store.rules().map(\.subscriber) == [people[1].id])
            #expect(try store.log().map(\.status) == [.refused])
        }
    }

    @Test func aPauseThatBeginsLaterHoldsBackWhatStillWaits() async throws {
        let carrier = RecordingCarrier()
        try await withDispatcher(carrier) { store, dispatcher, clock, people in
            await dispatcher.enqueue(
                try store.record("1", for: people[0].id, now: clock.now), for: people)
            try store.pause("a", until: clock.now.adding(minutes: 60))
            await dispatcher.enqueue([], for: try store.subscribers())
            clock.advance(seconds: 3)
            await dispatcher.deliverDue()
            #expect(carrier.sent.isEmpty)
            #expect(try store.log().map(\.status) == [.paused])
        }
    }

    /// The loop itself, by the system's clock.
    @Test func theRunningDispatcherSendsWhatIsQueued() async throws {
        let arrived = AsyncStream.makeStream(of: Void.self)
        let carrier = RecordingCarrier { _, _ in
            arrived.continuation.yield()
            return .delivered
        }
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            let person = try store.addPerson("a", BridgeConditions(raised: true))
            var policy = DispatchPolicy()
            policy.batchSeconds = 0.01
            let dispatcher = AlertDispatcher(
                store, carriers: ["command": carrier], clock: SystemWallClock(), policy: policy)
            let running = Task { await dispatcher.run() }
            var iterator = arrived.stream.makeAsyncIterator()
            for number in 1...3 {
                await dispatcher.enqueue(
                    try store.record("\(number)", for: person.id, now: .now), for: [person])
                await iterator.next()
            }
            running.cancel()
            await running.value
            #expect(try store.log().map(\.status) == [.delivered, .delivered, .delivered])
        }
    }
}
