// Finds the endpoint of a request and has the gate answer; Hummingbird calls it with every request.
// Belongs here: HTTP as such: requests, answers, problems, forms; not: what is answered (Endpoints).
internal import HTTPTypes
internal import Hummingbird
internal import Tracing

/// All endpoints of a service by method and path.
///
/// Hummingbird's router answers 404 where only the method is wrong, and gives nobody the chance to say more; a table
/// of twenty paths needs no tree.
struct ServiceResponder: HTTPResponder {
    private struct Resource {
        let endpoint: Endpoint
        let meters: EndpointMeters
        let pattern: PathPattern
    }

    private let gate: Gate
    /// Endpoints without path parameters, by path.
    private let fixed: [String: [Resource]]
    private let others: [Resource]
    private let unknownMeters: EndpointMeters
    private let page: PageShelf?
    private let pageMeters: EndpointMeters
    /// Where nobody collects traces, nothing is spent on them.
    private let isTraced = !(InstrumentationSystem.instrument is NoOpInstrument)

    init(_ state: ServiceState, _ trust: ProxyTrust) {
        gate = Gate(state, trust)
        let registry = state.parts.metrics
        let resources = EndpointTable.all.map { endpoint in
            Resource(
                endpoint: endpoint,
                meters: EndpointMeters(endpoint.method.rawValue, endpoint.path, in: registry),
                pattern: PathPattern(endpoint.path))
        }
        fixed = Dictionary(
            grouping: resources.filter { !$0.pattern.hasParameters },
            by: \.endpoint.path)
        others = resources.filter(\.pattern.hasParameters)
        unknownMeters = EndpointMeters("any", "other", in: registry)
        page = state.parts.page
        pageMeters = EndpointMeters("GET", PageEndpoint.name, in: registry)
    }

    /// Answers a request.
    func respond(to request: Request, context: ServiceContext) async throws -> Response {
        let path = request.uri.path
        let isHead = request.method == .head
        let (endpoint, meters, values) = resource(request.method, path)
        var response: Response
        if isTraced {
            response = await withSpan(endpoint.path, ofKind: .server) { _ in
                await gate.respond(
                    to: request, by: endpoint, pathValues: values, meters, context)
            }
        } else {
            response = await gate.respond(
                to: request, by: endpoint, pathValues: values, meters, context)
        }
        if isHead { response = Response(status: response.status, headers: response.headers) }
        return response
    }

    /// What answers, with the values of the path's parameters as they were sent.
    private func resource(
        _ asked: HTTPRequest.Method, _ path: String
    ) -> (Endpoint, EndpointMeters, [Substring]) {
        let method = asked == .head ? .get : asked
        func isRight(_ endpoint: Endpoint) -> Bool {
            endpoint.method == method && (asked != .head || endpoint.weight != .stream)
        }
        if let found = fixed[path]?.first(where: { isRight($0.endpoint) }) {
            return (found.endpoint, found.meters, [])
        }
        // A path with a name of its own is no value of a parameter: `/routes/rank` is no route.
        if fixed[path] == nil {
            let parts = PathPattern.parts(of: path)
            for resource in others where isRight(resource.endpoint) {
                if let values = resource.pattern.values(of: parts) {
                    return (resource.endpoint, resource.meters, values)
                }
            }
        }
        // What the API has comes first: no file of a page stands in its way.
        if let page, !hasResource(path),
            let endpoint = PageEndpoint.endpoint(asked, path, page)
        {
            return (endpoint, pageMeters, [])
        }
        return (UnknownPath.endpoint(asked, path), unknownMeters, [])
    }

    /// Whether the API has something at a path, whatever the method.
    private func hasResource(_ path: String) -> Bool {
        fixed[path] != nil || others.contains { $0.pattern.values(of: path) != nil }
    }
}
