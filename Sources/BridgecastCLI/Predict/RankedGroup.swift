// Ranked routes of one origin, destination and mode.
import BridgecastCore

/// Ranked routes of one origin and destination.
struct RankedGroup {
    let origin: String
    let destination: String
    let mode: Route.Mode
    let ranking: RouteRanking
}
