// The address that asks a route server for one way: OSRM's route service, Valhalla's route action.
internal import BridgecastCore
package import BridgecastRoads
internal import Foundation

extension Router {
    /// The address that asks for the direct way and alternatives, or for the way by some crossings.
    package func address(of trip: RouterTrip, by way: [DeckPassage]) -> String {
        switch kind {
        case .osrm: osrm(trip, way)
        case .valhalla: valhalla(trip, way)
        }
    }

    /// Roads whose direction differs by more are not the deck, degrees.
    private static let widestTurn = 45

    // MARK: OSRM

    private func osrm(_ trip: RouterTrip, _ way: [DeckPassage]) -> String {
        let points = ([trip.start] + way.map(\.point) + [trip.end])
            .map { "\(Self.degrees($0.longitude)),\(Self.degrees($0.latitude))" }
            .joined(separator: ";")
        // The steps' times hold the turns; those of the annotations do not.
        var query = "overview=full&geometries=polyline&steps=true"
        if way.isEmpty {
            query += "&alternatives=true"
        } else {
            // Passed on the way, not stopped at: one leg, and no turning round on the deck.
            query += "&continue_straight=true&waypoints=0;\(way.count + 1)"
            let bearings = way.map { passage in
                passage.bearing.map { "\(Int($0.rounded())),\(Self.widestTurn)" } ?? ""
            }
            query += "&bearings=;\(bearings.joined(separator: ";"));"
        }
        return address(ending: "/route/v1", then: "/" + Self.profile(trip.mode)) { path in
            "\(path)/\(points)"
        } query: {
            query
        }
    }

    private static func profile(_ mode: Route.Mode) -> String {
        switch mode {
        case .car: "driving"
        case .bike: "cycling"
        case .walk: "walking"
        }
    }

    // MARK: Valhalla

    private func valhalla(_ trip: RouterTrip, _ way: [DeckPassage]) -> String {
        let request = ValhallaRequest(trip, by: way, tolerance: Self.widestTurn)
        return address(ending: "/route", then: "") {
            $0
        } query: {
            "json=\(request.escaped)"
        }
    }

    // MARK: Both

    /// The address with a path that it may have already, and a query before the one that it has.
    private func address(
        ending: String, then usual: String, path: (String) -> String, query: () -> String
    ) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var base = String(parts[0])
        while base.hasSuffix("/") { base.removeLast() }
        if base.hasSuffix(ending) {
            base += usual
        } else if !base.contains(ending + "/") || usual.isEmpty {
            base += ending + usual
        }
        let own = parts.count > 1 && !parts[1].isEmpty ? "&\(parts[1])" : ""
        return "\(path(base))?\(query())\(own)"
    }

    /// Six decimals, a tenth of a metre.
    static func degrees(_ value: Double) -> String { String(format: "%.6f", value) }
}
