// Everything that the handlers of a running service share.
internal import BridgecastRouting
package import Bridgecast
internal import BridgecastLive
package import BridgecastEngine
internal import BridgecastRoads
package import Logging
private import Synchronization

package final class ServiceState: Sendable {
    package let parts: ServiceParts
    package let settings: ServiceSettings
    /// Plans routes; nil without roads.
    package let planner: RoutePlanner?
    package let events: EventHub
    package let models: ModelWatch
    /// The description of the resources; nil if there is none.
    let description: SharedDocument?
    /// Buses and trains; nil for none.
    let transit: TransitUpdater?
    /// Whether the administrator has paused the feed.
    package let pause = FeedPause()
    /// The records in order, and documents made of them.
    package let records: RecordCache
    let pastSnapshots: PastSnapshotCache
    package let cache: ServiceCache

    let bodies: BodyBudget
    let work: WorkLimiter
    let connections: ConnectionCounts
    let load: LoadMeters
    let anchors = AnchorCache()
    private let newest = Mutex<BridgesSnapshot?>(nil)

    package init(_ parts: ServiceParts, _ settings: ServiceSettings) {
        self.parts = parts
        self.settings = settings
        planner = parts.network.map { RoutePlanner($0) }
        cache = ServiceCache(report: { [live = parts.live] error in
            live.log.error(
                "not cached", metadata: ["reason": "\(error)", "recovery": "\(error.recovery)"])
            // The answer is made for each request instead.
            live.diagnostics?.note(
                error, "\(error)", from: "cache", .recovered, at: live.clock.now)
        })
        records = RecordCache(cache)
        pastSnapshots = PastSnapshotCache(cache)
        bodies = BodyBudget(max: settings.maxBodiesBytes)
        // Random, so that every run has its own event ids even if the clock is set back.
        events = EventHub(run: String(UInt64.random(in: 0 ... .max), radix: 36))
        models = ModelWatch(parts)
        description = parts.description.map { SharedDocument(Array($0)) }
        transit = parts.transit.map { [events] in
            TransitUpdater(
                $0, live: parts.live, registry: parts.metrics, events: events,
                listener: parts.transitListener)
        }
        work = WorkLimiter(maxWaiting: settings.maxWaiting)
        connections = ConnectionCounts(settings, meters: RefusalMeters(registry: parts.metrics))
        load = LoadMeters(parts.metrics)
    }

    package var now: Timestamp { parts.live.clock.now }
    package var log: Logger { parts.live.log }

    /// The newest snapshot.
    ///
    /// - Throws: ``Problem`` 503 while there is none.
    package func snapshot() throws(Problem) -> BridgesSnapshot {
        guard let snapshot = newest.withLock({ $0 }) else {
            throw Problem(
                .notReady, "nothing has been loaded yet", recovery: "try again in a second",
                retryAfterSeconds: 1)
        }
        return snapshot
    }

    package var isReady: Bool { newest.withLock { $0 != nil } }

    /// Answers from a newer snapshot from now on.
    package func show(_ snapshot: BridgesSnapshot) { newest.withLock { $0 = snapshot } }
}
