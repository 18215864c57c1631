// A service's state at a moment of the shipped records, without a network; for tests of handlers.
import BridgecastCore
import BridgecastEngine
import BridgecastLive
import BridgecastObservation
import BridgecastStore
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Logging
import NIOCore

@testable import BridgecastService

/// A clock that stands still.
struct StandingClock: WallClock {
    let now: Timestamp

    func sleep(until moment: Timestamp) async throws {
        try await Task.sleep(for: .seconds(3600))
    }

    func sleep(seconds: Double) async throws { try await Task.sleep(for: .seconds(3600)) }
}

enum ServiceFixture {
    /// A winter evening: Ballard Bridge went up two minutes ago.
    static let evening = Fixtures.moment("2026-02-20T18:02")

    /// What a service at a moment is put together from.
    static func parts(
        at moment: Timestamp = evening, history: OpeningHistory = Fixtures.shippedHistory
    ) throws -> ServiceParts {
        let clock = StandingClock(now: moment)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var live = LiveParts(
            bridges: ReplayFeed(history, clock: clock), records: { _ in history }, log: log)
        live.clock = clock
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        var parts = ServiceParts(
            live: live, inference: TrafficInference(model), metrics: MetricsRegistry(),
            openings: { history.before(moment) })
        parts.network = Fixtures.seattle
        return parts
    }

    /// A state with a board at a moment.
    static func state(
        at moment: Timestamp = evening, settings: ServiceSettings = ServiceSettings(),
        history: OpeningHistory = Fixtures.shippedHistory
    ) async throws -> ServiceState {
        let parts = try parts(at: moment, history: history)
        let state = ServiceState(parts, settings)
        let forecaster = try LiveForecaster(
            parts.inference, history: history, reachMinutes: LivePipeline.reachMinutes)
        let update = try await forecaster.update(nil, traffic: LiveTraffic(), at: moment)
        state.show(Board(madeAt: moment, update: update, feeds: [], phase: .ready))
        return state
    }

    /// The answer of the endpoint at a path, as its handler gives it.
    static func answer(
        _ path: String, _ query: String = "", method: HTTPRequest.Method = .get,
        pathValues: [String] = [], accept: String? = nil,
        body: [UInt8] = [], from state: ServiceState
    ) async throws -> ServiceAnswer {
        guard
            let endpoint = EndpointTable.all.first(where: { $0.path == path && $0.method == method }
            )
        else { throw Problem(.notFound, .notFound, path, recovery: "name an endpoint") }
        let request = ServiceRequest(
            query: try Query(query[...], known: endpoint.parameters ?? []), path: pathValues,
            form: try MediaType.chosen(of: endpoint.forms, accept: accept),
            lastEventID: nil,
            body: ByteBuffer(bytes: body), now: state.now, state: state)
        return try await endpoint.answer(request)
    }

    /// The bytes of an answer.
    static func bytes(_ answer: ServiceAnswer) -> [UInt8] {
        switch answer.content {
        case .bytes(let bytes): Array(bytes.readableBytesView)
        case .shared(let document): Array(document.identity.readableBytesView)
        case .stream: []
        }
    }
}
