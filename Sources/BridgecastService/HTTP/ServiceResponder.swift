// Routing: finds the endpoint of a request. What every request passes before its handler is in RequestHandler.swift.
internal import BridgecastSupport
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Tracing

/// All endpoints of a service by method and path.
///
/// Not Hummingbird's router: that answers 404 where only the method is wrong, ignores empty path components and trailing
/// slashes, and passes on malformed percent-encoding unchanged.
struct ServiceResponder: HTTPResponder {
    private let handler: RequestHandler
    /// Endpoints without path parameters, by path.
    private let fixed: [String: [ServedResource]]
    private let parameterised: [(pattern: PathPattern, resource: ServedResource)]
    private let unknownMeters: EndpointMeters
    private let page: PageCache?
    private let pageMeters: EndpointMeters
    /// Without a tracing backend no spans are made.
    private let isTraced = !(InstrumentationSystem.instrument is NoOpInstrument)

    init(_ state: ServiceState, _ trust: ProxyTrust) {
        handler = RequestHandler(state, trust)
        let registry = state.parts.metrics
        let resources = EndpointTable.all.map { endpoint in
            let resource = ServedResource(
                endpoint,
                EndpointMeters(endpoint.method.rawValue, endpoint.path, in: registry))
            return (pattern: PathPattern(endpoint.path), resource: resource)
        }
        fixed = Dictionary(
            grouping: resources.filter { !$0.pattern.hasParameters }.map(\.resource),
            by: \.endpoint.path)
        parameterised = resources.filter(\.pattern.hasParameters)
        unknownMeters = EndpointMeters("any", "other", in: registry)
        page = state.parts.page
        pageMeters = EndpointMeters("GET", PageEndpoint.name, in: registry)
    }

    func respond(to request: Request, context: ServiceContext) async throws -> Response {
        let path = request.uri.path
        let isHead = request.method == .head
        let (resource, values) = resource(request.method, path, query: request.uri.query)
        var response: Response
        if isTraced {
            response = await withSpan(resource.endpoint.path, ofKind: .server) { _ in
                await handler.respond(to: request, by: resource, pathValues: values, context)
            }
        } else {
            response = await handler.respond(
                to: request, by: resource, pathValues: values, context)
        }
        // Without its body a stream of events ends at once.
        if isHead { response = Response(status: response.status, headers: response.headers) }
        return response
    }

    /// The resource that answers, with the values of the path's parameters as they were sent.
    private func resource(
        _ asked: HTTPRequest.Method, _ path: String, query: String?
    ) -> (ServedResource, [Substring]) {
        let method = asked == .head ? .get : asked
        if let found = fixed[path]?.first(where: { $0.endpoint.method == method }) {
            return (found, [])
        }
        // A fixed path has precedence: the `rank` of `/routes/rank` is not the id of a route.
        if fixed[path] == nil {
            let parts = PathPattern.parts(of: path)
            for (pattern, resource) in parameterised where resource.endpoint.method == method {
                if let values = pattern.values(of: parts) { return (resource, values) }
            }
        }
        // The API has precedence over files of the page.
        if let page, !hasResource(path),
            let endpoint = PageEndpoint.endpoint(asked, path, query: query, in: page)
        {
            return (ServedResource(endpoint, pageMeters), [])
        }
        return (ServedResource(UnknownPath.endpoint(asked, path), unknownMeters), [])
    }

    private func hasResource(_ path: String) -> Bool {
        fixed[path] != nil || parameterised.contains { $0.pattern.values(of: path) != nil }
    }
}

struct ServiceContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The other end of the connection; nil on an embedded channel.
    let peer: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress
    }
}

// MARK: - Paths

/// A path such as `/api/v1/bridges/{id}` or `/calendar/{bridge}.ics`.
struct PathPattern: Sendable {
    private let parts: [Part]

    private enum Part: Sendable {
        case fixed(Substring)
        /// Any text, followed by a fixed ending.
        case parameter(ending: Substring)

        init(_ text: Substring) {
            guard text.hasPrefix("{"), let end = text.firstIndex(of: "}") else {
                self = .fixed(text)
                return
            }
            self = .parameter(ending: text[text.index(after: end)...])
        }
    }

    init(_ path: String) { parts = Self.parts(of: path).map { Part($0) } }

    /// The texts between the slashes of a path.
    static func parts(of path: String) -> [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false)
    }

    var hasParameters: Bool { parts.contains { if case .parameter = $0 { true } else { false } } }

    /// The values of the parameters in a path, in order and as they were sent; nil if it is another path.
    func values(of path: String) -> [Substring]? { values(of: Self.parts(of: path)) }

    func values(of given: [Substring]) -> [Substring]? {
        guard given.count == parts.count else { return nil }
        var values: [Substring] = []
        for (part, given) in zip(parts, given) {
            switch part {
            case .fixed(let text): guard given == text else { return nil }
            case .parameter(let ending):
                guard given.hasSuffix(ending), given.utf8.count > ending.utf8.count else {
                    return nil
                }
                values.append(given.dropLast(ending.count))
            }
        }
        return values
    }
}

/// Answers where no endpoint does: CORS preflights, wrong methods, unknown paths.
enum UnknownPath {
    static func endpoint(_ method: HTTPRequest.Method, _ path: String) -> Endpoint {
        Endpoint(
            method: method, path: "other", parameters: nil, bodyTypes: [], weight: .light,
            handle: .now { _ in
                let methods = methods(at: path)
                guard !methods.isEmpty else { throw unknown(path) }
                guard method == .options else { throw notAllowed(method, methods) }
                var answer = ServiceAnswer(.json, [], keeping: .seconds(86_400))
                answer.status = .noContent
                answer.fields[.allow] = methods.joined(separator: ", ")
                // Without these fields other sites may send nothing that needs asking.
                guard !PrivateResources.contains(path) else {
                    answer.keeping = .privately
                    return answer
                }
                answer.fields[.accessControlAllowMethods] = methods.joined(separator: ", ")
                answer.fields[.accessControlAllowHeaders] =
                    "Content-Type, If-None-Match, Last-Event-ID"
                answer.fields[.accessControlMaxAge] = "86400"
                return answer
            })
    }

    /// The methods that a path takes; empty if there is nothing at the path.
    private static func methods(at path: String) -> [String] {
        // A fixed path has precedence: it is not the value of a parameter.
        let own = EndpointTable.all.filter { $0.path == path }
        let found =
            own.isEmpty
            ? EndpointTable.all.filter { PathPattern($0.path).values(of: path) != nil } : own
        guard !found.isEmpty else { return [] }
        let hasHead = found.contains { $0.method == .get }
        var seen: Set<String> = []
        let methods = found.map(\.method.rawValue).filter { seen.insert($0).inserted }
        return methods + (hasHead ? ["HEAD"] : []) + ["OPTIONS"]
    }

    private static func notAllowed(_ method: HTTPRequest.Method, _ methods: [String]) -> Problem {
        var problem = Problem(
            .methodNotAllowed, "\(method.rawValue) is not taken here",
            recovery: "use \(methods.joined(separator: ", "))", near: methods)
        problem.fields[.allow] = methods.joined(separator: ", ")
        return problem
    }

    private static func unknown(_ path: String) -> Problem {
        if path == "/" { return PageEndpoint.missing }
        let paths = Set(EndpointTable.all.map(\.path)).sorted()
        let near = NearNames.nearest(path, of: paths, max: 3)
        return Problem(
            .notFound, "there is nothing at '\(printable(path, maxLength: 80))'",
            recovery: "look at /openapi.json for what there is", near: near)
    }
}
