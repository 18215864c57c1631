// What administrators may ask for: another model, a pause of the feed, how things stand; served by AdminService.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastLive
internal import Hummingbird
internal import HTTPTypes
private import Logging

/// The administration of a service, behind its token.
struct AdminEndpoints: HTTPResponder {
    private let state: ServiceState
    private let token: String

    private static let paths: [(method: HTTPRequest.Method, path: String)] = [
        (.get, "/admin/status"), (.post, "/admin/reload"), (.post, "/admin/feed/pause"),
        (.post, "/admin/feed/resume"),
    ]

    init(_ state: ServiceState, token: String) { (self.state, self.token) = (state, token) }

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
                .notFound, .notFound, "there is nothing at this path",
                recovery: "ask one of \(Self.paths.map(\.path).joined(separator: ", "))",
                near: Self.paths.map(\.path))
        }
        guard known.method == request.method else {
            var problem = Problem(
                .methodNotAllowed, .methodNotAllowed,
                "\(path) does not take \(printable(request.method.rawValue, most: 20))",
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
        return Self.response(AdminStatus(state))
    }

    /// The token is compared in a time that tells nothing about it.
    private func checkToken(_ request: Request) throws(Problem) {
        let sent = request.headers[.authorization] ?? ""
        let isRight = ConstantTime.areEqual(sent, "Bearer \(token)")
        guard isRight else {
            var problem = Problem(
                .unauthorized, .unauthorised, "the administrator's token is missing or wrong",
                recovery: "send it as Authorization: Bearer TOKEN")
            problem.fields[.wwwAuthenticate] = "Bearer realm=\"bridgecast\""
            throw problem
        }
    }

    private func reload() async throws(Problem) -> Response {
        switch await Self.reloaded(state.models) {
        case .loaded, .unchanged: return Self.response(AdminStatus(state))
        case .refused(let reason):
            throw Problem(
                .unprocessableContent, .unprocessable, "the model file was refused: \(reason)",
                recovery: "put a whole model file in its place; the old model stays in use")
        case .noFile:
            throw Problem(
                .unprocessableContent, .unprocessable, "the model in use came from no file",
                recovery: "start the service with --model FILE")
        }
    }

    /// Off the threads of connections: a file is read whole.
    @concurrent
    private static func reloaded(_ models: ModelWatch) async -> ModelWatch.Outcome {
        models.reload()
    }

    private func setPaused(_ isPaused: Bool) {
        state.pause.set(isPaused)
        state.log.warning(isPaused ? "feed paused by the administrator" : "feed goes on")
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
