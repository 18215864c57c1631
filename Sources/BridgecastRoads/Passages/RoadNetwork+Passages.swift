// What our roads tell those who ask a route server: which crossings of water a trip may be made by, and where they are.
package import BridgecastCore
import Foundation

extension RoadNetwork {
    /// The crossings by which a trip may be worth making, the quickest way first.
    ///
    /// Each entry is one sequence of crossings that our roads lead over. A sequence that only adds crossings to
    /// another is none of them.
    package func passages(
        from origin: Anchor, to destination: Anchor, mode: Route.Mode, leaving departure: Timestamp
    ) -> [[DeckPassage]] {
        let paths = RouteSearch(self, mode: mode).paths(
            from: origin, to: destination, leaving: departure
        ) { $0.minutes * Self.longestDetour + Self.longestDetourMinutes }
        let needed = paths.filter { path in
            !path.crossings.isEmpty && !paths.contains { $0.crossesLess(than: path) }
        }
        return needed.prefix(Self.mostSequences).map { passages(of: $0) }
    }

    /// The end of a trip that a text means, also beyond the roads of the network.
    ///
    /// - Throws: ``PlaceError``.
    package func end(_ text: String, for mode: Route.Mode) throws(PlaceError) -> StatedEnd {
        guard let point = Self.coordinates(text) else {
            let place = try place(named: text)
            return StatedEnd(
                name: place.name, point: self.point(of: place), anchor: try anchor(text, for: mode))
        }
        do {
            return StatedEnd(name: text, point: point, anchor: try anchor(text, for: mode))
        } catch .outOfArea(let text, let metres) where metres <= Self.farthestEndMetres {
            return StatedEnd(
                name: text, point: point, anchor: try nearestPlace(to: point, text, mode))
        }
    }

    /// Ways longer than this times the quickest, and ``longestDetourMinutes`` more, are not asked for.
    private static let longestDetour = 1.5
    private static let longestDetourMinutes = 10.0
    /// A trip is asked for by way of so many sequences at most.
    private static let mostSequences = 12
    /// Whoever comes from further away is not helped by which bridge of Seattle is up.
    private static let farthestEndMetres = 150_000

    private func passages(of path: Path) -> [DeckPassage] {
        path.pieces.compactMap { piece in
            piece.crossing.map { passage(crossings[$0], map.line(piece.arc)) }
        }
    }

    /// A crossing along a line.
    private func passage(_ crossing: Crossing, _ line: [GeoPoint]) -> DeckPassage {
        let (start, end) = (line[0], line[line.count - 1])
        let north = end.latitude - start.latitude
        let east = (end.longitude - start.longitude) * cos(start.latitude * .pi / 180)
        let bearing = (atan2(east, north) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360)
        return DeckPassage(
            name: crossing.name,
            point: GeoPoint(
                latitude: (start.latitude + end.latitude) / 2,
                longitude: (start.longitude + end.longitude) / 2),
            bearing: bearing)
    }

    private func nearestPlace(
        to point: GeoPoint, _ text: String, _ mode: Route.Mode
    ) throws(PlaceError) -> Anchor {
        let near = places.min { $0.point.metres(to: point) < $1.point.metres(to: point) }
        guard let near else { throw .unknown(text, suggestions: []) }
        return try anchor(near, for: mode)
    }
}
