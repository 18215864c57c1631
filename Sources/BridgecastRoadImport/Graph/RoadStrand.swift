// A line of nodes with one profile: a way or a part of one; what pieces of road are made of.

/// A part of a way.
struct RoadStrand {
    /// Position of its way in the extract; below 0 if it was added.
    var way: Int
    /// Number of its profile.
    var profile: Int
    /// Numbers of its points, two or more, neighbours never the same.
    var points: [Int32]

    /// What stands for the way of an added line.
    static func way(ofLine number: Int) -> Int { -1 - number }
    /// Number of the added line that it is, or nil.
    var line: Int? { way < 0 ? -1 - way : nil }
}
