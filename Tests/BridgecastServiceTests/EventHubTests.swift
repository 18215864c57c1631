import NIOCore
import Testing

@testable import BridgecastService

/// What a stream has been sent so far, up to its end if it ends.
private func text(_ stream: EventStream, pieces: Int) async -> String {
    var text = ""
    var left = pieces
    for await chunk in stream.chunks {
        text += String(buffer: chunk)
        left -= 1
        if left == 0 { break }
    }
    return text
}

private func json(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite struct EventHubTests {
    private let hub = EventHub(run: "run")

    init() { hub.send(ServiceEvent(.forecast, json(#"{"now":1}"#))) }

    @Test func aNewListenerGetsTheForecastAndThenEvents() async {
        let stream = hub.listen(after: nil)
        hub.send(ServiceEvent(.state, json(#"{"bridge":"Fremont"}"#)))
        let seen = await text(stream, pieces: 2)
        #expect(seen.hasPrefix("retry: 2000\n\nid: run-1\nevent: forecast\ndata: {\"now\":1}\n\n"))
        #expect(seen.hasSuffix("id: run-2\nevent: state\ndata: {\"bridge\":\"Fremont\"}\n\n"))
    }

    @Test func aReconnectingListenerGetsMissedEventsOnce() async {
        for number in 1...5 { hub.send(ServiceEvent(.state, json("\(number)"))) }
        let seen = await text(hub.listen(after: "run-4"), pieces: 1)
        #expect(seen.contains("id: run-5\n") && seen.contains("id: run-6\n"))
        #expect(!seen.contains("id: run-4\n") && !seen.contains("forecast"))
    }

    @Test func aListenerThatMissedNothingGetsNothing() async {
        hub.send(ServiceEvent(.state, json("1")))
        let seen = await text(hub.listen(after: "run-2"), pieces: 1)
        #expect(seen == "retry: 2000\n\n")
    }

    @Test(arguments: ["other-1", "run-9", "run--1", "run-", "", "nonsense", "run-1-1"])
    func anIDOfAnotherRunGetsAReset(last: String) async {
        hub.send(ServiceEvent(.state, json("1")))
        let seen = await text(hub.listen(after: last), pieces: 1)
        // The picture has its own number; what came after it follows.
        #expect(
            seen.hasSuffix(
                "id: run-1\nevent: reset\ndata: {\"now\":1}\n\n"
                    + "id: run-2\nevent: state\ndata: 1\n\n"))
    }

    @Test func aListenerThatMissedTooMuchGetsAReset() async {
        for number in 1...2000 { hub.send(ServiceEvent(.state, json("\(number)"))) }
        let seen = await text(hub.listen(after: "run-2"), pieces: 1)
        #expect(seen.contains("event: reset"))
        let recent = await text(hub.listen(after: "run-2000"), pieces: 1)
        #expect(recent.contains("id: run-2001\n") && !recent.contains("reset"))
    }

    @Test func aListenerThatStopsReadingIsDisconnected() async {
        let silent = hub.listen(after: nil)
        for number in 1...200 { hub.send(ServiceEvent(.state, json("\(number)"))) }
        #expect(hub.listenerCount == 0)
        // What it had not taken in time is still there, and then its stream ends.
        let seen = await text(silent, pieces: .max)
        #expect(seen.contains("id: run-2\n") && !seen.contains("id: run-200\n"))
    }

    @Test func eventsOfALogKeepItsNumbersAndComeOnce() async {
        for number in [7, 8, 8, 7, 9] {
            hub.send(ServiceEvent(.forecast, json("\(number)")), number: number, of: "log")
        }
        let seen = await text(hub.listen(after: "log-7"), pieces: 1)
        #expect(
            seen == "retry: 2000\n\nid: log-8\nevent: forecast\ndata: 8\n\n"
                + "id: log-9\nevent: forecast\ndata: 9\n\n")
        // What was sent before the log was read has other numbers.
        let other = await text(hub.listen(after: "run-1"), pieces: 1)
        #expect(other.contains("id: log-9\nevent: reset"))
    }

    @Test func listenersEndWhereNumbersAreMissing() async {
        hub.send(ServiceEvent(.forecast, json("7")), number: 7, of: "log")
        let listener = hub.listen(after: "log-7")
        hub.send(ServiceEvent(.forecast, json("9")), number: 9, of: "log")
        let seen = await text(listener, pieces: .max)
        #expect(seen == "retry: 2000\n\n")
        let again = await text(hub.listen(after: "log-7"), pieces: 1)
        #expect(again.contains("id: log-9\nevent: reset"))
    }

    @Test func aClientThatAnotherReplicaHasSentMoreGetsNothingTwice() async {
        hub.send(ServiceEvent(.forecast, json("7")), number: 7, of: "log")
        let ahead = hub.listen(after: "log-9")
        for number in 8...10 {
            hub.send(ServiceEvent(.state, json("\(number)")), number: number, of: "log")
        }
        let seen = await text(ahead, pieces: 2)
        #expect(seen == "retry: 2000\n\nid: log-10\nevent: state\ndata: 10\n\n")
        let nonsense = await text(hub.listen(after: "log-100000"), pieces: 1)
        #expect(nonsense.contains("event: reset"))
    }

    @Test func finishingEndsAllStreamsWithBye() async {
        let stream = hub.listen(after: nil)
        hub.finish()
        let seen = await text(stream, pieces: .max)
        #expect(seen.hasSuffix("event: bye\ndata: {}\n\n"))
        #expect(hub.listenerCount == 0)
        // Who comes now is sent off at once.
        _ = await text(hub.listen(after: nil), pieces: .max)
        #expect(hub.listenerCount == 0)
    }

    @Test func aReleasedStreamIsRemoved() async {
        // The answer to HEAD, and a client that has gone before its answer began.
        for _ in 1...100 { _ = hub.listen(after: nil) }
        #expect(hub.listenerCount == 0)
    }

    @Test func aCancelledListenerIsRemoved() async {
        let reading = Task { [hub] in await text(hub.listen(after: nil), pieces: .max) }
        while hub.listenerCount == 0 { await Task.yield() }
        reading.cancel()
        _ = await reading.value
        #expect(hub.listenerCount == 0)
    }
}
