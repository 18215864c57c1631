// The administration: a server of its own on loopback, protected by a token.
package import BridgecastAnswers
package import BridgecastCore
package import BridgecastData
package import BridgecastEngine
package import BridgecastLive
package import BridgecastSupport
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import ServiceLifecycle
private import Synchronization

struct AdminService: Service {
    private let endpoints: AdminEndpoints
    private let settings: ServiceSettings
    private let port: Int
    private let log: Logger

    /// There are few administrators, and no other clients on loopback.
    private static let maxConnections = 16

    /// Creates the administration; nil if the settings have no port, or no token that is long enough.
    init?(_ state: ServiceState) {
        guard let port = state.settings.adminPort, let token = state.settings.adminToken else {
            return nil
        }
        guard token.count >= ServiceSettings.minTokenLength else {
            state.log.error(
                "no administration: its token is too short",
                metadata: ["min_characters": "\(ServiceSettings.minTokenLength)"])
            return nil
        }
        endpoints = AdminEndpoints(state: state, token: token)
        var settings = state.settings
        // There is no proxy on loopback.
        settings.trustedHeader = nil
        settings.trustedProxies = []
        settings.maxConnections = Self.maxConnections
        settings.maxConnectionsPerClient = Self.maxConnections
        self.settings = settings
        self.port = port
        log = state.log
    }

    func run() async throws {
        let application = Application(
            responder: endpoints,
            server: GuardedHTTP1Channel.builder(
                settings, trust: try ProxyTrust(settings), counts: ConnectionCounts(settings)),
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: port), serverName: "bridgecast"),
            onServerRunning: { [log] channel in
                let port = channel.localAddress?.port ?? 0
                log.info("administration listens", metadata: ["port": "\(port)"])
            }, logger: log)
        try await application.run()
    }
}

struct AdminEndpoints: HTTPResponder {
    let state: ServiceState
    let token: String

    private static let paths: [(method: HTTPRequest.Method, path: String)] = [
        (.get, "/admin/status"), (.post, "/admin/reload"), (.post, "/admin/feed/pause"),
        (.post, "/admin/feed/resume"),
    ]

    func respond(to request: Request, context: ServiceContext) async throws -> Response {
        var response: Response
        do {
            response = try await answer(request)
        } catch {
            response = ProblemAnswer.response(error, context)
        }
        ResponseFields.complete(&response, id: context.id, for: request)
        return response
    }

    private func answer(_ request: Request) async throws(Problem) -> Response {
        try checkToken(request)
        let path = request.uri.path
        guard let known = Self.paths.first(where: { $0.path == path }) else {
            throw Problem(
                .notFound, "there is nothing at this path",
                recovery: "use one of \(Self.paths.map(\.path).joined(separator: ", "))",
                near: Self.paths.map(\.path))
        }
        guard known.method == request.method else {
            var problem = Problem(
                .methodNotAllowed,
                "\(path) does not take \(printable(request.method.rawValue, maxLength: 20))",
                recovery: "send \(known.method.rawValue)")
            problem.fields[.allow] = known.method.rawValue
            throw problem
        }
        switch path {
        case "/admin/reload": return try await reload()
        case "/admin/feed/pause": setPaused(true)
        case "/admin/feed/resume": setPaused(false)
        default: break
        }
        return Self.response(AdminStatus(state: state))
    }

    /// Compares the token in constant time.
    private func checkToken(_ request: Request) throws(Problem) {
        guard let sent = BearerToken.sent(in: request.headers), ConstantTime.areEqual(sent, token)
        else { throw BearerToken.problem("the administrator's token is missing or wrong") }
    }

    private func reload() async throws(Problem) -> Response {
        switch await Self.reloaded(state.models) {
        case .loaded, .unchanged: return Self.response(AdminStatus(state: state))
        case .refused(let reason):
            throw Problem(
                .unprocessable, "the model file was refused: \(reason)",
                recovery: "replace it by a complete model file; the old model stays in use")
        case .noFile:
            throw Problem(
                .unprocessable, "the model in use was not read from a file",
                recovery: "start the service with --model FILE")
        }
    }

    /// Not on the event loops of connections: a file is read whole.
    @concurrent private static func reloaded(_ models: ModelWatch) async -> ModelWatch.Outcome {
        models.reload()
    }

    private func setPaused(_ isPaused: Bool) {
        state.pause.set(isPaused)
        state.log.warning(isPaused ? "feed paused by the administrator" : "feed resumed")
    }

    private static func response(_ status: AdminStatus) -> Response {
        var fields = HTTPFields()
        fields[.contentType] = MediaType.json.contentType
        fields[.cacheControl] = "no-store"
        return Response(
            status: .ok, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: status.jsonBytes())))
    }
}

/// The document of `/admin/status`.
struct AdminStatus: JSONObjectAnswer {
    let state: ServiceState

    func writeFields(into json: inout JSONWriter) {
        json.field("ready", state.isReady)
        json.field("feed_paused", state.pause.isPaused)
        json.field("event_streams", state.events.listenerCount)
        json.field("model", state.parts.inference.model.header.name)
        json.field("model_file", state.models.status)
        let memory = MemoryStatus.current()
        json.object("memory") { json in
            json.field("resident_bytes", memory.residentBytes)
            json.field("limit_bytes", memory.limitBytes)
            json.field("stalled_percent", memory.stalledPercent, decimals: 2)
            json.field("cache_bytes", state.cache.usedBytes)
            json.field("cache_budget_bytes", state.cache.budgetBytes)
        }
        let diagnostics = state.parts.live.diagnostics?.contents ?? Diagnostics()
        json.list("feeds", objects: diagnostics.feeds) { json, feed in
            json.field("id", feed.id)
            json.field("asked_at", feed.askedAt)
            json.field("contacted_at", feed.contactedAt)
            json.field("is_reachable", feed.isReachable)
            json.field("problem", feed.problem)
            json.field("condition", feed.condition)
        }
        json.list("last_errors", objects: diagnostics.errors) { json, error in
            json.field("at", error.at)
            json.field("source", error.source)
            json.field("kind", error.kind)
            json.field("message", error.message)
            json.field("recovery", error.recovery)
            json.field("result", error.result)
            json.field("count", error.count)
        }
    }
}

extension ModelStatus: JSONObjectAnswer {
    /// Digest, times and counts; the refusal is null if the current file is the one in use.
    package func writeFields(into json: inout JSONWriter) {
        json.field("sha256", digest)
        json.field("loaded_at", loadedAt)
        json.field("reloads", reloads)
        json.field("refusals", refusals)
        if let refusal {
            json.object("refusal") { json in
                json.field("reason", refusal.reason)
                json.field("at", refusal.at)
            }
        } else {
            json.null("refusal")
        }
    }
}

// MARK: - Pause

package final class FeedPause: Sendable {
    private let paused = Atomic<Bool>(false)

    package init() {}

    package var isPaused: Bool { paused.load(ordering: .acquiring) }

    package func set(_ isPaused: Bool) { paused.store(isPaused, ordering: .releasing) }
}

/// A feed that fails while it is paused.
struct PausableFeed: BridgeFeed {
    let feed: any BridgeFeed
    let pause: FeedPause

    var name: String { feed.name }

    func answer() async throws -> BridgeFeedAnswer {
        guard !pause.isPaused else {
            throw FeedError.failed(feed: name, reason: "paused by the administrator")
        }
        return try await feed.answer()
    }
}

package enum ConstantTime {
    /// Whether two texts are equal.
    ///
    /// All 32 bytes of their digests are compared: the time depends only on the lengths, in blocks of 64 bytes.
    package static func areEqual(_ first: String, _ second: String) -> Bool {
        let digests = zip(SHA256.hash(first.utf8), SHA256.hash(second.utf8))
        return digests.reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
