// What waits, runs and is open at the moment; read when somebody asks for `/metrics`.
internal import BridgecastEngine
internal import BridgecastLive
internal import CoreMetrics
private import Synchronization

/// The meters of a service's load.
final class LoadMeters: Sendable {
    private let running: any RecorderHandler
    private let waiting: any RecorderHandler
    private let streams: any RecorderHandler
    private let connections: any RecorderHandler
    private let batches: any CounterHandler
    /// Batches that have been counted.
    private let counted = Mutex(0)

    init(_ registry: MetricsRegistry) {
        func gauge(_ label: String) -> any RecorderHandler {
            registry.makeRecorder(label: label, dimensions: [], aggregate: false)
        }
        running = gauge("bridgecast_http_heavy_running")
        waiting = gauge("bridgecast_http_heavy_waiting")
        streams = gauge("bridgecast_http_event_streams")
        connections = gauge("bridgecast_http_connections")
        batches = registry.makeCounter(label: "bridgecast_inference_batches_total", dimensions: [])
    }

    /// Takes down how things stand.
    func show(_ state: ServiceState) {
        running.record(Int64(state.work.runningCount))
        waiting.record(Int64(state.work.waitingCount))
        streams.record(Int64(state.events.listenerCount))
        connections.record(Int64(state.connections.count))
        let run = state.parts.inference.batchesRun
        counted.withLock { counted in
            batches.increment(by: Int64(max(0, run - counted)))
            counted = max(run, counted)
        }
    }
}
