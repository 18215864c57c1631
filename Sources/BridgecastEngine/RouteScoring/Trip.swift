// From where to where one goes, and how.
public import BridgecastCore
public import BridgecastRoads

/// Somebody who wants to get from one place to another.
public struct Trip: Sendable, Equatable {
    /// Where it begins and ends.
    public let origin, destination: Anchor
    /// How one travels.
    public let mode: Route.Mode

    /// Creates a trip.
    public init(from origin: Anchor, to destination: Anchor, mode: Route.Mode) {
        self.origin = origin
        self.destination = destination
        self.mode = mode
    }
}
