// What is said of points where nobody begins a trip: on bridges and motorways, and far from roads.
internal import BridgecastCore
private import Foundation

extension RoadNetwork {
    /// So near to the middle of a bridge's deck a point lies on it, metres.
    private static let deckWidth = 30.0
    /// A bridge that never opens may pass over land: a road at most so far away is meant then, metres.
    private static let farFromDeck = 60.0
    /// A point that is no nearer to a road where one stops lies on a motorway so near, metres.
    private static let motorwayWidth = 100.0

    /// The bridge on whose deck a point lies.
    ///
    /// - Parameter cost: How far the nearest road is on which one stops, metres.
    func bridge(at point: GeoPoint, besides cost: Double) -> String? {
        let deck = grid.nearest(to: point, on: map, within: Self.deckWidth) { number in
            map.arcs[number].crossing == RoadArc.noCrossing ? nil : 0
        }
        guard let deck else { return nil }
        let crossing = crossings[Int(map.arcs[deck.arc].crossing)]
        let leeway = crossing.bridge == nil ? max(deck.cost, Self.farFromDeck) : deck.cost
        return leeway < cost ? crossing.name : nil
    }

    /// Why no trip by a mode begins at a point.
    func nothingNear(_ point: GeoPoint, _ text: String, _ mode: Route.Mode) -> PlaceError {
        let road = grid.nearest(to: point, on: map, within: Self.motorwayWidth) { number in
            let arc = map.arcs[number]
            return arc.crossing != RoadArc.noCrossing
                || arc.name != 0 && arc.flags.contains(.noStopping) ? 0 : nil
        }
        if let road {
            let arc = map.arcs[road.arc]
            return arc.crossing == RoadArc.noCrossing
                ? .noStopping(text, road: map.names[Int(arc.name)])
                : .onBridge(text, bridge: crossings[Int(arc.crossing)].name)
        }
        guard let metres = metresToNearestStop(point, mode) else { return .noRoads(text) }
        return .outOfArea(text, metres: metres)
    }

    /// How far it is to a junction with a road where trips by a mode begin, from far away; O(arcs).
    private func metresToNearestStop(_ point: GeoPoint, _ mode: Route.Mode) -> Int? {
        let here = RoadPoint(point)
        let scale = cos(point.latitude * .pi / 180)
        var nearest: (node: RoadPoint, square: Double)?
        for number in map.arcs.indices where isStop(number, for: mode) {
            let node = map.nodes[Int(map.arcs[number].tail)]
            let north = Double(Int(node.latitudeE7) - Int(here.latitudeE7))
            let east = Double(Int(node.longitudeE7) - Int(here.longitudeE7)) * scale
            let square = north * north + east * east
            if square < nearest?.square ?? .infinity { nearest = (node, square) }
        }
        return nearest.map { Int($0.node.geoPoint.metres(to: point)) }
    }
}
