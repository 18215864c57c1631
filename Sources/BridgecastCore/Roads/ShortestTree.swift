// The quickest way from one end of a trip to every node; made by RoadNetwork, for the search.

/// Minutes to every node without crossing water, and the edges by which.
struct ShortestTree {
    var minutes: [Double]
    var lastEdge: [Int]
}
