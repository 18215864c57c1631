// Where streets nearly meet, and what is said of those that do not.
internal import BridgecastCore
private import Foundation

extension RoadNetwork {
    /// Streets that pass this close to each other meet, though by a piece of another, metres.
    private static let gapMetres = 60.0

    /// Where streets pass close to each other.
    func nearCorners(of first: [Int], with second: [Int]) -> [StreetCorner] {
        var corners: [StreetCorner] = []
        for street in first.prefix(8) {
            for other in second.prefix(8) where other != street {
                guard let near = nearest(of: street, to: other), near.metres < Self.gapMetres else {
                    continue
                }
                corners.append(StreetCorner(streets: (street, other), nodes: [near.node]))
            }
        }
        return corners
    }

    /// The junction of a street that is nearest to another street's junctions.
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

    /// Corners that a street's name alone does not decide between: the largest.
    func cornersOfStreet(_ text: String) -> [String] {
        let called = streetIndex.streets(text).called
        let found = called.isEmpty ? streetIndex.beginning(withWords: text) : called
        guard let street = found.min(by: { streetIndex.rank($0) < streetIndex.rank($1) })
        else { return [] }
        return crossings(of: street).sorted { size(of: $0) < size(of: $1) }
            .prefix(2).map(name(of:))
    }

    /// What to say of streets that do not meet.
    func noCorner(_ shown: String, _ streets: ([Int], [Int])) -> PlaceError {
        let larger = { (a: Int, b: Int) in streetIndex.rank(a) < streetIndex.rank(b) }
        guard let first = streets.0.min(by: larger), let second = streets.1.min(by: larger) else {
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

    /// Corners of a street with others than itself under another name; with trails only if there are no others.
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
