// From edges of a hierarchy to the pieces of road they stand for, with the time that each takes; used by WaySearch.

/// Writes ways out.
struct PathBuilder {
    private let network: RoadNetwork
    private let hierarchy: RoadHierarchy
    private let clock: TripClock

    init(_ network: RoadNetwork, _ hierarchy: RoadHierarchy, _ clock: TripClock) {
        (self.network, self.hierarchy, self.clock) = (network, hierarchy, clock)
    }

    /// The way along edges between two points of arcs.
    func path(from origin: Anchor.Spot, along edges: [UInt32], to end: TripEnd) -> Path {
        var singles: [HierarchyEdge] = []
        for edge in edges { hierarchy.unpack(edge, into: &singles) }
        var pieces: [Path.Piece] = []
        pieces.reserveCapacity(singles.count + 2)
        var time = clock.departure
        if origin.share < 1 {
            pieces.append(
                piece(origin.arc, origin.share, 1, free(origin.arc, 1 - origin.share), &time))
        }
        for single in singles where single.second != HierarchyEdge.noArc {
            let arc = Int(single.second)
            let before = time
            for group in PaceGroup.allCases where single.weights[Int(group.rawValue)] > 0 {
                time = clock.arrival(
                    Double(single.weights[Int(group.rawValue)]), group, at: time)
            }
            pieces.append(piece(arc, 0, 1, seconds: time - before))
        }
        if end.spot.share > 0 {
            pieces.append(piece(end.spot.arc, 0, end.spot.share, end.deciseconds, &time))
        }
        return Path(pieces: pieces)
    }

    /// The way along one arc.
    func path(on arc: Int, from start: Double, to end: Double) -> Path {
        var time = clock.departure
        return Path(pieces: [piece(arc, start, end, free(arc, end - start), &time)])
    }

    private func free(_ arc: Int, _ share: Double) -> Double {
        network.freeDeciseconds(arc, hierarchy.mode) * share
    }

    private func piece(
        _ arc: Int, _ start: Double, _ end: Double, _ deciseconds: Double, _ time: inout Double
    ) -> Path.Piece {
        let before = time
        time = clock.arrival(deciseconds, network.paceGroup(arc, hierarchy.mode), at: time)
        return piece(arc, start, end, seconds: time - before)
    }

    private func piece(
        _ arc: Int, _ start: Double, _ end: Double, seconds: Double
    ) -> Path.Piece {
        let road = network.map.arcs[arc]
        return Path.Piece(
            arc: arc, start: start, end: end, metres: Double(road.metres) * (end - start),
            minutes: seconds / 60,
            crossing: road.crossing == RoadArc.noCrossing ? nil : Int(road.crossing))
    }
}
