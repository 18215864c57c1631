// `GET /api/v1/events`: what happens, as it happens (server-sent events, WHATWG HTML 9.2).
internal import BridgecastAnswers
internal import HTTPTypes

enum EventsEndpoint {
    static let all = [
        Endpoint(
            method: .get, path: EndpointTable.base + "/events", parameters: [], bodyTypes: [],
            weight: .stream,
            handle: .now { request in
                _ = try MediaType.chosen(of: [.events], accept: request.accept)
                let board = try request.state.board()
                let stream = request.state.events.listen(
                    after: request.lastEventID,
                    current: (.forecast, ForecastEvent(board).jsonBytes()))
                var answer = ServiceAnswer(.events, .stream(stream), keeping: .never)
                // Proxies that collect answers before they pass them on would keep events back.
                answer.fields[.known("X-Accel-Buffering")] = "no"
                return answer
            })
    ]
}
