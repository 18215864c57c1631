// Which drawbridges the shapes of a feed cross, and where; found once for a feed.
public import BridgecastCore

/// The crossings of all shapes of a feed.
public struct BridgeCrossings: Sendable {
    /// A drawbridge on a shape.
    public struct Crossing: Sendable, Hashable {
        /// The bridge.
        public let bridge: BridgeIndex
        /// Metres along the shape to the middle of the deck.
        public let metres: Double
        package init(bridge: BridgeIndex, metres: Double) {
            (self.bridge, self.metres) = (bridge, metres)
        }
    }

    /// Shapes that cross any bridge, few of many.
    private let byShape: [ShapeIndex: [Crossing]]
    /// By bridge, the routes over it in the order of the feed.
    private let routesByBridge: [[RouteIndex]]

    /// Finds the crossings of a feed's shapes that vehicles on roads drive; O(points + trips).
    public init(of feed: TransitFeed) {
        let isOnRoads = feed.routes.kinds.map { TransitKind(rawValue: $0)?.isOnRoads ?? false }
        var isDriven = [Bool](repeating: false, count: feed.shapes.count)
        for (route, shape) in zip(feed.trips.routes, feed.trips.shapes) where shape >= 0 {
            if isOnRoads[Int(route)] { isDriven[Int(shape)] = true }
        }
        var found: [ShapeIndex: [Crossing]] = [:]
        for row in isDriven.indices where isDriven[row] {
            let crossings = feed.shapes.crossings(of: ShapeIndex(row))
            if !crossings.isEmpty { found[ShapeIndex(row)] = crossings }
        }
        byShape = found
        routesByBridge = Self.routes(of: feed, isOnRoads, found)
    }

    private static func routes(
        of feed: TransitFeed, _ isOnRoads: [Bool], _ crossings: [ShapeIndex: [Crossing]]
    ) -> [[RouteIndex]] {
        var found = [Set<RouteIndex>](repeating: [], count: BridgeCatalogue.count)
        guard !crossings.isEmpty else { return found.map { _ in [] } }
        for (route, shape) in zip(feed.trips.routes, feed.trips.shapes) where isOnRoads[Int(route)]
        {
            guard let shape = ShapeIndex(stored: shape), let crossed = crossings[shape] else {
                continue
            }
            for crossing in crossed {
                found[crossing.bridge.rawValue].insert(RouteIndex(Int(route)))
            }
        }
        return found.map { $0.sorted() }
    }

    /// The crossings of a trip in its order; empty where it crosses none, runs on no road or has no shape.
    ///
    /// A crossing may lie before the trip's first stop or behind its last, where the shape goes on so far.
    public func of(_ trip: TripIndex, in feed: TransitFeed) -> [Crossing] {
        guard !byShape.isEmpty, let shape = ShapeIndex(stored: feed.trips.shapes[trip.position]),
            let crossings = byShape[shape]
        else { return [] }
        let kind = TransitKind(rawValue: feed.routes.kinds[Int(feed.trips.routes[trip.position])])
        return kind?.isOnRoads == true ? crossings : []
    }

    /// The routes that cross a bridge, in the order of the feed.
    public func routes(over bridge: BridgeIndex) -> [RouteIndex] { routesByBridge[bridge.rawValue] }

    /// Whether no shape crosses any bridge.
    public var isEmpty: Bool { byShape.isEmpty }
}
