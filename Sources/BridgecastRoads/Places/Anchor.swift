// Where a trip begins or ends on the roads, and the roads near a point where it can.
public import BridgecastCore
private import Foundation

/// Where a route begins or ends: a point of the network and the arcs there.
public struct Anchor: Sendable, Equatable {
    /// Display name.
    public let name: String
    /// A point on the road, not the one that was given.
    public let point: GeoPoint
    /// What was assumed about the text that it was found by, for the user; nil if that is the place's name.
    public private(set) var note: String?
    private let network: RoadNetwork.Identity
    /// Points of arcs, in both directions where a trip can leave and arrive in both.
    package let spots: [Spot]

    package struct Spot: Sendable, Equatable {
        package let arc: Int
        /// Position on the arc as a share of its length, 0...1.
        package let share: Double
    }

    package init(_ name: String, at point: GeoPoint, on network: RoadNetwork, spots: [Spot]) {
        self.name = name
        self.point = point
        self.spots = spots
        self.network = network.identity
    }

    func noting(_ note: String?) -> Self {
        var anchor = self
        anchor.note = note ?? self.note
        return anchor
    }

    package func isOn(_ network: RoadNetwork) -> Bool { self.network === network.identity }

    /// Whether both are the same point of the same network.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.network === rhs.network && lhs.name == rhs.name && lhs.spots == rhs.spots
    }
}

// MARK: - Snapping

extension RoadNetwork {
    private static let maxRoadMetres = 400.0
    /// The farthest road from a place, metres: places are larger, such as parks.
    private static let maxRoadMetresOfPlace = 2_500.0
    /// A place is also on roads so much farther away than the nearest, metres.
    private static let placeMargin = 40.0
    /// But not on roads farther away than this, metres.
    private static let placeReach = 100.0
    private static let maxSpotsOfPlace = 12
    /// A road above the ground counts as so much farther away, metres.
    private static let levelPenalty = 15.0
    /// A point nearer to the middle of a road is on neither side of it, metres.
    private static let middleWidth = 4.0

    /// The arcs where a trip can enter: of the nearest road, or for a larger place of all near ones.
    func spots(
        at point: GeoPoint, _ text: String, for mode: Route.Mode, isPlace: Bool
    ) throws(PlaceError) -> (spots: [Anchor.Spot], point: GeoPoint) {
        let reach = isPlace ? Self.maxRoadMetresOfPlace : Self.maxRoadMetres
        let penalty = { (number: Int) -> Double? in
            let arc = map.arcs[number]
            guard
                isStop(number, for: mode)
                    || arc.twin != RoadArc.noTwin && isStop(Int(arc.twin), for: mode)
            else { return nil }
            return Self.penalty(arc)
        }
        let found = grid.nearest(to: point, on: map, within: reach, penalty: penalty)
        if !isPlace, let bridge = bridge(at: point, besides: found?.cost ?? .infinity) {
            throw .onBridge(text, bridge: bridge)
        }
        guard let found else { throw nothingNear(point, text, for: mode) }
        guard isPlace else { return (spots(of: found, for: mode, isSided: true), found.point) }
        let limit = max(found.cost, min(Self.placeReach, found.cost + Self.placeMargin))
        var spots: [Anchor.Spot] = spots(of: found, for: mode, isSided: false)
        for hit in grid.all(near: point, on: map, within: limit, penalty: penalty)
        where hit.arc != found.arc {
            let more = self.spots(of: hit, for: mode, isSided: false)
            if spots.count + more.count > Self.maxSpotsOfPlace { break }
            spots += more
        }
        return (spots, found.point)
    }

    /// The directions of a road in which a trip can leave and arrive.
    private func spots(of hit: RoadGrid.Hit, for mode: Route.Mode, isSided: Bool) -> [Anchor.Spot] {
        let arc = map.arcs[hit.arc]
        let along = isStop(hit.arc, for: mode) ? Anchor.Spot(arc: hit.arc, share: hit.share) : nil
        guard arc.twin != RoadArc.noTwin, isStop(Int(arc.twin), for: mode) else {
            return [along].compactMap(\.self)
        }
        let back = Anchor.Spot(arc: Int(arc.twin), share: 1 - hit.share)
        guard let along else { return [back] }
        // Cars do not turn across several lanes into a drive.
        let isWide =
            (RoadClass.primary.rawValue...RoadClass.tertiary.rawValue).contains(arc.roadClassValue)
            && min(arc.lanes, map.arcs[Int(arc.twin)].lanes) >= 2
        guard isSided, isWide, mode == .car, hit.metres >= Self.middleWidth else {
            return [along, back]
        }
        return [hit.isOnRight ? along : back]
    }

    /// Whether trips by a mode begin and end on an arc.
    func isStop(_ number: Int, for mode: Route.Mode) -> Bool {
        let arc = map.arcs[number]
        return arc.crossing == RoadArc.noCrossing
            && arc.flags.isDisjoint(with: [.noStopping, .tunnel]) && isOpen(number, for: mode)
    }

    /// Whether a mode may use an arc and return from it.
    func isOpen(_ number: Int, for mode: Route.Mode) -> Bool {
        let arc = map.arcs[number]
        let hierarchy = hierarchy(mode)
        let travel =
            switch mode {
            case .car: arc.carDeciseconds
            case .bike: arc.bikeDeciseconds
            case .walk: arc.walkDeciseconds
            }
        guard travel > 0 else { return false }
        return hierarchy.isOnArcs
            ? hierarchy.vertices[number] != RoadHierarchy.noVertex
            : hierarchy.vertices[Int(arc.tail)] != RoadHierarchy.noVertex
                && hierarchy.vertices[Int(arc.head)] != RoadHierarchy.noVertex
    }

    private static func penalty(_ arc: RoadArc) -> Double {
        arc.layer > 0 ? levelPenalty : 0
    }
}

// MARK: - Where trips cannot begin

extension RoadNetwork {
    /// A point nearer to the middle of a bridge's deck is on the bridge, metres.
    private static let deckWidth = 30.0
    /// A fixed bridge may pass over land: a road this near is preferred to its deck, metres.
    private static let fixedBridgeLeeway = 60.0
    /// A point without a road for stopping is on a motorway this near, metres.
    private static let motorwayWidth = 100.0

    /// - Parameter cost: The distance of the nearest road for stopping, metres.
    func bridge(at point: GeoPoint, besides cost: Double) -> String? {
        let deck = grid.nearest(to: point, on: map, within: Self.deckWidth) { number in
            map.arcs[number].crossing == RoadArc.noCrossing ? nil : 0
        }
        guard let deck else { return nil }
        let crossing = crossings[Int(map.arcs[deck.arc].crossing)]
        let leeway = crossing.bridge == nil ? max(deck.cost, Self.fixedBridgeLeeway) : deck.cost
        return leeway < cost ? crossing.name : nil
    }

    /// Why no trip by a mode can begin at a point.
    func nothingNear(_ point: GeoPoint, _ text: String, for mode: Route.Mode) -> PlaceError {
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

    /// The distance to the nearest junction with a road where trips by a mode begin; O(arcs).
    ///
    /// Compares in units of 1e-7 degrees: the plane of `LocalPlane` would round differently.
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
