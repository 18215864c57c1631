// A sequence of crossings that the search may go on from; used by WaySearch.

/// Crossings passed, and the way there.
struct OpenSequence {
    /// Where the search goes on.
    let starts: [TripStart]
    /// The earliest time at the destination, seconds of the ``TripClock``.
    let bound: Double
    /// Indices into ``RoadNetwork/crossings``.
    var crossings: [Int] = []
    /// The way so far: where on the origin's arcs it begins, and the edges of the hierarchy.
    var origin: Anchor.Spot?
    var edges: [UInt32] = []
}
