// Routes with their scores, the best first: what a ranking is.

/// Routes ranked for one departure, the best first: a collection of their scores.
public struct RouteRanking: Sendable, Equatable, Codable, RandomAccessCollection {
    /// When the forecast behind it was made.
    public let issueTime: Timestamp
    /// When one leaves.
    public let departure: Timestamp
    /// When one wants to be there, if that matters.
    public let deadline: Timestamp?
    /// What it was ranked by.
    public let weights: RouteWeights
    /// The routes; equal ones in order of expected time, then as they were given.
    public let scores: [RouteScore]

    /// Takes scores that are in rank order already, the best first.
    package init(
        issueTime: Timestamp, departure: Timestamp, deadline: Timestamp?, weights: RouteWeights,
        scores: [RouteScore]
    ) {
        (self.issueTime, self.departure, self.deadline) = (issueTime, departure, deadline)
        (self.weights, self.scores) = (weights, scores)
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many routes there are.
    public var endIndex: Int { scores.count }

    /// The score at a rank, counted from 0.
    public subscript(rank: Int) -> RouteScore { scores[rank] }

    /// When one is expected to arrive by a route of the ranking.
    public func expectedArrival(by score: RouteScore) -> Timestamp {
        score.expectedArrival(leaving: departure)
    }
}
