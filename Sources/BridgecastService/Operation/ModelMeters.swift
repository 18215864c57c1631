// What metrics tell of the model's file; used by ModelWatch.
private import BridgecastCore
internal import BridgecastLive
private import CoreMetrics

/// The meters of a model's file.
struct ModelMeters: Sendable {
    private let reloads: any CounterHandler
    private let refusals: any CounterHandler
    private let isRefused: any RecorderHandler
    private let loadedAt: any RecorderHandler

    init(_ registry: MetricsRegistry) {
        reloads = registry.makeCounter(label: "bridgecast_model_reloads_total", dimensions: [])
        refusals = registry.makeCounter(label: "bridgecast_model_refusals_total", dimensions: [])
        isRefused = registry.makeRecorder(
            label: "bridgecast_model_refused", dimensions: [], aggregate: false)
        loadedAt = registry.makeRecorder(
            label: "bridgecast_model_loaded_timestamp_seconds", dimensions: [], aggregate: false)
        // A counter is there from the beginning, so that its first step is seen as one.
        reloads.increment(by: 0)
        refusals.increment(by: 0)
    }

    func show(_ status: ModelStatus) {
        isRefused.record(Int64(status.refusal == nil ? 0 : 1))
        loadedAt.record(status.loadedAt.secondsSinceEpoch)
    }

    func countReload() { reloads.increment(by: 1) }
    func countRefusal() { refusals.increment(by: 1) }
}
