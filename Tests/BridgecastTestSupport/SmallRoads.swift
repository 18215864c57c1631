// Small road networks for tests, prepared for searching as an import prepares a city's.
package import BridgecastCore
package import BridgecastRoads
private import BridgecastRoadImport

/// Networks of a few straight roads, open both ways.
package struct SmallRoads {
    /// A road between two of the points.
    package struct Road {
        let ends: (Int, Int)
        let kmh: Double
        let paceGroup: PaceGroup
        let crossing: String?
        let bridge: BridgeIndex?

        package init(
            _ from: Int, _ to: Int, kmh: Double = 30, paceGroup: PaceGroup = .local,
            crossing: String? = nil, bridge: BridgeIndex? = nil
        ) {
            ends = (from, to)
            self.kmh = kmh
            self.paceGroup = paceGroup
            self.crossing = crossing
            self.bridge = bridge
        }
    }

    /// The network of some roads.
    ///
    /// - Parameters:
    ///   - points: Its junctions; roads name them by number.
    ///   - modes: Who may use the roads.
    package static func network(
        _ points: [GeoPoint], _ roads: [Road], places: [String: Int],
        modes: [Route.Mode] = [.car], paces: PaceTable = .free
    ) throws -> RoadNetwork {
        var crossings: [Crossing] = []
        var arcs: [RoadArc] = []
        for (number, road) in roads.enumerated() {
            let name = road.bridge.map { BridgeCatalogue[$0].spokenName } ?? road.crossing
            for (tail, head) in [road.ends, (road.ends.1, road.ends.0)] {
                let metres = points[tail].metres(to: points[head])
                var arc = RoadArc(
                    tail: tail, head: head, name: number + 1, shape: 0, shapeCount: 0,
                    metres: metres, roadClass: .secondary, paceGroup: road.paceGroup, flags: [])
                func deciseconds(_ mode: Route.Mode, _ kmh: Double) -> UInt16 {
                    modes.contains(mode) ? UInt16(max(1, metres / kmh * 36)) : 0
                }
                arc.carDeciseconds = deciseconds(.car, road.kmh)
                arc.bikeDeciseconds = deciseconds(.bike, 16)
                arc.walkDeciseconds = deciseconds(.walk, 4.8)
                if let name {
                    if let known = crossings.firstIndex(where: { $0.name == name }) {
                        arc.crossing = UInt8(known)
                    } else {
                        arc.crossing = UInt8(crossings.count)
                        crossings.append(
                            Crossing(name: name, bridge: road.bridge, point: points[tail]))
                    }
                    arc.flags = [.bridge, .noStopping]
                }
                arcs.append(arc)
            }
        }
        let order = arcs.indices.sorted { (arcs[$0].tail, $0) < (arcs[$1].tail, $1) }
        var sorted = order.map { arcs[$0] }
        for (place, number) in order.enumerated() {
            sorted[place].twin = UInt32(order.firstIndex(of: number ^ 1) ?? 0)
        }
        let map = RoadMap(
            nodes: points.map(RoadPoint.init), arcs: sorted, shapes: [],
            names: [""] + roads.map { "\($0.ends.0)-\($0.ends.1)" })
        let turns = sorted.indices.flatMap { from in
            map.departing(Int(sorted[from].head)).compactMap { to in
                to == Int(sorted[from].twin) ? nil : TurnLink(from: from, to: to, deciseconds: 0)
            }
        }
        return RoadNetwork(
            name: "small", attribution: "none", source: "a test",
            places: places.sorted { $0.key < $1.key }.map { name, node in
                Place(name: name, kind: .landmark, point: points[node])
            },
            crossings: crossings, map: map, paces: paces,
            hierarchies: try Route.Mode.allCases.map {
                try RoadPreparation.hierarchy($0, of: map, turns: turns, paces: paces)
            })
    }
}
