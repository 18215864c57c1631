// The chance that one route beats another; what rankings say of pairs of their routes.
// Belongs here: how likely one route is quicker than another; not: how long one takes by itself.

/// How one route of a ranking compares with another, both leaving at the same time.
///
/// The three chances add up to 1. They come from the joint distribution of the two travel times: who crosses the same
/// bridge meets the same opening.
public struct RouteComparison: Sendable, Hashable, Codable {
    /// The routes' ids.
    public let route, other: String
    /// The chance that ``route`` is there more than ``tieSeconds`` before ``other``, 0...1.
    public let probabilityFaster: Double
    /// The chance that both are there within ``tieSeconds`` of each other, 0...1.
    public let probabilityTie: Double

    /// Nobody tells such a difference: half a minute.
    public static let tieSeconds = 30.0
    /// So many routes of a ranking are compared with each other, the best ones.
    public static let mostRoutes = 8

    init(_ route: String, _ other: String, faster: Double, tie: Double) {
        (self.route, self.other) = (route, other)
        (probabilityFaster, probabilityTie) = (faster, tie)
    }

    /// The chance that ``other`` is there more than ``tieSeconds`` before ``route``, 0...1.
    public var probabilitySlower: Double { max(0, 1 - probabilityFaster - probabilityTie) }

    /// The same, seen from the other route.
    public var reversed: RouteComparison {
        RouteComparison(other, route, faster: probabilitySlower, tie: probabilityTie)
    }
}
