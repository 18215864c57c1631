// Street corners from what people type.
internal import BridgecastCore

extension RoadNetwork {
    /// Junctions closer together than this are one corner, metres.
    static let cornerMetres = 150.0
    /// The corner that two streets' names mean.
    func corner(
        _ text: String, _ parts: (String, String)
    ) throws(PlaceError) -> StreetCorner {
        let shown = printable(text, most: 60)
        let first = streetIndex.streets(parts.0)
        let second = streetIndex.streets(parts.1)
        for (part, found) in [(parts.0, first), (parts.1, second)]
        where found.called.isEmpty && found.like.isEmpty {
            let similar = streetIndex.similar(part).map { map.names[$0] }
            throw .unknownStreet(
                shown, street: printable(part, most: 40), suggestions: Array(similar.prefix(3)))
        }
        let all = (first.called + first.like, second.called + second.like)
        var corners = corners(of: first.called, with: second.called)
        if corners.isEmpty { corners = self.corners(of: all.0, with: all.1) }
        if corners.isEmpty { corners = nearCorners(of: all.0, with: all.1) }
        guard !corners.isEmpty else { throw noCorner(shown, all) }
        return try onlyCorner(preferred(corners, parts), shown)
    }

    /// Where streets of one list meet streets of another.
    func corners(of first: [Int], with second: [Int]) -> [StreetCorner] {
        let wanted = Set(second)
        var corners: [StreetCorner] = []
        for street in first {
            for node in streetIndex.nodes(of: street) {
                for other in streets(at: Int(node), but: street) where wanted.contains(other) {
                    if let same = corners.firstIndex(where: { $0.hasStreets((street, other)) }) {
                        corners[same].nodes.append(Int(node))
                    } else {
                        corners.append(StreetCorner(streets: (street, other), nodes: [Int(node)]))
                    }
                }
            }
        }
        return corners
    }

    /// Named streets that meet at a junction, one aside.
    func streets(at node: Int, but street: Int) -> [Int] {
        var found: [Int] = []
        func look(_ arc: Int) {
            let name = Int(map.arcs[arc].name)
            guard name != 0, name != street, !map.arcs[arc].flags.contains(.link) else { return }
            if !found.contains(name) { found.append(name) }
        }
        for arc in map.departing(node) { look(arc) }
        for arc in map.arriving(node) { look(Int(arc)) }
        return found
    }

    /// Of several corners those that are called just so: without a part of the city that was not said, and avenues
    /// and streets before places and courts.
    private func preferred(
        _ corners: [StreetCorner], _ parts: (String, String)
    ) -> [StreetCorner] {
        let names = streetIndex.names
        let wanted = (StreetName(parts.0), StreetName(parts.1))
        let usual = corners.filter { corner in
            [(wanted.0, corner.streets.0), (wanted.1, corner.streets.1)].allSatisfy {
                name, street in
                let type = names[street].type
                return name.type != nil || type.map(StreetWords.usualTypes.contains) ?? true
            }
        }
        let kept = usual.isEmpty ? corners : usual
        let exact = kept.filter {
            names[$0.streets.0].directions == wanted.0.directions
                && names[$0.streets.1].directions == wanted.1.directions
        }
        return exact.isEmpty ? kept : exact
    }

    /// The one corner that is left when those close together are one.
    private func onlyCorner(
        _ corners: [StreetCorner], _ shown: String
    ) throws(PlaceError) -> StreetCorner {
        let ranked = corners.sorted { size(of: $0) < size(of: $1) }
        var clusters: [StreetCorner] = []
        for corner in ranked {
            for node in corner.nodes {
                let here = map.nodes[node].geoPoint
                let near = clusters.firstIndex {
                    $0.nodes.contains {
                        map.nodes[$0].geoPoint.metres(to: here) < Self.cornerMetres
                    }
                }
                if let near {
                    if !clusters[near].nodes.contains(node) { clusters[near].nodes.append(node) }
                } else {
                    clusters.append(StreetCorner(streets: corner.streets, nodes: [node]))
                }
            }
        }
        if clusters.count == 1 { return clusters[0] }
        let names = clusters.map(name(of:))
        throw .ambiguous(
            shown,
            choices: zip(clusters, names).prefix(6).map { cluster, name in
                // Two streets may meet twice: coordinates say where.
                names.count { $0 == name } == 1
                    ? name : "\(map.nodes[cluster.nodes[0]].geoPoint.short) (\(name))"
            })
    }

    /// Less is larger: the smaller of its streets counts, then the other.
    func size(of corner: StreetCorner) -> (UInt8, UInt8) {
        let ranks = (streetIndex.rank(corner.streets.0), streetIndex.rank(corner.streets.1))
        return (max(ranks.0, ranks.1), min(ranks.0, ranks.1))
    }

    /// "15th Ave NW & NW Market St".
    func name(of corner: StreetCorner) -> String {
        "\(map.names[corner.streets.0]) & \(map.names[corner.streets.1])"
    }

    /// Leads a corner to the pieces of road that meet there.
    func anchor(
        _ corner: StreetCorner, _ text: String, for mode: Route.Mode
    ) throws(PlaceError) -> Anchor {
        let point = map.nodes[corner.nodes[0]].geoPoint
        var spots: [Anchor.Spot] = []
        for node in corner.nodes {
            spots += map.departing(node).filter { isStop($0, for: mode) }
                .map { Anchor.Spot(arc: $0, share: 0) }
            spots += map.arriving(node).map { Int($0) }.filter { isStop($0, for: mode) }
                .map { Anchor.Spot(arc: $0, share: 1) }
        }
        if !spots.isEmpty { return Anchor(name(of: corner), at: point, on: self, spots: spots) }
        let found = try self.spots(
            at: point, printable(text, most: 60), for: mode, isPlace: true)
        return Anchor(name(of: corner), at: found.point, on: self, spots: found.spots)
    }
}

extension GeoPoint {
    /// Coordinates to about a metre.
    var short: String {
        func shown(_ degrees: Double) -> String { "\((degrees * 1e5).rounded() / 1e5)" }
        return "\(shown(latitude)),\(shown(longitude))"
    }
}
