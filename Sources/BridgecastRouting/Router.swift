// A route server: which one, and the addresses of requests to it.
package import BridgecastCore
internal import BridgecastData
package import BridgecastRoads
internal import Foundation

package struct Router: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable, Codable {
        case osrm, valhalla
    }

    package let kind: Kind
    /// Its address, with whatever path and query come before and after its own.
    package let url: String

    /// Reads `osrm=URL` or `valhalla=URL`; nil if a text is neither.
    package init?(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let kind = Kind(rawValue: parts[0].lowercased()) else { return nil }
        self.kind = kind
        url = String(parts[1])
    }

    /// The address without its query and user, which may hold keys.
    package var publicURL: String { FeedAddress.shown(url) }
}

// MARK: - Trips

/// From where to where, and by which crossings.
package struct RouterTrip: Sendable {
    /// Where it begins and ends, for people.
    package let origin, destination: String
    /// The same on the ground.
    package let start, end: GeoPoint
    package let mode: Route.Mode
    /// Sequences of crossings that are asked for besides the direct way, the most promising first.
    package let ways: [[DeckPassage]]

    package init(
        from origin: String, _ start: GeoPoint, to destination: String, _ end: GeoPoint,
        mode: Route.Mode, ways: [[DeckPassage]]
    ) {
        self.origin = origin
        self.start = start
        self.destination = destination
        self.end = end
        self.mode = mode
        self.ways = ways
    }

    /// What a trip between two ends of our network may be made by.
    package init(
        from origin: TripEndpoint, to destination: TripEndpoint, mode: Route.Mode,
        on network: RoadNetwork, leaving departure: Timestamp
    ) {
        self.init(
            from: origin.name, origin.point, to: destination.name, destination.point, mode: mode,
            ways: network.passages(
                from: origin.anchor, to: destination.anchor, mode: mode, leaving: departure))
    }
}

// MARK: - Addresses

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
        return address(
            ending: "/route/v1", then: "/\(Self.profile(trip.mode))", path: "/\(points)",
            query: query)
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
        return address(ending: "/route", then: "", path: "", query: "json=\(request.escaped)")
    }

    // MARK: Both

    /// The address with a path that it may have already, and a query before the one that it has.
    private func address(
        ending: String, then suffix: String, path: String, query: String
    ) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var base = String(parts[0])
        while base.hasSuffix("/") { base.removeLast() }
        if base.hasSuffix(ending) {
            base += suffix
        } else if !base.contains(ending + "/") || suffix.isEmpty {
            base += ending + suffix
        }
        let own = parts.count > 1 && !parts[1].isEmpty ? "&\(parts[1])" : ""
        return "\(base)\(path)?\(query)\(own)"
    }

    /// Six decimals, a tenth of a metre.
    static func degrees(_ value: Double) -> String { String(format: "%.6f", value) }
}

struct ValhallaRequest: Encodable {
    struct Location: Encodable {
        let lat, lon: Decimal
        let type: String
        var heading: Int?
        var headingTolerance: Int?
    }

    let locations: [Location]
    let costing: String
    /// Only between two places.
    let alternates: Int?
    let directionsType = "maneuvers"
    let units = "kilometers"

    init(_ trip: RouterTrip, by way: [DeckPassage], tolerance: Int) {
        func location(_ point: GeoPoint, type: String, bearing: Double? = nil) -> Location {
            Location(
                lat: Self.degrees(point.latitude), lon: Self.degrees(point.longitude), type: type,
                heading: bearing.map { Int($0.rounded()) },
                headingTolerance: bearing.map { _ in tolerance })
        }
        locations =
            [location(trip.start, type: "break")]
            + way.map { location($0.point, type: "through", bearing: $0.bearing) } + [
                location(trip.end, type: "break")
            ]
        alternates = way.isEmpty ? 2 : nil
        costing =
            switch trip.mode {
            case .car: "auto"
            case .bike: "bicycle"
            case .walk: "pedestrian"
            }
    }

    var escaped: String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        let json = (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return json.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    /// With six decimals, which binary numbers do not have.
    private static func degrees(_ value: Double) -> Decimal {
        Decimal(string: Router.degrees(value)) ?? Decimal(value)
    }
}
