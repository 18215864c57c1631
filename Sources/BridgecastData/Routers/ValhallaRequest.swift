// What Valhalla is asked, as its JSON; used by Router+Address.
internal import BridgecastCore
internal import BridgecastRoads
internal import Foundation

/// A request for a route.
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
        func location(_ point: GeoPoint, _ type: String, _ bearing: Double? = nil) -> Location {
            Location(
                lat: Self.degrees(point.latitude), lon: Self.degrees(point.longitude), type: type,
                heading: bearing.map { Int($0.rounded()) },
                headingTolerance: bearing.map { _ in tolerance })
        }
        locations =
            [location(trip.start, "break")]
            + way.map { location($0.point, "through", $0.bearing) } + [location(trip.end, "break")]
        alternates = way.isEmpty ? 2 : nil
        costing =
            switch trip.mode {
            case .car: "auto"
            case .bike: "bicycle"
            case .walk: "pedestrian"
            }
    }

    /// As it stands in a query.
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
