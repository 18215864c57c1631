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
        /// The path's parts; a parameter begins with a brace.
        let parts: [Substring]
    }

    private let gate: Gate
    /// Endpoints without path parameters, by path.
    private let fixed: [String: [Resource]]
    private let others: [Resource]
    private let unknownMeters: EndpointMeters
    /// Where nobody collects traces, nothing is spent on them.
    private let isTraced = !(InstrumentationSystem.instrument is NoOpInstrument)

    init(_ state: ServiceState, _ trust: ProxyTrust) {
        gate = Gate(state, trust)
        let registry = state.parts.metrics
        let resources = EndpointTable.all.map { endpoint in
            Resource(
                endpoint: endpoint,
                meters: EndpointMeters(endpoint.method.rawValue, endpoint.path, in: registry),
                parts: endpoint.path.split(separator: "/"))
        }
        fixed = Dictionary(
            grouping: resources.filter { !$0.endpoint.path.contains("{") },
            by: \.endpoint.path)
        others = resources.filter { $0.endpoint.path.contains("{") }
        unknownMeters = EndpointMeters("any", "other", in: registry)
    }

    /// Answers a request.
    func respond(to request: Request, context: ServiceContext) async throws -> Response {
        guard isTraced else { return await answer(request, context) }
        return await withSpan(request.uri.path, ofKind: .server) { _ in
            await answer(request, context)
        }
    }

    private func answer(_ request: Request, _ context: ServiceContext) async -> Response {
        let path = request.uri.path
        let isHead = request.method == .head
        let method = isHead ? .get : request.method
        let (endpoint, meters, values) = resource(method, path)
        var response = await gate.respond(
            to: request, by: endpoint, pathValues: values, meters, context)
        if isHead {
            response = Response(status: response.status, headers: response.headers)
        }
        return response
    }

    /// What answers, with the values of the path's parameters as they were sent.
    private func resource(
        _ method: HTTPRequest.Method, _ path: String
    ) -> (Endpoint, EndpointMeters, [Substring]) {
        if let found = fixed[path]?.first(where: { $0.endpoint.method == method }) {
            return (found.endpoint, found.meters, [])
        }
        let parts = path.split(separator: "/")
        for resource in others where resource.endpoint.method == method {
            guard resource.parts.count == parts.count else { continue }
            let pairs = zip(resource.parts, parts)
            guard pairs.allSatisfy({ $0 == $1 || $0.hasPrefix("{") }) else { continue }
            let values = pairs.filter { $0.0.hasPrefix("{") }.map(\.1)
            return (resource.endpoint, resource.meters, values)
        }
        return (UnknownPath.endpoint(method, path), unknownMeters, [])
    }
}
