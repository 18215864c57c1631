// The route server of a command line: its address is checked before it is asked; used by `predict` and `depart`.
import BridgecastCLI
import BridgecastData
import BridgecastFeeds

extension RouterFeed {
    /// Asks a server whose address is checked first.
    static func checkedRoutes(
        of trip: RouterTrip, from router: Router
    ) async throws -> RouterRoutes {
        try checkAddress(router.url, of: "--router", kind: RouterAnswers.kind)
        return try await routes(of: trip, from: router)
    }
}
