import BridgecastData
import BridgecastLive
import BridgecastTestSupport
import HTTPTypes
import Hummingbird
import Testing

@testable import BridgecastService

@Suite struct AdminTests {
    private static let token = "0123456789abcdef"

    private func answer(
        _ method: HTTPRequest.Method, _ path: String, scheme: String = "Bearer", token: String?,
        _ state: ServiceState
    ) async throws -> ServiceReply {
        let client = ServiceClient(AdminEndpoints(state: state, token: Self.token))
        var fields = HTTPFields()
        if let token { fields[.authorization] = "\(scheme) \(token)" }
        return try await client.execute(uri: path, method: method, headers: fields)
    }

    @Test func everyPathNeedsTheToken() async throws {
        let state = try await ServiceFixture.state()
        for token in [nil, "", "0123456789abcdeX", "0123456789abcdef0"] {
            let refused = try await answer(.post, "/admin/feed/pause", token: token, state)
            #expect(refused.status == .unauthorized)
            #expect(refused.headers[.wwwAuthenticate] != nil)
        }
        #expect(!state.pause.isPaused)
    }

    @Test func theSchemeOfTheTokenHasNoCase() async throws {
        let state = try await ServiceFixture.state()
        for (scheme, status) in [
            ("bearer", HTTPResponse.Status.ok), ("BEARER ", .ok), ("Basic", .unauthorized),
            ("", .unauthorized), ("Bearer\t", .unauthorized),
        ] {
            let reply = try await answer(
                .get, "/admin/status", scheme: scheme, token: Self.token, state)
            #expect(reply.status == status, "'\(scheme)'")
        }
    }

    @Test func aPausedFeedFailsUntilItIsResumed() async throws {
        let state = try await ServiceFixture.state()
        let feed = PausableFeed(feed: state.parts.live.bridges, pause: state.pause)
        let paused = try await answer(.post, "/admin/feed/pause", token: Self.token, state)
        #expect(paused.status == .ok)
        await #expect(
            throws: FeedError.failed(feed: "replay", reason: "paused by the administrator")
        ) { try await feed.answer() }
        _ = try await answer(.post, "/admin/feed/resume", token: Self.token, state)
        _ = try await feed.answer()
    }

    @Test func wrongMethodsAndPathsAreRefused() async throws {
        let state = try await ServiceFixture.state()
        let method = try await answer(.get, "/admin/reload", token: Self.token, state)
        #expect(method.status == .methodNotAllowed && method.headers[.allow] == "POST")
        let path = try await answer(.get, "/admin/../x", token: Self.token, state)
        #expect(path.status == .notFound)
        let status = try await answer(.get, "/admin/status", token: Self.token, state)
        #expect(status.status == .ok)
        let text = String(buffer: status.body)
        #expect(text.contains("\"cache_budget_bytes\":\(state.cache.budgetBytes)"))
        #expect(text.contains("\"resident_bytes\":") && text.contains("\"last_errors\":[]"))
        // The fixture's model came from no file that could be read again.
        let reload = try await answer(.post, "/admin/reload", token: Self.token, state)
        #expect(reload.status == .unprocessableContent)
    }
}
