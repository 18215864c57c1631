// A turn from one arc to the next, for cars; what the preparation for searching is made of.

/// A turn that may be made.
package struct TurnLink: Sendable, Equatable {
    /// Arcs of the map.
    package let from, to: Int
    /// Tenths of a second that it takes, at the pace of the arc that is entered.
    package let deciseconds: UInt16

    package init(from: Int, to: Int, deciseconds: UInt16) {
        (self.from, self.to, self.deciseconds) = (from, to, deciseconds)
    }
}
