// `GET /api/v1/events`: what happens, as it happens (server-sent events, WHATWG HTML 9.2).
internal import HTTPTypes

enum EventsEndpoint {
    static let all = [
        Endpoint(
            method: .get, path: EndpointTable.base + "/events", parameters: [], forms: [.events],
            bodyTypes: [], weight: .stream,
            handle: .now { request in
                // Before there is a board there is nothing to tell.
                _ = try request.state.board()
                let stream = request.state.events.listen(after: request.lastEventID)
                var answer = ServiceAnswer(.events, .stream(stream), keeping: .never)
                // Proxies that collect answers before they pass them on would keep events back.
                answer.fields[.known("X-Accel-Buffering")] = "no"
                return answer
            })
    ]
}
