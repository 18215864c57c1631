// The search of roads beside one without preparation, from the same rounds.

/// How many times faster than plain Dijkstra the search finds the quickest way of a trip.
public struct RoadRatio: Sendable, Encodable {
    /// From where to where, and the mode if it is not by car.
    public let trip: String
    /// Median over the rounds of plain search's time over that of ours.
    public let median: Double
    /// Smallest and largest over the rounds.
    public let low: Double, high: Double
    /// Rounds in which both took their turn.
    public let rounds: Int
}
