// The service's own metrics. How they are kept and written is in BridgecastLive (MetricsRegistry); those of the process
// are in HealthEndpoints.swift.
internal import BridgecastAnswers
internal import BridgecastCore
internal import BridgecastEngine
internal import BridgecastLive
internal import BridgecastTransit
internal import BridgecastTransitAnswers
internal import CoreMetrics
internal import HTTPTypes
private import Synchronization

extension MetricsRegistry {
    fileprivate func gauge(
        _ label: String, _ dimensions: [(String, String)] = []
    ) -> any RecorderHandler {
        makeRecorder(label: label, dimensions: dimensions, aggregate: false)
    }

    fileprivate func counter(
        _ label: String, _ dimensions: [(String, String)] = []
    ) -> any CounterHandler { makeCounter(label: label, dimensions: dimensions) }
}

final class LoadMeters: Sendable {
    private let running: any RecorderHandler
    private let waiting: any RecorderHandler
    private let streams: any RecorderHandler
    private let connections: any RecorderHandler
    private let batches: any CounterHandler
    private let counted = Mutex(0)

    init(_ registry: MetricsRegistry) {
        running = registry.gauge("bridgecast_http_heavy_running")
        waiting = registry.gauge("bridgecast_http_heavy_waiting")
        streams = registry.gauge("bridgecast_http_event_streams")
        connections = registry.gauge("bridgecast_http_connections")
        batches = registry.counter("bridgecast_inference_batches_total")
    }

    func record(_ state: ServiceState) {
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

struct EndpointMeters: Sendable {
    private let durations: any TimerHandler
    private let counters: [(status: Int, counter: any CounterHandler)]
    private let others: any CounterHandler

    /// Statuses with counters of their own.
    private static let statuses = [
        200, 204, 304, 400, 401, 404, 405, 406, 408, 413, 415, 422, 429, 500, 503,
    ]

    init(_ method: String, _ path: String, in registry: MetricsRegistry) {
        let dimensions = [("method", method), ("path", path)]
        durations = registry.makeTimer(
            label: "bridgecast_http_request_seconds", dimensions: dimensions)
        func counter(_ status: String) -> any CounterHandler {
            registry.counter("bridgecast_http_requests_total", dimensions + [("status", status)])
        }
        counters = Self.statuses.map { ($0, counter(String($0))) }
        others = counter("other")
    }

    func count(_ status: HTTPResponse.Status, nanoseconds: UInt64) {
        let counter = counters.first { $0.status == status.code }?.counter ?? others
        counter.increment(by: 1)
        durations.recordNanoseconds(Int64(clamping: nanoseconds))
    }
}

/// The metrics of refused connections and requests, which no handler sees.
struct RefusalMeters: Sendable {
    let registry: MetricsRegistry

    func count(_ refusal: Refusal) {
        // Refusals are rare; the registry returns the same counter for the same reason.
        registry.counter("bridgecast_http_refusals_total", [("reason", refusal.label)]).increment(
            by: 1)
    }
}

/// The metrics of a file that is loaded again when it changes: the model or the timetable.
struct FileMeters: Sendable {
    private let reloads: any CounterHandler
    private let refusals: any CounterHandler
    private let isRefused: any RecorderHandler
    private let loadedAt: any RecorderHandler

    /// - Parameter prefix: The beginning of the metrics' names, such as `bridgecast_model`.
    init(_ prefix: String, in registry: MetricsRegistry) {
        reloads = registry.counter("\(prefix)_reloads_total")
        refusals = registry.counter("\(prefix)_refusals_total")
        isRefused = registry.gauge("\(prefix)_refused")
        loadedAt = registry.gauge("\(prefix)_loaded_timestamp_seconds")
        // Counters exist from the start, so that their first increment is visible.
        reloads.increment(by: 0)
        refusals.increment(by: 0)
    }

    func record(isRefused: Bool, loadedAt: Timestamp) {
        self.isRefused.record(Int64(isRefused ? 1 : 0))
        self.loadedAt.record(loadedAt.secondsSinceEpoch)
    }

    func countReload() { reloads.increment(by: 1) }
    func countRefusal() { refusals.increment(by: 1) }
}

struct TransitMeters: Sendable {
    private let registry: MetricsRegistry
    private let runs: any RecorderHandler
    private let vehicles: any RecorderHandler

    init(_ registry: MetricsRegistry) {
        self.registry = registry
        runs = registry.gauge("bridgecast_transit_live_runs")
        vehicles = registry.gauge("bridgecast_transit_vehicles")
    }

    func record(_ news: TransitNews) {
        runs.record(Int64(news.snapshot.runs.count))
        vehicles.record(Int64(news.snapshot.vehicles.count))
        record(news.snapshot.scores.own, of: "own")
        record(news.snapshot.scores.timetable, of: "timetable")
        for id in news.refreshed {
            registry.counter("bridgecast_transit_refreshes_total", [("feed", id)]).increment(by: 1)
        }
    }

    private func record(_ score: PredictionScore, of predictor: String) {
        guard let seconds = score.meanAbsoluteSeconds else { return }
        registry.gauge("bridgecast_transit_prediction_error_seconds", [("of", predictor)]).record(
            seconds)
    }

    /// Records the age of the feeds' contents, when the metrics are read.
    func recordAges(of feeds: [RealtimeStatus], at now: Timestamp) {
        for feed in feeds {
            guard let age = SourceStatus(feed, at: now).ageSeconds else { continue }
            registry.gauge("bridgecast_transit_feed_age_seconds", [("feed", feed.id)]).record(age)
        }
    }
}
