// Ways through the road network: the quickest for every sequence of crossings.
public import BridgecastCore

/// Finds ways through a network.
///
/// For every sequence of crossings that can be driven without delays in a given time there is one path: the one that
/// seems to take least, by its mean travel time and by what people are reluctant of (`Reluctance`). A way that is quicker
/// by passing through local streets is lost by that. Where a network has no reluctance nothing is: roads are
/// first-in-first-out, and the spread of a stretch grows with its mean (``Route/Travel/init(minutes:)``), so
/// of two ways over the same bridges the quicker one is earlier at every quantile; bridges keep the order
/// of those who wait. Then the best path by expected time and the best by any quantile are both among
/// these (brute force on random networks agrees, `RouteSearchTests`). No path passes a crossing twice: it would
/// be back where it has been.
public struct RouteSearch: Sendable {
    private let network: RoadNetwork
    private let mode: Route.Mode

    /// Creates a search.
    public init(_ network: RoadNetwork, mode: Route.Mode) {
        self.network = network
        self.mode = mode
    }

    /// The quickest path, and the others up to a time.
    ///
    /// - Parameters:
    ///   - origin, destination: Of the network of the search.
    ///   - departure: Decides how fast roads are; the clock of a trip runs without delays at bridges.
    ///   - limit: Longest time wanted, minutes, given the quickest path; asked once. nil: no others.
    /// - Returns: One path per sequence of crossings, the quickest first; none if there is no way.
    /// - Precondition: Both ends are of the network.
    /// - Complexity: One search of the prepared roads per way of reaching a crossing, a tenth of a millisecond each.
    public func paths(
        from origin: Anchor, to destination: Anchor, leaving departure: Timestamp,
        limit: (Path) throws -> Double?
    ) rethrows -> [Path] {
        var ways = WaySearch(
            network, mode, from: origin, to: destination, leaving: departure)
        guard let quickest = ways.quickest() else { return [] }
        return ways.all(upTo: try limit(quickest) ?? 0)
    }
}
