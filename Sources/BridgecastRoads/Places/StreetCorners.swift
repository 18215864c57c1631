// Street corners from what people type, and the nearest to a point. Not here: names of streets (StreetName, StreetIndex).
public import BridgecastCore
internal import BridgecastSupport
private import Foundation

extension RoadNetwork {
    /// Junctions closer together than this are one corner, metres.
    static let cornerMetres = 150.0

    /// The corner that two streets' names mean.
    func corner(_ text: String, _ parts: (String, String)) throws(PlaceError) -> StreetCorner {
        let shown = printable(text, maxLength: 60)
        let first = streetIndex.streets(parts.0)
        let second = streetIndex.streets(parts.1)
        for (part, found) in [(parts.0, first), (parts.1, second)]
        where found.exact.isEmpty && found.partial.isEmpty {
            let similar = streetIndex.similar(part).map { map.names[$0] }
            throw .unknownStreet(
                shown, street: printable(part, maxLength: 40), suggestions: Array(similar.prefix(3))
            )
        }
        let all = (first.exact + first.partial, second.exact + second.partial)
        var corners = corners(of: first.exact, with: second.exact)
        if corners.isEmpty { corners = self.corners(of: all.0, with: all.1) }
        if corners.isEmpty { corners = nearCorners(of: all.0, with: all.1) }
        if corners.isEmpty { corners = passingCorners(of: all.0, with: all.1) }
        guard !corners.isEmpty else { throw noCorner(shown, all) }
        return try onlyCorner(preferred(corners, parts), shown)
    }

    func corners(of first: [Int], with second: [Int]) -> [StreetCorner] {
        let wanted = Set(second)
        var corners: [StreetCorner] = []
        for street in first {
            for node in streetIndex.nodes(of: street) {
                for other in streets(at: Int(node), except: street) where wanted.contains(other) {
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

    /// Named streets that meet at a junction, except one.
    func streets(at node: Int, except street: Int) -> [Int] {
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

    /// Those whose names match exactly: without an unnamed part of the city, streets before places.
    private func preferred(_ corners: [StreetCorner], _ parts: (String, String)) -> [StreetCorner] {
        let names = streetIndex.names
        let wanted = (StreetName(parts.0), StreetName(parts.1))
        let common = corners.filter { corner in
            [(wanted.0, corner.streets.0), (wanted.1, corner.streets.1)].allSatisfy {
                name, street in
                let type = names[street].type
                return name.type != nil || type.map(StreetWords.commonTypes.contains) ?? true
            }
        }
        let kept = common.isEmpty ? corners : common
        let exact = kept.filter {
            names[$0.streets.0].directions == wanted.0.directions
                && names[$0.streets.1].directions == wanted.1.directions
        }
        return exact.isEmpty ? kept : exact
    }

    /// The only corner, once those close together are merged.
    func onlyCorner(
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
                    var cluster = corner
                    cluster.nodes = [node]
                    clusters.append(cluster)
                }
            }
        }
        if clusters.count == 1 { return clusters[0] }
        let names = clusters.map(name(of:))
        throw .ambiguous(
            shown,
            choices: zip(clusters, names).map { cluster, name in
                // Two streets may meet twice: coordinates distinguish the corners.
                names.count { $0 == name } == 1
                    ? name : "\(map.nodes[cluster.nodes[0]].geoPoint.short) (\(name))"
            })
    }

    /// Ranks of its streets, the lesser street first; less is larger.
    func size(of corner: StreetCorner) -> (UInt8, UInt8) {
        let ranks = (streetIndex.rank(corner.streets.0), streetIndex.rank(corner.streets.1))
        return (max(ranks.0, ranks.1), min(ranks.0, ranks.1))
    }

    /// "15th Ave NW & NW Market St".
    func name(of corner: StreetCorner) -> String {
        "\(map.names[corner.streets.0]) & \(map.names[corner.streets.1])"
    }

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
        let note = corner.turningStreet.map { self.note(of: corner, turningOn: $0) }
        if !spots.isEmpty {
            return Anchor(name(of: corner), at: point, on: self, spots: spots).noting(note)
        }
        let found = try self.spots(
            at: point, printable(text, maxLength: 60), for: mode, isPlace: true)
        return Anchor(name(of: corner), at: found.point, on: self, spots: found.spots)
            .noting(note)
    }
}

extension GeoPoint {
    /// Coordinates to about a metre.
    fileprivate var short: String {
        func rounded(_ degrees: Double) -> String { "\((degrees * 1e5).rounded() / 1e5)" }
        return "\(rounded(latitude)),\(rounded(longitude))"
    }
}

// MARK: - Corners near a point

extension RoadNetwork {
    /// Corners farther away do not name a point.
    private static let maxCornerMetres = 500.0
    /// At least as far to all sides, 1e-7 degrees.
    private static let cornerReach = 70_000

    /// The street corners near a point, the nearest first; O(junctions).
    public func corners(near point: GeoPoint, limit: Int) -> [Completion] {
        guard grid.isNear(point) else { return [] }
        let here = RoadPoint(point)
        let near = map.nodes.indices.filter { node in
            abs(Int(map.nodes[node].latitudeE7) - Int(here.latitudeE7)) < Self.cornerReach
                && abs(Int(map.nodes[node].longitudeE7) - Int(here.longitudeE7)) < Self.cornerReach
        }.map { (node: $0, metres: map.nodes[$0].geoPoint.metres(to: point)) }
            .filter { $0.metres <= Self.maxCornerMetres }
        var found: [Completion] = []
        for (node, _) in near.sorted(by: { ($0.metres, $0.node) < ($1.metres, $1.node) }) {
            guard found.count < limit else { break }
            guard let corner = corner(at: node) else { continue }
            let name = name(of: corner)
            // Each carriageway of a street has its own junctions.
            guard !found.contains(where: { $0.name == name }) else { continue }
            found.append(Completion(name: name, kind: .corner, point: map.nodes[node].geoPoint))
        }
        return found
    }

    /// The two largest streets that meet at a junction; nil where one only continues the other, or is a trail.
    private func corner(at node: Int) -> StreetCorner? {
        let index = streetIndex
        let streets = streets(at: node, except: 0)
            .sorted { (index.rank($0), $0) < (index.rank($1), $1) }
        guard let first = streets.first,
            let second = streets.dropFirst().first(where: {
                index.rank($0) < RoadClass.trail.rawValue
                    && !index.names[first].continues(index.names[$0])
            })
        else { return nil }
        return StreetCorner(streets: (first, second), nodes: [node])
    }
}

// MARK: - Streets that do not quite meet

extension RoadNetwork {
    /// Streets this close to each other meet, if only by a piece of another, metres.
    private static let gapMetres = 60.0
    /// Each street of one name is compared with each of the other name.
    static let maxPairedStreets = 12

    private func nearCorners(of first: [Int], with second: [Int]) -> [StreetCorner] {
        var corners: [StreetCorner] = []
        for street in first.prefix(Self.maxPairedStreets) {
            for other in second.prefix(Self.maxPairedStreets) where other != street {
                guard let near = nearest(of: street, to: other), near.metres < Self.gapMetres else {
                    continue
                }
                corners.append(StreetCorner(streets: (street, other), nodes: [near.node]))
            }
        }
        return corners
    }

    /// The junction of a street that is nearest to another street's junctions.
    ///
    /// Compares in units of 1e-7 degrees: the plane of `LocalPlane` would round differently.
    private func nearest(of street: Int, to other: Int) -> (node: Int, metres: Double)? {
        let others = streetIndex.nodes(of: other).map { map.nodes[Int($0)] }
        guard let start = others.first else { return nil }
        let scale = cos(start.geoPoint.latitude * .pi / 180)
        var best: (node: Int, other: RoadPoint, square: Double)?
        for node in streetIndex.nodes(of: street) {
            let here = map.nodes[Int(node)]
            for point in others {
                let north = Double(Int(point.latitudeE7) - Int(here.latitudeE7))
                let east = Double(Int(point.longitudeE7) - Int(here.longitudeE7)) * scale
                let square = north * north + east * east
                if square < best?.square ?? .infinity { best = (Int(node), point, square) }
            }
        }
        return best.map {
            ($0.node, map.nodes[$0.node].geoPoint.metres(to: $0.other.geoPoint))
        }
    }

    /// Two corners to suggest for a street's name alone: the largest.
    func cornersOfStreet(_ text: String) -> [String] {
        let exact = streetIndex.streets(text).exact
        let found = exact.isEmpty ? streetIndex.beginning(withWords: text) : exact
        guard let street = found.min(by: { streetIndex.rank($0) < streetIndex.rank($1) })
        else { return [] }
        return crossings(of: street).sorted { size(of: $0) < size(of: $1) }
            .prefix(2).map(name(of:))
    }

    private func noCorner(_ shown: String, _ streets: ([Int], [Int])) -> PlaceError {
        guard let (first, second) = nearestPair(streets) else {
            return .unknown(shown, suggestions: [])
        }
        let suggestions = [(first, second), (second, first)].compactMap { street, other in
            nearest(of: street, to: other).flatMap { near in
                let there = map.nodes[near.node].geoPoint
                return crossings(of: street).min {
                    metres(of: $0, to: there) < metres(of: $1, to: there)
                }.map(name(of:))
            }
        }
        return .noCorner(
            shown, streets: [map.names[first], map.names[second]], suggestions: suggestions)
    }

    /// The two different streets that come nearest to each other.
    private func nearestPair(_ streets: ([Int], [Int])) -> (Int, Int)? {
        let pairs = streets.0.prefix(Self.maxPairedStreets).flatMap { first in
            streets.1.prefix(Self.maxPairedStreets).compactMap { second in
                nearest(of: first, to: second).map { (first, second, $0.metres) }
            }
        }
        let different = pairs.filter { $0.0 != $0.1 }
        return (different.isEmpty ? pairs : different).min { $0.2 < $1.2 }.map { ($0.0, $0.1) }
    }

    /// Corners of a street with other streets, except its continuations; with trails only if there are no others.
    private func crossings(of street: Int) -> [StreetCorner] {
        let all = corners(of: [street], with: streetIndex.streets)
            .filter { !streetIndex.names[street].continues(streetIndex.names[$0.streets.1]) }
        let roads = all.filter { streetIndex.rank($0.streets.1) < RoadClass.trail.rawValue }
        return roads.isEmpty ? all : roads
    }

    private func metres(of corner: StreetCorner, to point: GeoPoint) -> Double {
        corner.nodes.map { map.nodes[$0].geoPoint.metres(to: point) }.min() ?? .infinity
    }
}

struct StreetCorner {
    /// Indices of their names.
    let streets: (Int, Int)
    /// Its junctions: several where the carriageways of a street are apart.
    var nodes: [Int]
    /// The street of its junctions where the two only pass above each other; else nil.
    var turningStreet: Int?

    func hasStreets(_ other: (Int, Int)) -> Bool { streets == other }
}
