// Realtime feeds over real sockets: what has not changed is not sent again, and a key in an address stays secret.
import BridgecastCore
import BridgecastData
import BridgecastTestSupport
import Testing

@testable import BridgecastFeeds

@Suite struct RealtimeHTTPSourceTests {
    private func fetching(
        _ scenario: String, _ body: (RealtimeHTTPSource) async throws -> Void
    ) async throws {
        let address = try StandIn.shared.get().address
        try await FeedClient.with(clock: jumpingClock, log: quietLog) { client in
            try await body(
                try RealtimeHTTPSource(
                    id: "trip_updates", url: "\(address)/\(scenario)/bridges?key=secret",
                    client: client))
        }
    }

    @Test func whatHasNotChangedIsNotSentAgain() async throws {
        try await fetching("ok") { source in
            let first = try await source.fetch(at: jumpingClock.now)
            #expect(first?.isEmpty == false)
            #expect(try await source.fetch(at: jumpingClock.now) == nil)
        }
    }

    @Test(arguments: ["500", "429", "reset", "loop"])
    func aFailureIsToldWithoutTheKey(scenario: String) async throws {
        try await fetching(scenario) { source in
            let error = await #expect(throws: FeedError.self) {
                try await source.fetch(at: jumpingClock.now)
            }
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test(arguments: ["", "feed.pb", "ftp://example.org/feed.pb", "http://"])
    func whatIsNoAddressIsRefusedAtOnce(address: String) async throws {
        try await FeedClient.with(clock: jumpingClock, log: quietLog) { client in
            _ = #expect(throws: FeedError.self) {
                try RealtimeHTTPSource(id: "alerts", url: address, client: client)
            }
        }
    }
}
