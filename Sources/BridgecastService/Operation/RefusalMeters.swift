// Counts what the guards of connections refuse, by reason: the gate never sees it; used by ConnectionCounts.
internal import BridgecastLive
private import CoreMetrics

/// The meters of refusals.
struct RefusalMeters: Sendable {
    private let registry: MetricsRegistry

    init(_ registry: MetricsRegistry) { self.registry = registry }

    /// Counts a refusal.
    func count(_ refusal: Refusal) {
        // The registry keeps one counter of a name and a reason, whoever makes it: refusals are rare.
        registry.makeCounter(
            label: "bridgecast_http_refusals_total", dimensions: [("reason", refusal.label)]
        ).increment(by: 1)
    }
}
