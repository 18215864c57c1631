// Counts the requests of one endpoint by status, and how long they took; used by the gate.
// Belongs here: how the service is watched and looked after: meters, model files, administration; not: what it answers.
internal import BridgecastLive
internal import CoreMetrics
internal import HTTPTypes

/// The meters of an endpoint.
struct EndpointMeters: Sendable {
    private let durations: any TimerHandler
    private let counters: [(status: Int, counter: any CounterHandler)]
    private let others: any CounterHandler

    /// Statuses with counters of their own.
    private static let statuses = [
        200, 204, 304, 400, 401, 404, 405, 406, 408, 413, 415, 422, 429, 500, 503,
    ]

    /// Makes the meters of a path in a registry.
    init(_ method: String, _ path: String, in registry: MetricsRegistry) {
        let about = [("method", method), ("path", path)]
        durations = registry.makeTimer(label: "bridgecast_http_request_seconds", dimensions: about)
        func counter(_ status: String) -> any CounterHandler {
            registry.makeCounter(
                label: "bridgecast_http_requests_total", dimensions: about + [("status", status)])
        }
        counters = Self.statuses.map { ($0, counter(String($0))) }
        others = counter("other")
    }

    /// Counts an answer.
    func count(_ status: HTTPResponse.Status, nanoseconds: UInt64) {
        let counter = counters.first { $0.status == status.code }?.counter ?? others
        counter.increment(by: 1)
        durations.recordNanoseconds(Int64(clamping: nanoseconds))
    }
}
