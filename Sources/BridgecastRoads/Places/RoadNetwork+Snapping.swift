// From a point on the ground to the roads where a trip can begin or end there.
internal import BridgecastCore

extension RoadNetwork {
    /// Roads further from coordinates than this are not led to, metres.
    static let farthestRoad = 400.0
    /// Places are larger: a park's middle may be as far from a road, metres.
    static let farthestRoadOfPlace = 2_500.0
    /// A place lies on roads so much further away than the nearest as well, but not beyond a distance, metres.
    private static let placeMargin = 40.0
    private static let placeReach = 100.0
    private static let mostSpotsOfPlace = 12
    /// A road above the ground counts as so much further away than one on it, metres.
    private static let levelPenalty = 15.0
    /// So near to a road's middle a point lies on neither side, metres.
    private static let middleWidth = 4.0

    /// The arcs where one at a point can get onto the network: those of the nearest road, or for a place, which is
    /// larger than a point, of all roads about as near.
    ///
    /// - Throws: ``PlaceError``.
    func spots(
        at point: GeoPoint, _ text: String, for mode: Route.Mode, isPlace: Bool
    ) throws(PlaceError) -> (spots: [Anchor.Spot], point: GeoPoint) {
        let reach = isPlace ? Self.farthestRoadOfPlace : Self.farthestRoad
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
        guard let found else { throw nothingNear(point, text, mode) }
        guard isPlace else { return (spots(of: found, for: mode, isSided: true), found.point) }
        let limit = max(found.cost, min(Self.placeReach, found.cost + Self.placeMargin))
        var spots: [Anchor.Spot] = spots(of: found, for: mode, isSided: false)
        for hit in grid.all(near: point, on: map, within: limit, penalty: penalty)
        where hit.arc != found.arc {
            let more = self.spots(of: hit, for: mode, isSided: false)
            if spots.count + more.count > Self.mostSpotsOfPlace { break }
            spots += more
        }
        return (spots, found.point)
    }

    /// The directions of the road in which one can leave and arrive.
    private func spots(
        of hit: RoadGrid.Hit, for mode: Route.Mode, isSided: Bool
    ) -> [Anchor.Spot] {
        let arc = map.arcs[hit.arc]
        let along = isStop(hit.arc, for: mode) ? Anchor.Spot(arc: hit.arc, share: hit.share) : nil
        guard arc.twin != RoadArc.noTwin, isStop(Int(arc.twin), for: mode) else {
            return [along].compactMap(\.self)
        }
        let back = Anchor.Spot(arc: Int(arc.twin), share: 1 - hit.share)
        guard let along else { return [back] }
        // Nobody turns across several lanes into a drive.
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

    /// Whether a mode may use an arc and get back from it.
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
