// From two places to ranked routes: searches the network and scores what it finds.
public import BridgecastCore

/// Somebody who wants to get from one place to another.
public struct Trip: Sendable, Equatable {
    /// Where it begins and ends.
    public let origin, destination: Anchor
    /// How one travels.
    public let mode: Route.Mode

    /// Creates a trip.
    public init(from origin: Anchor, to destination: Anchor, mode: Route.Mode) {
        self.origin = origin
        self.destination = destination
        self.mode = mode
    }
}

/// Why a trip has no routes.
public enum RoutePlanError: Error, Equatable, CustomStringConvertible {
    /// Origin and destination are one.
    case samePlace(String)
    /// The network has no way for that mode.
    case noWay(from: String, to: String, mode: Route.Mode)

    /// What is wrong.
    public var description: String {
        switch self {
        case .samePlace(let name): "origin and destination are the same place: \(name)"
        case .noWay(let from, let to, let mode):
            "there is no way by \(mode.rawValue) from \(from) to \(to)"
        }
    }
}

/// Finds the routes of trips that are worth comparing.
public struct RoutePlanner: Sendable {
    /// The roads.
    public let network: RoadNetwork
    /// How many routes are shown at most; the best by expected time and by P90 are always among them.
    public var mostRoutes = 4
    /// Routes that are expected to take longer than this times the best, and ``patienceMinutes`` more, are
    /// not worth showing.
    public static let patience = 1.25
    /// See ``patience``.
    public static let patienceMinutes = 6.0

    /// Creates a planner.
    public init(_ network: RoadNetwork = .seattle) { self.network = network }

    /// Minutes of the quickest way without delays at bridges: how far forecasts must reach.
    ///
    /// - Throws: ``RoutePlanError``.
    public func quickestMinutes(_ trip: Trip, leaving departure: Timestamp) throws -> Double {
        let paths = RouteSearch(network, mode: trip.mode).paths(
            from: trip.origin, to: trip.destination, leaving: departure
        ) { _ in nil }
        return try checked(paths, trip)[0].minutes
    }

    /// How far after a departure forecasts must reach for trips whose quickest way takes so many minutes: for
    /// ways twice as long, met by two of the longest delays.
    public static func reachMinutes(quickest: Double) -> Double {
        2 * quickest + 2 * DelayBins.longestMinutes
    }

    /// All routes that may be the best by expected time or by any quantile up to P90: one for each sequence
    /// of crossings.
    ///
    /// - Parameter scoring: Reaches ``reachMinutes(quickest:)`` beyond the departure.
    /// - Throws: ``RoutePlanError``.
    public func candidates(
        _ trip: Trip, leaving departure: Timestamp, scoring: RouteScoring
    ) throws -> [Route] {
        let paths = try RouteSearch(network, mode: trip.mode).paths(
            from: trip.origin, to: trip.destination, leaving: departure
        ) { best in
            // Delays only add: what takes longer without any than this one's P90 and mean with all cannot
            // be better by either.
            let score = try scoring.score(route(best, trip), leaving: departure)
            let seconds = max(score.travelSeconds.mean, score.travelSeconds.p90)
            return max(seconds / 60, best.minutes * Self.patience + Self.patienceMinutes)
        }
        return try checked(paths, trip).map { route($0, trip) }
    }

    /// The routes worth showing, ranked.
    public func rank(
        _ trip: Trip, leaving departure: Timestamp, arriveBy deadline: Timestamp? = nil,
        scoring: RouteScoring
    ) throws -> [RouteScore] {
        let routes = try candidates(trip, leaving: departure, scoring: scoring)
        let ranked = try scoring.rank(routes, leaving: departure, arriveBy: deadline)
        let byMean = ranked.min { $0.travelSeconds.mean < $1.travelSeconds.mean }
        let byP90 = ranked.min { $0.travelSeconds.p90 < $1.travelSeconds.p90 }
        let longest = (byMean?.travelSeconds.mean ?? 0) * Self.patience + Self.patienceMinutes * 60
        var shown = ranked.filter { score in
            score.travelSeconds.mean <= longest
        }.prefix(mostRoutes).map { $0 }
        for best in [byMean, byP90].compactMap(\.self)
        where !shown.contains(where: { $0.route.id == best.route.id }) {
            shown.append(best)
        }
        return shown
    }

    private func checked(_ paths: [Path], _ trip: Trip) throws(RoutePlanError) -> [Path] {
        guard let quickest = paths.first else {
            throw .noWay(from: trip.origin.name, to: trip.destination.name, mode: trip.mode)
        }
        guard quickest.metres > 0 else { throw .samePlace(trip.origin.name) }
        return paths
    }

    private func route(_ path: Path, _ trip: Trip) -> Route {
        let names = path.crossings.map { network.crossings[$0].name }
        return path.route(
            on: network, id: names.isEmpty ? "no crossing" : names.joined(separator: " + "),
            origin: trip.origin.name, destination: trip.destination.name, mode: trip.mode)
    }
}
