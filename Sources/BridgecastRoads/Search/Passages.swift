// What requests to a route server need from our roads: the crossings of water that a trip may use, and its ends.
package import BridgecastCore
import Foundation

extension RoadNetwork {
    /// The sequences of crossings that a trip may use, by time; none that only adds to another.
    package func passages(
        from origin: Anchor, to destination: Anchor, mode: Route.Mode, leaving departure: Timestamp
    ) -> [[DeckPassage]] {
        let paths = self.paths(
            from: origin, to: destination, mode: mode, leaving: departure
        ) { $0.minutes * Self.maxDetour + Self.maxDetourMinutes }
        let needed = paths.filter { path in
            !path.crossings.isEmpty && !paths.contains { $0.crossesLess(than: path) }
        }
        return needed.prefix(Self.maxSequences).map { passages(of: $0) }
    }

    /// The end of a trip that a text names, also beyond the roads of the network.
    ///
    /// - Throws: ``PlaceError``.
    package func end(_ text: String, for mode: Route.Mode) throws(PlaceError) -> TripEndpoint {
        guard let point = GeoPoint(text: text) else {
            let anchor = try anchor(text, for: mode)
            // A street corner is its point on the road.
            let place = (try? place(named: text)).flatMap { $0.name == anchor.name ? $0 : nil }
            return TripEndpoint(
                name: anchor.name, point: place?.point ?? anchor.point, anchor: anchor)
        }
        do {
            return TripEndpoint(name: text, point: point, anchor: try anchor(text, for: mode))
        } catch .outOfArea(let text, let metres) where metres <= Self.maxEndMetres {
            return TripEndpoint(
                name: text, point: point, anchor: try nearestPlace(to: point, text, mode))
        }
    }

    /// Longer paths than this times the quickest, plus ``maxDetourMinutes``, are left out.
    private static let maxDetour = 1.5
    private static let maxDetourMinutes = 10.0
    /// Each sequence is a request to the route server.
    private static let maxSequences = 12
    /// For trips from farther away Seattle's bridges hardly matter.
    private static let maxEndMetres = 150_000

    private func passages(of path: Path) -> [DeckPassage] {
        path.pieces.compactMap { piece in
            piece.crossing.map { passage(crossings[$0], map.line(piece.arc)) }
        }
    }

    private func passage(_ crossing: Crossing, _ line: [GeoPoint]) -> DeckPassage {
        let start = line[0]
        let end = line[line.count - 1]
        let north = end.latitude - start.latitude
        let east = (end.longitude - start.longitude) * cos(start.latitude * .pi / 180)
        let bearing = (atan2(east, north) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
        return DeckPassage(
            name: crossing.name,
            point: GeoPoint(
                latitude: (start.latitude + end.latitude) / 2,
                longitude: (start.longitude + end.longitude) / 2), bearing: bearing)
    }

    private func nearestPlace(
        to point: GeoPoint, _ text: String, _ mode: Route.Mode
    ) throws(PlaceError) -> Anchor {
        let near = places.min { $0.point.metres(to: point) < $1.point.metres(to: point) }
        guard let near else { throw .unknown(text, suggestions: []) }
        return try anchor(near, for: mode)
    }
}

/// An end of a trip: a place on the ground, and the nearest point of our network.
package struct TripEndpoint: Sendable {
    package let name: String
    /// The place itself, not on the road.
    package let point: GeoPoint
    /// Its point on our roads; for places far from them that of the nearest named place.
    package let anchor: Anchor
}

/// A crossing of water in one direction.
package struct DeckPassage: Sendable, Hashable {
    /// Display name, such as "Fremont Bridge".
    package let name: String
    package let point: GeoPoint
    /// Degrees from north, 0 ..< 360; nil if not known well enough to tell carriageways apart.
    package let bearing: Double?
}
