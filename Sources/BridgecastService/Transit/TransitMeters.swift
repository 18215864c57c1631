// What metrics tell of the timetable and its realtime feeds; used by TransitWatch.
internal import BridgecastAnswers
internal import BridgecastLive
internal import BridgecastTransit
internal import BridgecastTransitAnswers
internal import BridgecastCore
private import CoreMetrics

/// The meters of transit.
struct TransitMeters: Sendable {
    private let registry: MetricsRegistry
    private let reloads: any CounterHandler
    private let refusals: any CounterHandler
    private let isRefused: any RecorderHandler
    private let loadedAt: any RecorderHandler
    private let runs: any RecorderHandler
    private let vehicles: any RecorderHandler

    init(_ registry: MetricsRegistry) {
        self.registry = registry
        func gauge(_ label: String) -> any RecorderHandler {
            registry.makeRecorder(label: label, dimensions: [], aggregate: false)
        }
        reloads = registry.makeCounter(
            label: "bridgecast_transit_timetable_reloads_total", dimensions: [])
        refusals = registry.makeCounter(
            label: "bridgecast_transit_timetable_refusals_total", dimensions: [])
        isRefused = gauge("bridgecast_transit_timetable_refused")
        loadedAt = gauge("bridgecast_transit_timetable_loaded_timestamp_seconds")
        runs = gauge("bridgecast_transit_live_runs")
        vehicles = gauge("bridgecast_transit_vehicles")
        // A counter is there from the beginning, so that its first step is seen as one.
        reloads.increment(by: 0)
        refusals.increment(by: 0)
    }

    /// Takes down how the timetable stands.
    func show(_ status: TransitStatus) {
        isRefused.record(Int64(status.refusal == nil ? 0 : 1))
        loadedAt.record(status.loadedAt.secondsSinceEpoch)
    }

    func countReload() { reloads.increment(by: 1) }
    func countRefusal() { refusals.increment(by: 1) }

    /// Takes down what realtime feeds came to.
    func show(_ news: TransitNews) {
        runs.record(Int64(news.snapshot.runs.count))
        vehicles.record(Int64(news.snapshot.vehicles.count))
        show(news.snapshot.scores.own, of: "own")
        show(news.snapshot.scores.timetable, of: "timetable")
        for id in news.refreshed {
            registry.makeCounter(
                label: "bridgecast_transit_refreshes_total", dimensions: [("feed", id)]
            ).increment(by: 1)
        }
    }

    /// Takes down how far off predictions were on average, once any vehicle has told.
    private func show(_ score: PredictionScore, of who: String) {
        guard let seconds = score.meanAbsoluteSeconds else { return }
        registry.makeRecorder(
            label: "bridgecast_transit_prediction_error_seconds", dimensions: [("of", who)],
            aggregate: false
        ).record(seconds)
    }

    /// Takes down how old what realtime feeds say is, when somebody asks for metrics.
    func showAges(of feeds: [RealtimeStatus], at now: Timestamp) {
        for feed in feeds {
            guard let age = SourceStatus(feed, at: now).ageSeconds else { continue }
            registry.makeRecorder(
                label: "bridgecast_transit_feed_age_seconds", dimensions: [("feed", feed.id)],
                aggregate: false
            ).record(age)
        }
    }
}
