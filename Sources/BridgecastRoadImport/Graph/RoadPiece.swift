// A piece of road between two junctions, both directions in one; RoadMapAssembly makes arcs of it.

/// A line between two junctions.
struct RoadPiece {
    /// Positions of the first and the last way it is made of, in the extract; below 0 for added lines.
    var firstWay, lastWay: Int
    /// Number of its profile, as seen along the line.
    var profile: Int
    /// Numbers of its points, two or more.
    var points: [Int32]
    /// Modes that may go along the line and against it.
    var forward, backward: RoadModes

    var tail: Int { Int(points[0]) }
    var head: Int { Int(points[points.count - 1]) }
}
