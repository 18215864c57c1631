// From what people type to a point of the network: names, spelled roughly, or coordinates.
import Foundation

extension RoadNetwork {
    /// Finds the place that a text means.
    ///
    /// - Parameters:
    ///   - text: A name or an alias of a place, case, spaces and punctuation aside; the beginning or a
    ///     word of one; or `latitude,longitude`, which is led to the nearest road for the mode.
    /// - Throws: ``PlaceError``.
    public func anchor(_ text: String, for mode: Route.Mode) throws(PlaceError) -> Anchor {
        if let point = Self.coordinates(text) { return try anchor(point, text, mode) }
        let place = try place(named: text)
        let entry = Anchor.Entry(node: place.node, metres: 0, roadClass: 0)
        return Anchor(place.name, on: self, entries: [entry], onEdge: nil)
    }

    /// Leads a point to the nearest road for a mode.
    ///
    /// - Throws: ``PlaceError``.
    public func anchor(_ point: GeoPoint, for mode: Route.Mode) throws(PlaceError) -> Anchor {
        try anchor(point, "\(point.latitude),\(point.longitude)", mode)
    }

    /// The point of a place.
    ///
    /// - Precondition: The place is one of ``places``.
    public func point(of place: Place) -> GeoPoint { points[place.node] }

    /// The place with a name; see ``anchor(_:for:)-(String,_)``.
    public func place(named text: String) throws(PlaceError) -> Place {
        let shown = printable(text, most: 60)
        let wanted = text.utf8.count <= Self.longestName ? foldedName(text) : ""
        guard !wanted.isEmpty else { throw .unknown(shown, suggestions: []) }
        let exact = places.filter { $0.foldedNames.contains(wanted) }
        if exact.count == 1 { return exact[0] }
        for fits in [{ $0.hasPrefix(wanted) }, { $0.contains(wanted) }] as [(String) -> Bool] {
            let found = places.filter { wanted.count >= 3 && $0.foldedNames.contains(where: fits) }
            if found.count == 1 { return found[0] }
            if found.count > 1 { throw .ambiguous(shown, choices: found.prefix(6).map(\.name)) }
        }
        let near = places.compactMap { place -> (name: String, distance: Int)? in
            let distance = place.foldedNames.map { editDistance($0, wanted) }.min() ?? .max
            return distance <= max(1, wanted.count / 3) ? (place.name, distance) : nil
        }.sorted { $0.distance < $1.distance }
        throw .unknown(shown, suggestions: near.prefix(3).map(\.name))
    }

    /// `latitude,longitude`, if a text is two numbers.
    private static func coordinates(_ text: String) -> GeoPoint? {
        let parts = text.split(separator: ",").map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            latitude.isFinite, longitude.isFinite
        else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    /// No name of a place is longer, bytes.
    private static let longestName = 500
    /// Roads further away than this are not led to, metres.
    private static let farthestRoad = 2_500.0
    /// So near to a bridge's deck a place lies on it, metres.
    private static let deckWidth = 30.0

    private func anchor(
        _ point: GeoPoint, _ text: String, _ mode: Route.Mode
    ) throws(PlaceError) -> Anchor {
        let flipped = GeoPoint(latitude: point.longitude, longitude: point.latitude)
        if SeattleArea.contains(flipped), !SeattleArea.contains(point) { throw .swapped(text) }
        guard (-90...90).contains(point.latitude), (-180...180).contains(point.longitude) else {
            throw .outOfArea(text, metres: 20_000_000)
        }
        let best = try nearestRoad(to: point, text, mode)
        let edge = best.edge
        // The way to the road itself is taken to be as fast as the road, and half as long again.
        let access = best.metres * 1.5
        func entry(_ node: Int, _ share: Double) -> Anchor.Entry {
            Anchor.Entry(
                node: node, metres: access + share * edge.metres, roadClass: edge.roadClass)
        }
        var entries = [entry(edge.from, best.share)]
        // The other end too, unless the road is one-way; one leads to or from it as the edge does.
        if edges[firstEdge[edge.to]..<firstEdge[edge.to + 1]].contains(where: { $0.to == edge.from }
        ) {
            entries.append(entry(edge.to, 1 - best.share))
        }
        let along = (edge.from < edge.to ? best.share : 1 - best.share) * edge.metres
        return Anchor(
            text, on: self, entries: entries,
            onEdge: Anchor.OnEdge(
                nodes: [edge.from, edge.to], metresFromLowest: along, roadClass: edge.roadClass))
    }

    /// The road for a mode that is nearest to a point, and where on it.
    private func nearestRoad(
        to point: GeoPoint, _ text: String, _ mode: Route.Mode
    ) throws(PlaceError) -> (edge: Edge, share: Double, metres: Double) {
        let here = LocalPlane(point)
        var best: (edge: Edge, share: Double, metres: Double)?
        for edge in edges where classes[edge.roadClass].allows(mode) {
            let projection = here.projected(
                on: LocalPlane(points[edge.from]), LocalPlane(points[edge.to]))
            if let crossing = edge.crossing {
                let isOnDeck =
                    projection.metres < Self.deckWidth && (0.15...0.85).contains(projection.share)
                if isOnDeck, crossings[crossing].bridge != nil {
                    throw .onBridge(text, bridge: crossings[crossing].name)
                }
                continue
            }
            // Nobody turns onto a freeway between its ramps.
            if mode == .car, !classes[edge.roadClass].allows(.walk) { continue }
            if projection.metres < best?.metres ?? .infinity {
                best = (edge, projection.share, projection.metres)
            }
        }
        guard let best, best.metres <= Self.farthestRoad else {
            throw .outOfArea(text, metres: Int(best?.metres ?? point.metres(to: points[0])))
        }
        return best
    }
}

extension Place {
    fileprivate var foldedNames: [String] { ([name] + aliases).map(foldedName) }
}

/// Insertions, deletions and replacements that make one text of another (Levenshtein, 1965); O(n m).
func editDistance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for (j, y) in b.enumerated() {
            let next = min(row[j] + 1, row[j + 1] + 1, diagonal + (x == y ? 0 : 1))
            diagonal = row[j + 1]
            row[j + 1] = next
        }
    }
    return row[b.count]
}
