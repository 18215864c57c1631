// Second ways over the crossings of routes that are shown; RankingDesk ranks them with those.
import BridgecastCore
import BridgecastRoads

/// The routes of a trip that are shown, and ways over the same crossings that people would want beside them.
///
/// A second way is apart from all routes that are shown, and those stay apart from each other: at least
/// ``leastMinutesApart``, and ``leastShareApart`` of it, are on roads that no other route takes. Where it differs
/// from its route it takes at most ``AlternativeSearch/mostLongerShare`` and ``AlternativeSearch/mostLongerSeconds``
/// longer.
struct SecondWays {
    static let (leastShareApart, leastMinutesApart) = (0.25, 4.0)

    /// Routes that are shown, second ways behind them.
    private(set) var routes: [PlannedRoute]
    private let firstCount: Int
    private let planner: RoutePlanner
    private let trip: Trip
    private let search: AlternativeSearch
    /// By route, those that have not been taken.
    private var candidates: [String: [Path]] = [:]

    /// - Parameter routes: Of the trip and the departure, the best first.
    init(
        beside routes: [PlannedRoute], _ trip: Trip, by planner: RoutePlanner,
        leaving departure: Timestamp
    ) {
        (self.routes, self.trip, self.planner) = (routes, trip, planner)
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
        let longer = route.path.minutes(besides: path) * (1 + AlternativeSearch.mostLongerShare)
        let paths = routes.map(\.path)
        guard
            path.minutes(besides: route.path) <= longer + AlternativeSearch.mostLongerSeconds / 60,
            !path.rejoinsMotorway(on: planner.network), isApart(path, from: paths)
        else { return false }
        // What was a way of its own stays one.
        return paths.indices.dropFirst(firstCount).allSatisfy { place in
            isApart(paths[place], from: paths[..<place] + paths[(place + 1)...] + [path])
        }
    }

    private func isApart(_ path: Path, from others: [Path]) -> Bool {
        path.minutesApart(from: others, on: planner.network)
            >= max(Self.leastMinutesApart, path.minutes * Self.leastShareApart)
    }

    /// The route of a path, called by the first of its own roads that tells it from all others; nil if none does.
    private func named(_ path: Path) -> PlannedRoute? {
        for road in path.roadsApart(from: routes.map(\.path), on: planner.network).prefix(4) {
            let found = planner.planned(path, trip, by: road)
            let isKnown = routes.contains {
                $0.route.id == found.route.id || $0.route.name == found.route.name
            }
            let parts = found.route.name.split(separator: ", ")
            // Who says "I-5 Ship Canal Bridge" has said I-5.
            let isSaid =
                parts.contains { $0 == road } && !parts.contains { $0.hasPrefix(road + " ") }
            if !isKnown, isSaid { return found }
        }
        return nil
    }
}
