// A service's state at a time of the shipped records, without a network, and requests to it.
import BridgecastCore
import BridgecastData
import BridgecastEngine
import BridgecastLive
import BridgecastObservation
import BridgecastStore
import BridgecastTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Testing
@testable import BridgecastService

/// A clock that is stopped.
struct StandingClock: WallClock {
    let now: Timestamp
    let monotonicSeconds = 0.0

    func sleep(seconds: Double) async throws { try await Task.sleep(for: .seconds(3600)) }
}

enum ServiceFixture {
    /// A winter evening: Ballard Bridge went up two minutes ago.
    static let evening = Fixtures.timestamp("2026-02-20T18:02")

    /// The description that the service serves.
    static let openAPI = Fixtures.checkout.appendingPathComponent(
        "Sources/BridgecastService/Resources/openapi.json")

    /// The parts of a service at a time.
    static func parts(
        at time: Timestamp = evening, history: OpeningHistory = Fixtures.shippedHistory
    ) throws -> ServiceParts {
        let clock = StandingClock(now: time)
        let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var live = LiveParts(
            bridges: ReplayFeed(history, clock: clock), records: { _ in history }, log: log)
        live.clock = clock
        let model = try ModelFile.read(Fixtures.model("bridgecast.int8.bcm"))
        var parts = ServiceParts(
            live: live, inference: TrafficInference(model), metrics: MetricsRegistry(),
            openings: { history.before(time) })
        parts.network = Fixtures.seattle
        parts.description = try Data(contentsOf: openAPI)
        return parts
    }

    /// An archiver that has archived, and scored, a forecast of three hours before a time.
    static func archiver(at time: Timestamp = evening) async throws -> ForecastArchiver {
        let folder = try Fixtures.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let parts = try parts(at: time)
        let history = Fixtures.shippedHistory
        var archiving = ForecastArchiver.Parts(
            clock: parts.live.clock, log: parts.live.log, outcomes: { history.before(time) }
        ) { () throws(ForecastArchiveError) in
            try ForecastArchive(folder.appendingPathComponent("archive.sqlite"), writing: .live)
        }
        archiving.reference = SkillReference(
            try Data(contentsOf: Fixtures.model("bridgecast.skill.json")))
        let archiver = ForecastArchiver(archiving)
        let forecaster = try LiveForecaster(parts.inference, history: history)
        let update = try await forecaster.update(
            nil, traffic: LiveTraffic(), at: time.adding(minutes: -180))
        archiver.offer(update, by: ArchivedModel(file: "bridgecast.int8.bcm", sha256: "ab12"))
        archiver.finish()
        await archiver.run()
        return archiver
    }

    /// A state with a board at a time.
    static func state(
        at time: Timestamp = evening, settings: ServiceSettings = ServiceSettings(),
        history: OpeningHistory = Fixtures.shippedHistory
    ) async throws -> ServiceState {
        let parts = try parts(at: time, history: history)
        let state = ServiceState(parts, settings)
        let forecaster = try LiveForecaster(
            parts.inference, history: history, reachMinutes: LivePipeline.reachMinutes)
        let update = try await forecaster.update(nil, traffic: LiveTraffic(), at: time)
        state.show(BridgesSnapshot(madeAt: time, update: update, feeds: [], phase: .ready))
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
        else { throw Problem(.notFound, path, recovery: "name an endpoint") }
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
        case .bytes(let bytes): bytes
        case .shared(let document): Array(document.identity.readableBytesView)
        case .stream: []
        }
    }
}

/// Sends requests to a service without a socket.
func asking(
    _ settings: ServiceSettings = ServiceSettings(), hasBoard: Bool = true,
    _ body: @Sendable (ServiceClient) async throws -> Void
) async throws {
    let state =
        hasBoard
        ? try await ServiceFixture.state(settings: settings)
        : ServiceState(try ServiceFixture.parts(), settings)
    try await body(ServiceClient(ServiceResponder(state, try ProxyTrust(settings))))
}

/// The fields of a problem.
struct ReportedProblem: Decodable {
    let type: String
    let title: String
    let status: Int
    let code: String
    let detail: String
    let recovery: String
    let retryAfterS: Int?
    let parameter: String?
    let suggestions: [String]?
    let requestId: String?

    init(_ response: ServiceReply) throws {
        #expect(response.headers[.contentType] == "application/problem+json")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(
            ReportedProblem.self, from: Data(response.body.readableBytesView))
        #expect(status == response.status.code)
        #expect(requestId == response.headers[.requestID])
    }
}

extension ServiceAnswer {
    /// The body as a JSON object.
    func object() throws -> [String: Any] {
        let bytes = ServiceFixture.bytes(self)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}

/// The problem that a handler answers with; nil if it answers.
func problem(_ body: () async throws -> ServiceAnswer) async throws -> Problem? {
    do {
        _ = try await body()
        return nil
    } catch let problem as Problem {
        return problem
    }
}
