// From two places to ranked routes: searches the network and scores what it finds.
public import BridgecastCore
public import BridgecastRoads

extension RoadNetwork {
    /// The trip between two places by name, or by `latitude,longitude`.
    ///
    /// - Throws: ``PlaceError``.
    public func trip(
        from origin: String, to destination: String, mode: Route.Mode = .car
    ) throws(PlaceError) -> Trip {
        Trip(
            from: try anchor(origin, for: mode), to: try anchor(destination, for: mode), mode: mode)
    }
}

/// Finds the routes of trips that are worth comparing.
public struct RoutePlanner: Sendable {
    /// The roads.
    public let network: RoadNetwork
    /// How many routes are shown at most, beside the best by expected time and the best by P90, which always are.
    public var mostRoutes = Self.mostRoutesShown
    /// ``mostRoutes``, unless somebody chooses otherwise.
    public static let mostRoutesShown = 4
    /// Where a route leaves the best one, it may take this times what the best takes there, and ``patienceMinutes``
    /// more, but no more than twice as long, nor half as long again in all.
    ///
    /// What is expected to take longer is not worth showing, unless it is within ``patienceMinutes`` of the best (on
    /// short trips half the best), or quicker than one that is shown.
    public static let patience = 1.25
    /// See ``patience``.
    public static let patienceMinutes = 4.0

    /// Creates a planner.
    public init(_ network: RoadNetwork) { self.network = network }

    /// Minutes of the quickest way without delays at bridges.
    ///
    /// - Throws: ``RankingError/trip(_:)``.
    public func quickestMinutes(
        _ trip: Trip, leaving departure: Timestamp
    ) throws(RankingError) -> Double {
        var ways = try search(trip, leaving: departure)
        return try quickest(&ways, trip).minutes
    }

    /// How far after a departure forecasts must reach for trips whose quickest way takes so many minutes: for
    /// ways twice as long, met by two of the longest delays.
    package static func reachMinutes(quickest: Double) -> Double {
        2 * quickest + 2 * DelayBins.longestMinutes
    }

    /// All routes that may be the best by expected time or by any quantile up to P90, of those that people take: one
    /// for each sequence of crossings.
    ///
    /// - Parameter forecasts: Reaches ``reachMinutes(quickest:)`` beyond the departure.
    package func candidates(
        _ trip: Trip, leaving departure: Timestamp, with forecasts: ForecastTable
    ) throws(RankingError) -> [PlannedRoute] {
        var ways = try search(trip, leaving: departure)
        let best = try quickest(&ways, trip)
        return try candidates(&ways, quickest: best, trip, leaving: departure, with: forecasts)
    }

    /// The search of a trip's ways.
    func search(_ trip: Trip, leaving departure: Timestamp) throws(RankingError) -> WaySearch {
        for end in [trip.origin, trip.destination] where !end.isOn(network) {
            throw .trip(.foreignNetwork(end.name))
        }
        return WaySearch(
            network, trip.mode, from: trip.origin, to: trip.destination, leaving: departure)
    }

    /// The quickest way.
    func quickest(_ ways: inout WaySearch, _ trip: Trip) throws(RankingError) -> Path {
        guard let quickest = ways.quickest() else {
            throw .trip(
                .noWay(from: trip.origin.name, to: trip.destination.name, mode: trip.mode))
        }
        guard quickest.metres > 0 else { throw .trip(.samePlace(trip.origin.name)) }
        return quickest
    }

    /// The routes of a search whose quickest way is known.
    func candidates(
        _ ways: inout WaySearch, quickest: Path, _ trip: Trip, leaving departure: Timestamp,
        with forecasts: ForecastTable
    ) throws(RankingError) -> [PlannedRoute] {
        // Delays only add: what takes longer without any than this one's P90 and mean with all cannot
        // be better by either.
        let score = try forecasts.rank([planned(quickest, trip).route], leaving: departure)[0]
        let most = max(
            score.expectedMinutes, score.p90Minutes,
            quickest.minutes * Self.patience + Self.patienceMinutes)
        return ways.all(upTo: most).map { planned($0, trip) }
    }

    /// The scores worth showing, of a ranking of all candidates.
    ///
    /// The best by expected time and by P90 always are. Of the others one is not that takes longer than
    /// ``patience`` allows, that gets off a motorway and joins it again, or that crosses all water that a route before
    /// it crosses, and more: it is there and goes on over the water and back.
    ///
    /// - Parameter routes: The ways of the candidates; those of others count as without detours.
    func worthShowing(
        _ ranking: RouteRanking, of routes: [PlannedRoute] = []
    ) -> RouteRanking {
        let byMean = ranking.min { $0.expectedMinutes < $1.expectedMinutes }
        let byP90 = ranking.min { $0.p90Minutes < $1.p90Minutes }
        let best = byMean?.expectedMinutes ?? 0
        let paths = Dictionary(
            routes.map { ($0.route.id, $0.path) }, uniquingKeysWith: { a, _ in a })
        let bestPath = byMean.flatMap { paths[$0.route.id] }
        let direct = withoutDetours(ranking, paths)
        let patient = direct.filter { score in
            var stretch = best
            if let bestPath, let path = paths[score.route.id] {
                stretch = bestPath.minutes(besides: path)
            }
            let more = max(
                min(Self.patienceMinutes, best / 2),
                min(
                    stretch, stretch * (Self.patience - 1) + Self.patienceMinutes,
                    max(Self.patienceMinutes, best / 2)))
            return score.expectedMinutes <= best + more
        }
        // What is quicker than one that is shown is shown.
        let longest = patient.map(\.expectedMinutes).max() ?? 0
        let near = direct.filter { $0.expectedMinutes <= longest }.prefix(max(0, mostRoutes))
        let ids = Set((near + [byMean, byP90].compactMap(\.self)).map(\.route.id))
        let shown = ranking.filter { ids.contains($0.route.id) }
        return RouteRanking(
            issueTime: ranking.issueTime, departure: ranking.departure, deadline: ranking.deadline,
            weights: ranking.weights, scores: shown)
    }

    /// The scores of routes that do not cross more than a route before them does, and stay on a motorway they are on.
    private func withoutDetours(
        _ ranking: RouteRanking, _ paths: [String: Path]
    ) -> [RouteScore] {
        var before: [Path] = []
        return ranking.filter { score in
            guard let path = paths[score.route.id] else { return true }
            defer { before.append(path) }
            return !path.rejoinsMotorway(on: network)
                && !before.contains { $0.crossesLess(than: path) }
        }
    }

    func planned(_ path: Path, _ trip: Trip, by road: String? = nil) -> PlannedRoute {
        PlannedRoute(
            path, on: network, from: trip.origin.name, to: trip.destination.name, mode: trip.mode,
            by: road)
    }
}
