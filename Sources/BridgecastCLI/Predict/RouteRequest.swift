// What routes a prediction is asked for.
import BridgecastCore
import BridgecastEngine

/// What routes are asked for.
enum RouteRequest {
    /// These; those of the same origin, destination and mode compete.
    case routes([Route])
    /// Whatever ways there are.
    case trip(Trip, RoutePlanner)
}
