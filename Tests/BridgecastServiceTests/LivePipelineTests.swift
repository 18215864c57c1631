// The pipeline in the service: failures without internal details, metrics, administration.
import Bridgecast
import BridgecastAnswers
import BridgecastCore
import BridgecastData
import BridgecastLive
import BridgecastTestSupport
import Foundation
import Testing

@testable import BridgecastService

@Suite struct LivePipelineTests {
    /// A feed whose address must not be disclosed.
    private struct UnreachableFeed: BridgeFeed {
        let name = "bridges"

        func answer() async throws -> BridgeFeedAnswer {
            throw FeedError.unreachable(
                url: "http://10.1.2.3:8081/inside", reason: "connect to 10.1.2.3")
        }
    }

    @Test func failuresOfFeedsDiscloseNoAddressAndNoPath() async throws {
        var parts = try ServiceFixture.parts()
        parts.live.bridges = UnreachableFeed()
        parts.live.traffic = [TrafficFileFeed(path: "/srv/inside/traffic.json")]
        let state = ServiceState(parts, ServiceSettings())
        let app = await AppStateModel()
        let publisher = SnapshotPublisher(state)
        parts.live.listener = { _ = publisher.publish($0) }
        let history = try parts.live.records(ServiceFixture.evening)
        let live = try LiveService(
            parts.live,
            forecaster: try LiveForecaster(
                parts.inference, history: history, reachMinutes: LivePipeline.reachMinutes),
            app: app)
        try await live.run(until: ServiceFixture.evening)
        try await live.refresh()
        try await live.forecastAgain()
        // The log and the models of an app on this machine have the whole of it.
        let problems = await app.feeds.compactMap(\.problem).joined(separator: " ")
        #expect(problems.contains("10.1.2.3") && problems.contains("/srv/inside"))
        let board = try state.snapshot()
        #expect(board.feeds.count == 2)
        let sources = board.sources(at: state.now)
        #expect(sources.map(\.problem) == ["it cannot be reached", "there is no file"])
        let ready = try await ServiceFixture.answer("/readyz", from: state)
        let bridges = try await ServiceFixture.answer("/api/v1/bridges", from: state)
        let answers = [
            ServiceFixture.bytes(ready), ServiceFixture.bytes(bridges),
            FeedEvent(snapshot: board).jsonBytes(),
        ]
        for text in answers.map({ String(decoding: $0, as: UTF8.self) }) {
            #expect(text.contains("it cannot be reached"))
            #expect(text.contains("\"stale\":true"))
            #expect(!text.contains("10.1.2.3") && !text.contains("inside"), "\(text)")
        }
    }

    @Test(arguments: [
        FeedError.unreachable(url: "http://inside/x", reason: "/inside"),
        .timedOut(url: "http://inside/x", seconds: 5),
        .status(url: "http://inside/x", code: 503, retryAfterSeconds: nil),
        .declined(url: "http://inside/x", code: 400, reason: "/inside"),
        .tooLarge(url: "http://inside/x", limitBytes: 5), .redirects(url: "http://inside/x"),
        .address(url: "http://inside/x"), .refused(url: "http://inside/x", reason: "/inside"),
        .failed(feed: "inside", reason: "/inside"),
    ])
    func publicDescriptionsDiscloseNothing(_ error: FeedError) {
        #expect(error.description.contains("inside"))
        #expect(!error.publicDescription.isEmpty && !error.publicDescription.contains("inside"))
    }

    @Test func metricsCountConnectionsAndRefusals() async throws {
        let state = try await ServiceFixture.state()
        state.connections.count(.headTimeout)
        let answer = try await ServiceFixture.answer("/metrics", from: state)
        let text = String(decoding: ServiceFixture.bytes(answer), as: UTF8.self)
        for line in [
            "bridgecast_http_connections 0", "bridgecast_http_heavy_running 0",
            "bridgecast_http_heavy_waiting 0", "bridgecast_http_event_streams 0",
            "bridgecast_http_refusals_total{reason=\"head_timeout\"} 1",
            "# HELP bridgecast_inference_batches_total",
        ] { #expect(text.contains(line), "\(line) in \(text)") }
    }

    @Test func aShortTokenDisablesTheAdministration() async throws {
        var settings = ServiceSettings()
        settings.adminPort = 0
        settings.adminToken = "0123456789abcde"
        #expect(AdminService(ServiceState(try ServiceFixture.parts(), settings)) == nil)
        settings.adminToken = "0123456789abcdef"
        #expect(AdminService(ServiceState(try ServiceFixture.parts(), settings)) != nil)
    }
}
