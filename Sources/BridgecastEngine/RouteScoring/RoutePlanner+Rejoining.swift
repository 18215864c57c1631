// Ways that stay on their motorway in place of ones that leave it and join it again; RankingDesk asks for them.
import BridgecastCore
import BridgecastRoads

extension RoutePlanner {
    /// The search for other ways over the same crossings.
    func alternativeSearch(_ trip: Trip, leaving departure: Timestamp) -> AlternativeSearch {
        AlternativeSearch(
            network, trip.mode, from: trip.origin, to: trip.destination, leaving: departure)
    }

    /// The routes, with those that leave a motorway and join it again replaced by ones over the same crossings that
    /// do not, where there are such.
    func withoutRejoining(
        _ routes: [PlannedRoute], _ trip: Trip, leaving departure: Timestamp
    ) -> [PlannedRoute] {
        let search = alternativeSearch(trip, leaving: departure)
        return routes.map { route in
            guard route.path.rejoinsMotorway(on: network) else { return route }
            return search.alternatives(to: route.path).first { !$0.rejoinsMotorway(on: network) }
                .map { planned($0, trip) } ?? route
        }
    }
}
