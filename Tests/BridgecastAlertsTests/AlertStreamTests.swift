// Event streams of people: who reads gets messages, and who reconnects what was missed.
import BridgecastCore
import BridgecastStore
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastAlertCarriers
@testable import BridgecastAlerts

@Suite struct AlertStreamTests {
    private let token = "0123456789abcdef0123456789abcdef"

    private func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }

    @Test func aReaderThatReconnectsGetsWhatItMissedAndNothingTwice() async throws {
        try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            let person = try store.addPerson(
                "a", BridgeConditions(raised: true), address: .stream(token: token))
            let streams = AlertStreams()
            #expect(streams.listen(token: token, lastEventID: nil) == nil)
            streams.use(store)
            #expect(streams.listen(token: "another", lastEventID: nil) == nil)
            let clock = HandClock(testNow)
            let dispatcher = AlertDispatcher(
                store, carriers: ["stream": streams], clock: clock, random: { 1 })
            func send(_ occasion: String) async throws {
                await dispatcher.enqueue(
                    try store.record(occasion, for: person.id, now: clock.now), for: [person])
                clock.advance(seconds: 3)
                await dispatcher.deliverDue()
            }
            // Without a reader it waits.
            try await send("1")
            #expect(try store.statuses() == ["1": .waiting])
            let first = try #require(streams.listen(token: token, lastEventID: nil))
            var iterator = first.makeAsyncIterator()
            #expect(text(await iterator.next()) == "retry: 2000\n\n")
            clock.advance(seconds: 5)
            await dispatcher.deliverDue()
            let event = text(await iterator.next())
            #expect(event.hasPrefix("id: 1\nevent: alert\ndata: {\"message_id\""))
            #expect(event.contains("\"title\":\"title 1\"") && event.hasSuffix("}\n\n"))
            try await send("2")
            try await send("3")
            #expect(try store.statuses() == ["1": .delivered, "2": .delivered, "3": .delivered])
            // The connection broke after the first: what was sent after it comes from the ledger, also after a restart.
            let restarted = AlertStreams()
            restarted.use(store)
            let second = try #require(restarted.listen(token: token, lastEventID: "1"))
            var missed = second.makeAsyncIterator()
            let events = text(await missed.next())
            #expect(events.contains("id: 2\n") && events.contains("id: 3\n"))
            #expect(!events.contains("id: 1\n"))
            streams.finish()
            restarted.finish()
            #expect(await missed.next() == nil)
        }
    }

    @Test func aLedgerThatIsReadDelaysNoMessageToOthers() async throws {
        let entries = try await withAlerts { url in
            let store = try AlertStore(url, .writing)
            defer { store.close() }
            let person = try store.addPerson(
                "a", BridgeConditions(raised: true), address: .stream(token: token))
            return try (1...3).flatMap {
                try store.record("\($0)", for: person.id, now: testNow)
            }
        }
        let messages = entries.map { AlertMessage(id: "\($0.number)", of: [$0], sentAt: testNow) }
        let streams = AlertStreams()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        let person = Subscriber(id: "a", name: "a", address: .stream(token: token))
        streams.use(
            AlertStreams.Ledger(subscriber: { _ in person }) { _, _ in
                begin.yield()
                release.wait()
                return Array(messages[...1])
            })
        async let opening = withCheckedContinuation { opened in
            DispatchQueue.global().async {
                opened.resume(returning: streams.listen(token: token, lastEventID: "0"))
            }
        }
        for await _ in begun { break }
        // The second is in the ledger by now; the third comes while it is read.
        for message in messages[1...] {
            #expect(await streams.send(message, to: person) == .delivered)
        }
        streams.sendHeartbeat()
        release.signal()
        let stream = try #require(await opening)
        #expect(await streams.send(messages[1], to: person) == .delivered)
        streams.finish()
        var all = ""
        for await bytes in stream { all += text(bytes) }
        let ids = all.split(separator: "\n").filter { $0.hasPrefix("id: ") }
        #expect(ids == ["id: 1", "id: 2", "id: 3"])
    }
}
