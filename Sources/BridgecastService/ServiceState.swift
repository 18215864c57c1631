// What handlers work with: the newest board, the roads, the records, the model; one for each running service.
package import Bridgecast
internal import BridgecastLive
private import HTTPTypes
package import BridgecastEngine
internal import BridgecastRoads
package import Logging
private import Synchronization

/// What a running service knows.
package final class ServiceState: Sendable {
    /// What it is put together from.
    package let parts: ServiceParts
    /// How it is set.
    package let settings: ServiceSettings
    /// Finds ways; nil without roads.
    package let planner: RoutePlanner?
    /// What happens, for those who listen.
    package let events: EventHub
    /// What became of the model's file.
    package let models: ModelWatch
    /// Buses and trains; nil for none.
    let transit: TransitWatch?
    /// Whether the administrator has paused the feed.
    package let pause = FeedPause()
    /// The records in order, and what has been made of them.
    package let records = RecordShelf()
    /// Boards of times that are over.
    let pastBoards = PastBoards()

    /// What is held of bodies.
    let bodies: BodyBudget
    /// Turns for heavy work.
    let work: WorkLimiter
    /// Connections of clients.
    let connections: ConnectionCounts
    /// How much is going on.
    let load: LoadMeters
    /// Where places lie on the roads.
    let anchors = AnchorMemory()
    private let newest = Mutex<Board?>(nil)

    package init(_ parts: ServiceParts, _ settings: ServiceSettings) {
        (self.parts, self.settings) = (parts, settings)
        planner = parts.network.map { RoutePlanner($0) }
        // Another run has other numbers, whatever the clock was set to meanwhile.
        bodies = BodyBudget(most: settings.mostBodiesBytes)
        events = EventHub(run: String(UInt64.random(in: 0 ... .max), radix: 36))
        models = ModelWatch(parts)
        transit = parts.transit.map { [events] in
            TransitWatch($0, parts.live, parts.metrics, events)
        }
        work = WorkLimiter(mostWaiting: settings.mostWaiting)
        connections = ConnectionCounts(settings, meters: RefusalMeters(parts.metrics))
        load = LoadMeters(parts.metrics)
    }

    /// The time of the service.
    package var now: Timestamp { parts.live.clock.now }
    /// The log.
    package var log: Logger { parts.live.log }

    /// The newest board.
    ///
    /// - Throws: ``Problem`` 503 while there is none.
    package func board() throws(Problem) -> Board {
        guard let board = newest.withLock({ $0 }) else {
            throw Problem(
                .serviceUnavailable, .notReady, "nothing has been loaded yet",
                recovery: "try again in a second", retryAfterSeconds: 1)
        }
        return board
    }

    /// Whether there is a board.
    package var isReady: Bool { newest.withLock { $0 != nil } }

    /// Shows a newer board to all that come from now on.
    package func show(_ board: Board) { newest.withLock { $0 = board } }
}
