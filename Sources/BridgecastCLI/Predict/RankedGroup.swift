// Ranked routes of one origin, destination and mode.
import BridgecastCore
import BridgecastEngine

/// Ranked routes of one origin and destination.
struct RankedGroup {
    let origin: String
    let destination: String
    let mode: Route.Mode
    let ranking: RouteRanking
    /// The ways of routes that were found on the roads; nil for candidates of one's own.
    var ways: TripRanking?
}
