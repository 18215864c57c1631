// An edge of a hierarchy as it lies in memory and in network files: a piece of road with the turn onto it, or two
// shorter edges in one.

/// A step of the search from one vertex to another.
package struct HierarchyEdge: Sendable, Equatable, BitwiseCopyable {
    /// Tenths of a second of free travel by ``PaceGroup``.
    package var weights: SIMD8<UInt16>
    /// The vertex at the other end: of an upward edge its head, of a downward edge its tail.
    package var other: UInt32
    /// The first of the two edges that it stands for, or `single`.
    ///
    /// Downward edges count on behind the upward ones.
    package var first: UInt32
    /// The second of them; of a single piece of road its arc, or `noArc`.
    package var second: UInt32
    private var unused: UInt32 = 0

    package static let single = UInt32.max
    /// Begins behind a crossing of water: the crossing itself belongs to the way before.
    package static let noArc = UInt32.max

    package init(weights: SIMD8<UInt16>, other: UInt32, first: UInt32, second: UInt32) {
        (self.weights, self.other, self.first, self.second) = (weights, other, first, second)
    }

    package var isSingle: Bool { first == Self.single }
}
