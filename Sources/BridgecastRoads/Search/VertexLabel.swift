// What the searches of a trip know about one vertex; kept by SearchMemory.

/// When one is at a vertex and by which way, and how far it is from there.
struct VertexLabel: BitwiseCopyable {
    /// When one is there; of the search whose stamp it bears.
    var time = 0.0
    var stamp: UInt32 = 0
    /// The edge by which one comes, or ``begins`` or ``crosses``, and from where.
    var lastEdge = begins
    var lastVertex = begins
    /// Seconds that it is from there at least; of the trip whose stamp it bears.
    var least: Float = .infinity
    var leastStamp: UInt32 = 0
    /// The edge by which one goes on then, and to where.
    var nextEdge = begins
    var nextVertex = begins

    /// No edge: a search began here.
    static let begins = UInt32.max
    /// From the one vertex of a gate to the other.
    static let crosses = UInt32.max - 1
}
