// Which routes of a trip are worth comparing: candidates from the road search, those worth showing, and second ways.
public import BridgecastCore
public import BridgecastRoads
public import BridgecastSupport

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

    /// The trip that is asked for.
    ///
    /// - Throws: ``PlaceError``.
    public func trip(_ request: TripRequest) throws(PlaceError) -> Trip {
        try trip(from: request.origin, to: request.destination, mode: request.mode)
    }
}

/// Finds the routes of trips that are worth comparing.
public struct RoutePlanner: Sendable {
    /// The roads.
    public let network: RoadNetwork
    /// How many routes are shown at most, besides the best by expected time and the best by P90, which always are.
    public var maxRoutes = Self.defaultMaxRoutes
    /// The default of ``maxRoutes``.
    public static let defaultMaxRoutes = 4
    /// How long a route may take to be shown: where it differs from the best by expected time, this times what the best
    /// takes there, plus ``patienceMinutes``.
    ///
    /// It may take at most twice as long there. In all it may take at most half as long again as the best, or
    /// ``patienceMinutes`` longer if that is more. A route that takes at most ``patienceMinutes`` longer than the best
    /// (half as long again on trips of less than twice that) is never dropped as too long, nor is one that is faster
    /// than another that may be shown.
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

    /// Minutes that forecasts must reach: ways twice as long, met by two of the longest delays.
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
        return try found(&ways, quickest: best, trip, leaving: departure, with: forecasts).shortest
    }

    func search(_ trip: Trip, leaving departure: Timestamp) throws(RankingError) -> RouteSearch {
        for end in [trip.origin, trip.destination] where !end.isOn(network) {
            throw .trip(.foreignNetwork(end.name))
        }
        return RouteSearch(
            network, trip.mode, from: trip.origin, to: trip.destination, leaving: departure)
    }

    func quickest(_ ways: inout RouteSearch, _ trip: Trip) throws(RankingError) -> Path {
        guard let quickest = ways.quickest() else {
            throw .trip(.noWay(from: trip.origin.name, to: trip.destination.name, mode: trip.mode))
        }
        guard quickest.metres > 0 else { throw .trip(.samePlace(trip.origin.name)) }
        return quickest
    }

    /// What a search finds whose quickest way is known.
    func found(
        _ ways: inout RouteSearch, quickest: Path, _ trip: Trip, leaving departure: Timestamp,
        with forecasts: ForecastTable
    ) throws(RankingError) -> FoundRoutes {
        let maxMinutes = try maxMinutes(
            planned(quickest, trip), leaving: departure, with: forecasts)
        return FoundRoutes(
            shortest: ways.all(upTo: maxMinutes).map { planned($0, trip) },
            slackMinutes: maxMinutes - quickest.minutes)
    }

    /// How long a candidate may take without delays, given the quickest.
    fileprivate func maxMinutes(
        _ quickest: PlannedRoute, leaving departure: Timestamp, with forecasts: ForecastTable
    ) throws(RankingError) -> Double {
        // Delays only add: what takes longer without any than this one's P90 and mean with all cannot
        // be better by either.
        let score = try forecasts.rank([quickest.route], leaving: departure)[0]
        return max(
            score.expectedMinutes, score.p90Minutes,
            quickest.path.minutes * Self.patience + Self.patienceMinutes)
    }

    /// The ranks worth showing, of a ranking of all candidates.
    ///
    /// The best by expected time and by P90 are always shown. A route is dropped if it takes longer than ``patience``
    /// allows, leaves a motorway and rejoins it, or crosses all the water of a better route and more.
    ///
    /// - Parameter paths: Of the candidates by rank; without them none counts as a detour.
    func ranksWorthShowing(_ ranking: RouteRanking, paths: [Path] = []) -> [Int] {
        let bestByMean = ranking.indices.min {
            ranking[$0].expectedMinutes < ranking[$1].expectedMinutes
        }
        let bestByP90 = ranking.indices.min { ranking[$0].p90Minutes < ranking[$1].p90Minutes }
        guard let bestByMean, let bestByP90 else { return [] }
        let best = ranking[bestByMean].expectedMinutes
        let direct = paths.isEmpty ? Array(ranking.indices) : ranksWithoutDetours(paths)
        let patient = direct.filter { rank in
            let stretch = paths.isEmpty ? best : paths[bestByMean].minutes(besides: paths[rank])
            let more = max(
                min(Self.patienceMinutes, best / 2),
                min(
                    stretch, stretch * (Self.patience - 1) + Self.patienceMinutes,
                    max(Self.patienceMinutes, best / 2)))
            return ranking[rank].expectedMinutes <= best + more
        }
        // A route that is faster than one within patience is not dropped as too long.
        let longest = patient.map { ranking[$0].expectedMinutes }.max() ?? 0
        let near = direct.filter { ranking[$0].expectedMinutes <= longest }
            .prefix(max(0, maxRoutes))
        return Set(near + [bestByMean, bestByP90]).sorted()
    }

    /// The ranks of paths that do not cross more than one before them does, and stay on a motorway they are on.
    private func ranksWithoutDetours(_ paths: [Path]) -> [Int] {
        paths.indices.filter { rank in
            !paths[rank].rejoinsMotorway(on: network)
                && !paths[..<rank].contains { $0.crossesLess(than: paths[rank]) }
        }
    }

    func planned(_ path: Path, _ trip: Trip, by road: String? = nil) -> PlannedRoute {
        PlannedRoute(
            path, on: network, from: trip.origin.name, to: trip.destination.name, mode: trip.mode,
            by: road)
    }
}

// MARK: - One trip on many days

/// The candidates of a trip at many departures.
///
/// The roads are searched once for each time of day and kind of days: their
/// paces depend on nothing else.
package struct TripCandidates {
    private struct Moment: Hashable {
        let dayTypes: [DayType]
        let secondOfDay: Int

        init(_ time: Timestamp) {
            let civil = SeattleTime.civil(at: time)
            dayTypes = [DayType(civil.date), DayType(civil.date.adding(days: 1))]
            secondOfDay = civil.secondOfDay
        }
    }

    private struct Found {
        let quickest: PlannedRoute
        let maxMinutes: Double
        let all: [PlannedRoute]

        /// What ``RouteSearch/all(upTo:)`` has for less than it was searched for: what is found late never cuts what is
        /// found early.
        func routes(upTo maxMinutes: Double) -> [PlannedRoute] {
            let limit = RouteSearch.maxCostMinutes(upTo: maxMinutes, quickest: quickest.path)
            return all.filter { $0.path.costMinutes <= limit + 1e-8 }
        }
    }

    private let trip: Trip
    private let planner: RoutePlanner
    private var found: [Moment: Found] = [:]

    /// What is searched beyond the wanted time, minutes: on another day it may be longer.
    private static let reserveMinutes = 5.0

    /// Prepares a trip.
    package init(_ trip: Trip, by planner: RoutePlanner) {
        self.trip = trip
        self.planner = planner
    }

    /// The same routes as ``RoutePlanner/candidates(_:leaving:with:)``.
    ///
    /// - Throws: As it does.
    package mutating func leaving(
        _ departure: Timestamp, with forecasts: ForecastTable
    ) throws(RankingError) -> [PlannedRoute] {
        let moment = Moment(departure)
        if let found = found[moment] {
            let maxMinutes = try planner.maxMinutes(
                found.quickest, leaving: departure, with: forecasts)
            if maxMinutes <= found.maxMinutes { return found.routes(upTo: maxMinutes) }
        }
        var ways = try planner.search(trip, leaving: departure)
        let quickest = planner.planned(try planner.quickest(&ways, trip), trip)
        let maxMinutes = try planner.maxMinutes(quickest, leaving: departure, with: forecasts)
        let searchedMinutes = maxMinutes + Self.reserveMinutes
        let new = Found(
            quickest: quickest, maxMinutes: searchedMinutes,
            all: ways.all(upTo: searchedMinutes).map { planner.planned($0, trip) })
        found[moment] = new
        return new.routes(upTo: maxMinutes)
    }
}

// MARK: - Trips

/// A journey from one place to another.
public struct Trip: Sendable, Equatable {
    /// Where it begins and ends.
    public let origin, destination: Anchor
    /// The mode of travel.
    public let mode: Route.Mode

    /// Creates a trip.
    public init(from origin: Anchor, to destination: Anchor, mode: Route.Mode) {
        self.origin = origin
        self.destination = destination
        self.mode = mode
    }
}

/// A trip as it is asked for: it can be sent and stored, while a ``Trip`` belongs to the roads that it was found on.
public struct TripRequest: Sendable, Hashable, Codable {
    /// Where it begins and ends: names of places, street corners, or `latitude,longitude`.
    public var origin, destination: String
    /// The mode of travel.
    public var mode: Route.Mode

    /// Creates a request.
    public init(from origin: String, to destination: String, mode: Route.Mode = .car) {
        self.origin = origin
        self.destination = destination
        self.mode = mode
    }

    /// Reads what `encode` writes; without a mode it is a trip by car.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            from: try fields.decode(String.self, forKey: .origin),
            to: try fields.decode(String.self, forKey: .destination),
            mode: try fields.decodeIfPresent(Route.Mode.self, forKey: .mode) ?? .car)
    }
}

extension RoutePlanner {
    /// The search for other ways over the same crossings.
    func alternativeSearch(_ trip: Trip, leaving departure: Timestamp) -> AlternativeSearch {
        AlternativeSearch(
            network, trip.mode, from: trip.origin, to: trip.destination, leaving: departure)
    }

    /// A way that stays on a motorway may take this much longer than one that leaves it and joins it again, minutes.
    private static let maxMinutesForStaying = 2.0

    /// Routes that leave a motorway and join it again give way to others over the same crossings that take little longer.
    func withoutRejoining(
        _ routes: [PlannedRoute], _ trip: Trip, leaving departure: Timestamp
    ) -> [PlannedRoute] {
        let search = alternativeSearch(trip, leaving: departure)
        return routes.map { route in
            guard route.path.rejoinsMotorway(on: network) else { return route }
            let limit = route.path.costMinutes + Self.maxMinutesForStaying
            return search.alternatives(to: route.path)
                .first { $0.costMinutes <= limit && !$0.rejoinsMotorway(on: network) }
                .map { planned($0, trip) } ?? route
        }
    }
}

/// Why a trip has no routes.
public enum RoutePlanError: Failure, Equatable {
    /// An end is of another road network than the planner's.
    case foreignNetwork(String)
    /// Origin and destination are one.
    case samePlace(String)
    /// The network has no way for that mode.
    case noWay(from: String, to: String, mode: Route.Mode)

    /// Decides exit codes and statuses.
    public var kind: FailureKind { .usage }

    /// What is wrong.
    public var description: String {
        switch self {
        case .foreignNetwork(let name):
            "'\(name)' is a place of another road network; ask with the planner of that one"
        case .samePlace(let name): "origin and destination are the same place: \(name)"
        case .noWay(let from, let to, let mode):
            "there is no way by \(mode.rawValue) from \(from) to \(to)"
        }
    }
}

// MARK: - Second ways

/// The routes of a trip that are shown, and ways over the same crossings that drivers may want too.
///
/// A second way is apart from all routes that are shown, and those stay apart from each other: at least
/// ``minMinutesApart``, and ``minShareApart`` of it, are on roads that no other route takes. Where it differs
/// from its route it takes at most ``AlternativeSearch/maxExtraShare`` and ``AlternativeSearch/maxExtraSeconds``
/// longer.
struct SecondWays {
    static let minShareApart = 0.25
    static let minMinutesApart = 4.0

    /// Routes that are shown, second ways after them.
    private(set) var routes: [PlannedRoute]
    private let firstCount: Int
    private let planner: RoutePlanner
    private let trip: Trip
    private let search: AlternativeSearch
    /// By route, those that have not been taken.
    private var candidates: [String: [Path]] = [:]

    /// - Parameter routes: Of the trip and the departure, the best first.
    init(
        to routes: [PlannedRoute], _ trip: Trip, by planner: RoutePlanner,
        leaving departure: Timestamp
    ) {
        self.routes = routes
        self.trip = trip
        self.planner = planner
        firstCount = routes.count
        search = planner.alternativeSearch(trip, leaving: departure)
    }

    /// Adds a second way over the crossings of a route, if there is one; says whether there was.
    mutating func add(to route: PlannedRoute) -> Bool {
        var left = candidates[route.route.id] ?? search.alternatives(to: route.path)
        defer { candidates[route.route.id] = left }
        while !left.isEmpty {
            let path = left.removeFirst()
            guard isWorthwhile(path, beside: route), let second = named(path) else { continue }
            routes.append(second)
            return true
        }
        return false
    }

    /// Takes the newest second way back.
    mutating func removeNewest() { routes.removeLast() }

    private func isWorthwhile(_ path: Path, beside route: PlannedRoute) -> Bool {
        // What is quicker, and was not chosen, leads where people are reluctant to go.
        guard path.minutes >= route.path.minutes else { return false }
        let longer = route.path.minutes(besides: path) * (1 + AlternativeSearch.maxExtraShare)
        let paths = routes.map(\.path)
        guard path.minutes(besides: route.path) <= longer + AlternativeSearch.maxExtraSeconds / 60,
            !path.rejoinsMotorway(on: planner.network), isApart(path, from: paths)
        else { return false }
        // What was a way of its own stays one.
        return paths.indices.dropFirst(firstCount).allSatisfy { index in
            isApart(paths[index], from: paths[..<index] + paths[(index + 1)...] + [path])
        }
    }

    private func isApart(_ path: Path, from others: [Path]) -> Bool {
        path.minutesApart(from: others, on: planner.network)
            >= max(Self.minMinutesApart, path.minutes * Self.minShareApart)
    }

    /// The route of a path, called by the first of its own roads that tells it from all others; nil if none does.
    private func named(_ path: Path) -> PlannedRoute? {
        for road in path.roadsApart(from: routes.map(\.path), on: planner.network).prefix(4) {
            let found = planner.planned(path, trip, by: road)
            let isKnown = routes.contains {
                $0.route.id == found.route.id || $0.route.name == found.route.name
            }
            let parts = found.route.name.split(separator: ", ")
            // A name with "I-5 Ship Canal Bridge" names I-5.
            let isNamed =
                parts.contains { $0 == road } && !parts.contains { $0.hasPrefix(road + " ") }
            if !isKnown, isNamed { return found }
        }
        return nil
    }
}
