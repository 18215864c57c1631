// `/healthz`, `/readyz` and `/metrics`: for those who look after the service.
internal import BridgecastEngine
internal import BridgecastLive
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastObservation
internal import HTTPTypes

enum HealthEndpoints {
    static let all = [
        Endpoint.get("/healthz") { _ in
            ServiceAnswer(.json, Array(#"{"status":"alive"}"#.utf8), keeping: .never)
        },
        Endpoint.get("/readyz") { request in
            let readiness = Readiness(request.state)
            var answer = ServiceAnswer(.json, readiness.jsonBytes(), keeping: .never)
            if !readiness.isReady { answer.status = .serviceUnavailable }
            return answer
        },
        Endpoint.get("/metrics", forms: [.prometheus]) { request in
            request.state.load.show(request.state)
            request.state.transit?.measure()
            let text = request.state.parts.metrics.text() + ProcessMetrics.text()
            return ServiceAnswer(.prometheus, Array(text.utf8), keeping: .never)
        },
    ]
}

/// Whether the service can answer, and what of it is not as it should be.
private struct Readiness: JSONAnswer {
    let isReady: Bool
    private let state: ServiceState

    init(_ state: ServiceState) {
        self.state = state
        isReady = state.isReady
    }

    func write(to json: inout JSONWriter) {
        let board = try? state.board()
        json.object { json in
            json.field("status", isReady ? "ready" : "not ready")
            json.field("phase", board?.phase.word)
            json.field("issue_time", board.map { TimeText.rfc3339($0.issueTime) })
            json.field("model", state.parts.inference.model.header.name)
            // A refused file leaves the old model in use: that is worth a look, not a restart.
            json.field("model_file", state.models.status)
            json.field("event_streams", state.events.listenerCount)
            json.list(
                "sources",
                (board?.sources(at: state.now) ?? [])
                    + (state.transit?.sources(at: state.now) ?? []))
        }
    }
}
