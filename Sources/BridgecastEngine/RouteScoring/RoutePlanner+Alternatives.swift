// Second ways over the same crossings, and ways that stay on their motorway; RankingDesk asks for both.
import BridgecastCore
import BridgecastRoads

extension RoutePlanner {
    /// How much of a way a second one over the same crossings must do otherwise, as a share and in minutes; else it is
    /// the same way to those who drive.
    static let (leastShareApart, leastMinutesApart) = (0.25, 4.0)
    /// Where both differ the second may take so much longer, and ``mostMinutesLonger`` more.
    static let mostStretch = 0.25
    /// See ``mostStretch``.
    static let mostMinutesLonger = 1.0

    /// A way over the crossings of a route that people would want beside it.
    ///
    /// - Parameter known: Routes that are shown, `route` among them; it is apart from all of them.
    func second(
        to route: PlannedRoute, besides known: [PlannedRoute], _ trip: Trip,
        leaving departure: Timestamp
    ) -> PlannedRoute? {
        for path in alternatives(trip, leaving: departure).alternatives(to: route.path) {
            let least = max(Self.leastMinutesApart, path.minutes * Self.leastShareApart)
            guard path.minutesApart(from: known.map(\.path), on: network) >= least,
                path.minutes(besides: route.path) <= route.path.minutes(besides: path)
                    * (1 + Self.mostStretch)
                    + Self.mostMinutesLonger,
                !path.rejoinsMotorway(on: network),
                let road = path.roadApart(from: route.path, on: network)
            else { continue }
            let found = planned(path, trip, by: road)
            if !known.contains(where: { $0.route.name == found.route.name }) { return found }
        }
        return nil
    }

    private func alternatives(_ trip: Trip, leaving departure: Timestamp) -> AlternativeSearch {
        AlternativeSearch(
            network, trip.mode, from: trip.origin, to: trip.destination, leaving: departure)
    }

    /// The routes, with those that leave a motorway and join it again replaced by ones over the same crossings that
    /// do not, where there are such.
    func withoutRejoining(
        _ routes: [PlannedRoute], _ trip: Trip, leaving departure: Timestamp
    ) -> [PlannedRoute] {
        routes.map { route in
            guard route.path.rejoinsMotorway(on: network) else { return route }
            let others = alternatives(trip, leaving: departure).alternatives(to: route.path)
            return others.first { !$0.rejoinsMotorway(on: network) }.map { planned($0, trip) }
                ?? route
        }
    }
}
