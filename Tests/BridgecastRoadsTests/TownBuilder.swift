// Small towns drawn in metres, for tests of places and directions.
import BridgecastCore

@testable import BridgecastRoads

/// A town that is drawn road by road, in metres east and north of its middle.
struct TownBuilder {
    typealias Spot = (east: Double, north: Double)

    static let middle = GeoPoint(latitude: 47.6, longitude: -122.3)

    private var nodes: [RoadPoint] = []
    private var arcs: [RoadArc] = []
    private var shapes: [RoadPoint] = []
    private var names = [""]
    private(set) var crossings: [Crossing] = []
    var places: [Place] = []

    static func point(_ east: Double, _ north: Double) -> GeoPoint {
        GeoPoint(
            latitude: middle.latitude + north / 111_195,
            longitude: middle.longitude + east / (111_195 * 0.674_302))
    }

    /// Adds a road along junctions, with or without its other direction.
    ///
    /// - Parameter via: Points between the first two junctions.
    mutating func road(
        _ name: String, _ junctions: [Spot], via: [Spot] = [],
        _ roadClass: RoadClass = .residential,
        lanes: Int = 1, layer: Int = 0, flags: RoadFlags = [], isOneWay: Bool = false,
        crossing: Int? = nil, modes: [Route.Mode] = Route.Mode.allCases
    ) {
        let number = names.firstIndex(of: name) ?? names.count
        if number == names.count { names.append(name) }
        for (place, (from, to)) in zip(junctions, junctions.dropFirst()).enumerated() {
            let between = place == 0 ? via : []
            let points = ([from] + between + [to]).map { Self.point($0.east, $0.north) }
            let metres = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
            let shape = shapes.count
            shapes += points.dropFirst().dropLast().map { RoadPoint($0) }
            let ends = (node(points[0]), node(points[points.count - 1]))
            for isBack in isOneWay ? [false] : [false, true] {
                var arc = RoadArc(
                    tail: isBack ? ends.1 : ends.0, head: isBack ? ends.0 : ends.1, name: number,
                    shape: shape, shapeCount: between.count, metres: metres, roadClass: roadClass,
                    paceGroup: .local, flags: isBack ? flags.union(.shapeReversed) : flags)
                let travel = UInt16(max(1, metres))
                arc.carDeciseconds = modes.contains(.car) ? travel : 0
                arc.bikeDeciseconds = modes.contains(.bike) ? travel : 0
                arc.walkDeciseconds = modes.contains(.walk) ? travel : 0
                arc.lanes = UInt8(lanes)
                arc.layer = Int8(layer)
                if let crossing { arc.crossing = UInt8(crossing) }
                if !isOneWay { arc.twin = UInt32(isBack ? arcs.count - 1 : arcs.count + 1) }
                arcs.append(arc)
            }
        }
    }

    /// Adds a bridge over water.
    mutating func bridge(_ name: String, street: String, drawbridge: String? = nil, _ ends: [Spot])
    {
        crossings.append(
            Crossing(
                name: name, bridge: drawbridge.flatMap { BridgeCatalogue.index(named: $0) },
                point: Self.point(ends[0].east, ends[0].north)))
        road(
            street, ends, .primary, layer: 1, flags: [.bridge, .noStopping],
            crossing: crossings.count - 1)
    }

    private mutating func node(_ point: GeoPoint) -> Int {
        let point = RoadPoint(point)
        if let known = nodes.firstIndex(of: point) { return known }
        nodes.append(point)
        return nodes.count - 1
    }

    /// - Parameter closed: Names of roads that the search may not use.
    func network(closed: Set<String> = []) -> RoadNetwork {
        let order = arcs.indices.sorted { (arcs[$0].tail, $0) < (arcs[$1].tail, $1) }
        var places = [Int](repeating: 0, count: arcs.count)
        for (new, old) in order.enumerated() { places[old] = new }
        let sorted = order.map { old in
            var arc = arcs[old]
            if arc.twin != RoadArc.noTwin { arc.twin = UInt32(places[Int(arc.twin)]) }
            return arc
        }
        let map = RoadMap(nodes: nodes, arcs: sorted, shapes: shapes, names: names)
        let hierarchies = [Route.Mode.car, .bike, .walk].map { mode in
            RoadHierarchy(
                mode: mode, firstOfCore: 0,
                vertices: mode == .car
                    ? sorted.map { closed.contains(names[Int($0.name)]) ? .max : 0 }
                    : nodes.map { _ in 0 },
                gates: [], firstUp: [0], upward: [], firstDown: [0], downward: [])
        }
        return RoadNetwork(
            name: "Town", attribution: "© Surveyors", source: "drawn", places: self.places,
            crossings: crossings, map: map, paces: .free, hierarchies: hierarchies)
    }
}

extension RoadNetwork {
    /// The path along points, each the start of an arc to the next, as far as the shares say.
    func path(_ spots: [TownBuilder.Spot], from start: Double = 0, to end: Double = 1) -> Path {
        let nodes = spots.map { spot in
            let point = RoadPoint(TownBuilder.point(spot.east, spot.north))
            return map.nodes.firstIndex(of: point) ?? -1
        }
        let pieces = zip(nodes, nodes.dropFirst()).enumerated().map { number, ends in
            let arc = map.departing(ends.0).first { Int(map.arcs[$0].head) == ends.1 } ?? -1
            let share = (
                number == 0 ? start : 0, number == nodes.count - 2 ? end : 1
            )
            let road = map.arcs[arc]
            let metres = Double(road.metres) * (share.1 - share.0)
            return Path.Piece(
                arc: arc, start: share.0, end: share.1, metres: metres, minutes: metres / 600,
                crossing: road.crossing == RoadArc.noCrossing ? nil : Int(road.crossing))
        }
        return Path(pieces: pieces)
    }

    /// Names of the roads on which an anchor is, each as often as one can leave by it.
    func roads(of anchor: Anchor) -> [String] {
        anchor.spots.map { map.names[Int(map.arcs[$0.arc].name)] }.sorted()
    }
}
