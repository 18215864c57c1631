// Streets that pass above each other without a corner: where one can turn next to it.
internal import BridgecastCore

extension RoadNetwork {
    /// A place to turn is at most this far from where the streets pass each other, metres.
    private static let maxTurnMetres = 400.0

    /// For each two streets that pass above each other, the nearest junction of either at which one can turn.
    ///
    /// - Complexity: O(points of one street x points of the other) for streets whose boxes overlap.
    func passingCorners(of first: [Int], with second: [Int]) -> [StreetCorner] {
        let lines = { (streets: [Int]) in
            streets.prefix(Self.maxPairedStreets).map { StreetLine($0, segments(of: $0)) }
        }
        let others = lines(second)
        return lines(first).flatMap { line in
            others.compactMap { other -> StreetCorner? in
                guard line.street != other.street, let point = line.intersection(with: other)
                else { return nil }
                return turningCorner(of: (line.street, other.street), near: point)
            }
        }
    }

    /// Both ends of each straight piece of a street, once for both directions.
    private func segments(of street: Int) -> [(PlanePoint, PlanePoint)] {
        streetIndex.nodes(of: street).flatMap { node in
            map.departing(Int(node)).filter { number in
                let arc = map.arcs[number]
                return Int(arc.name) == street && !arc.flags.contains(.link)
                    && (arc.twin == RoadArc.noTwin || number < Int(arc.twin))
            }.flatMap { number in
                let points = map.line(number).map(LocalPlane.seattle.position(of:))
                return zip(points, points.dropFirst()).map { ($0, $1) }
            }
        }
    }

    private func turningCorner(of streets: (Int, Int), near point: PlanePoint) -> StreetCorner? {
        let junctions = [streets.0, streets.1].flatMap { street in
            streetIndex.nodes(of: street).filter { isTurn(Int($0), from: street) }.map {
                node -> (street: Int, node: Int, metres: Double) in
                let place = LocalPlane.seattle.position(of: map.nodes[Int(node)].geoPoint)
                return (street, Int(node), place.metres(to: point))
            }
        }
        guard let near = junctions.min(by: { $0.metres < $1.metres }),
            near.metres <= Self.maxTurnMetres
        else { return nil }
        return StreetCorner(streets: streets, nodes: [near.node], turningStreet: near.street)
    }

    /// Whether a junction leads from a street, on which a trip can begin there, to another street or a ramp.
    private func isTurn(_ node: Int, from street: Int) -> Bool {
        let departing = map.departing(node).map { map.arcs[$0] }
        return departing.contains { Int($0.name) != street }
            && departing.contains {
                Int($0.name) == street && $0.flags.isDisjoint(with: [.noStopping, .tunnel])
            }
    }

    /// What is assumed of two streets that only pass above each other.
    func note(of corner: StreetCorner, turningOn street: Int) -> String {
        let names = [corner.streets.0, corner.streets.1].map { map.names[$0] }
        let turns = self.streets(at: corner.nodes[0], except: street).first
        let place =
            turns.map { "\(map.names[street]) & \(map.names[$0])" }
            ?? "the ramps of \(map.names[street])"
        return
            "\(names[0]) and \(names[1]) pass above each other without a corner: the nearest one to turn at is taken, \(place)"
    }
}

/// The course of a street.
private struct StreetLine {
    let street: Int
    private let segments: [(PlanePoint, PlanePoint)]
    private let low, high: PlanePoint

    init(_ street: Int, _ segments: [(PlanePoint, PlanePoint)]) {
        self.street = street
        self.segments = segments
        let points = segments.flatMap { [$0.0, $0.1] }
        low = PlanePoint(
            x: points.map(\.x).min() ?? .infinity, y: points.map(\.y).min() ?? .infinity)
        high = PlanePoint(
            x: points.map(\.x).max() ?? -.infinity, y: points.map(\.y).max() ?? -.infinity)
    }

    /// A point that both have; nil if they do not cross.
    func intersection(with other: StreetLine) -> PlanePoint? {
        guard low.x <= other.high.x, other.low.x <= high.x, low.y <= other.high.y,
            other.low.y <= high.y
        else { return nil }
        for mine in segments {
            for its in other.segments {
                if let point = Self.intersection(mine, its) { return point }
            }
        }
        return nil
    }

    /// Where two segments cross; nil if they do not, or are parallel.
    private static func intersection(
        _ a: (PlanePoint, PlanePoint), _ b: (PlanePoint, PlanePoint)
    ) -> PlanePoint? {
        let first = PlanePoint(x: a.1.x - a.0.x, y: a.1.y - a.0.y)
        let second = PlanePoint(x: b.1.x - b.0.x, y: b.1.y - b.0.y)
        let cross = first.x * second.y - first.y * second.x
        guard cross != 0 else { return nil }
        let gap = PlanePoint(x: b.0.x - a.0.x, y: b.0.y - a.0.y)
        let along = (gap.x * second.y - gap.y * second.x) / cross
        let across = (gap.x * first.y - gap.y * first.x) / cross
        guard (0...1).contains(along), (0...1).contains(across) else { return nil }
        return PlanePoint(x: a.0.x + along * first.x, y: a.0.y + along * first.y)
    }
}
