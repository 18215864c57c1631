// A sequence of crossings that WaySearch has followed: what comes after it and is no better need not be looked at.

/// Crossings passed, and when one is then at the vertices behind all gates.
struct PassedSequence {
    let crossings: [Int]
    private let meetsDrawbridge: Bool
    /// By number of the edge behind a gate.
    let times: [Double]

    init(_ crossings: [Int], _ network: RoadNetwork, times: [Double]) {
        (self.crossings, self.times) = (crossings, times)
        meetsDrawbridge = crossings.contains { network.crossings[$0].bridge != nil }
    }

    /// Whether who has passed this sequence and is somewhere earlier than one who has passed another is so whatever the
    /// bridges do, and may cross whatever the other may.
    func isAhead(of other: [Int]) -> Bool {
        other.starts(with: crossings)
            || !meetsDrawbridge && crossings.allSatisfy { other.contains($0) }
    }
}
