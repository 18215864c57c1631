// How a search came by a path; AlternativeSearch takes it apart and puts other ways between the crossings.

/// The edges of a hierarchy that a path stands for, and where it begins and ends.
struct PathTrace: Sendable {
    /// The mode's hierarchy has them by these numbers, in order.
    let edges: [UInt32]
    let origin: Anchor.Spot
    let end: TripEnd
}
