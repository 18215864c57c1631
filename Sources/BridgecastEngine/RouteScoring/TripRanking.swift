// The ranked routes of a trip with the ways they take; what commands, pages and services show of it.
public import BridgecastCore
public import BridgecastRoads

/// A ranking of routes that were found on the roads, and the way of each: a collection of their scores.
public struct TripRanking: Sendable, RandomAccessCollection {
    /// The routes with their scores, the best first.
    public let ranking: RouteRanking
    /// The roads they were found on.
    public let network: RoadNetwork
    private let paths: [String: Path]

    init(_ ranking: RouteRanking, _ routes: [PlannedRoute], on network: RoadNetwork) {
        (self.ranking, self.network) = (ranking, network)
        let shown = Set(ranking.map(\.route.id))
        paths = Dictionary(
            routes.filter { shown.contains($0.route.id) }.map { ($0.route.id, $0.path) },
            uniquingKeysWith: { first, _ in first })
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many routes there are.
    public var endIndex: Int { ranking.count }

    /// The score at a rank, counted from 0.
    public subscript(rank: Int) -> RouteScore { ranking[rank] }

    /// The way of a route of the ranking; nil for another's.
    public func path(of score: RouteScore) -> Path? { paths[score.route.id] }
}
