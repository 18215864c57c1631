// A trip as a route server is asked for it.
package import BridgecastCore
package import BridgecastRoads

/// From where to where, and by which crossings.
package struct RouterTrip: Sendable {
    /// Where it begins and ends, for people.
    package let origin, destination: String
    /// The same on the ground.
    package let start, end: GeoPoint
    /// How one travels.
    package let mode: Route.Mode
    /// Sequences of crossings that are asked for beside the direct way, the most promising first.
    package let ways: [[DeckPassage]]

    /// Creates a trip.
    package init(
        from origin: String, _ start: GeoPoint, to destination: String, _ end: GeoPoint,
        mode: Route.Mode, ways: [[DeckPassage]]
    ) {
        (self.origin, self.start) = (origin, start)
        (self.destination, self.end) = (destination, end)
        (self.mode, self.ways) = (mode, ways)
    }

    /// What a trip between two ends of our network may be made by.
    package init(
        from origin: StatedEnd, to destination: StatedEnd, mode: Route.Mode,
        on network: RoadNetwork,
        leaving departure: Timestamp
    ) {
        self.init(
            from: origin.name, origin.point, to: destination.name, destination.point, mode: mode,
            ways: network.passages(
                from: origin.anchor, to: destination.anchor, mode: mode, leaving: departure))
    }
}
