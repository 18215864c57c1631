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
    func path(_ trace: PathTrace) -> Path {
        let (origin, edges, end) = (trace.origin, trace.edges, trace.end)
        var singles: [HierarchyEdge] = []
        for edge in edges { hierarchy.unpack(edge, into: &singles) }
        var pieces: [Path.Piece] = []
        pieces.reserveCapacity(singles.count + 2)
        var time = clock.departure
        // What it seems to take.
        var seeming = clock.arrival(
            network.costDeciseconds(origin.arc, hierarchy.mode) * (1 - origin.share),
            network.paceGroup(origin.arc, hierarchy.mode), at: time)
        var last = origin.arc
        if origin.share < 1 {
            pieces.append(
                piece(origin.arc, origin.share, 1, free(origin.arc, 1 - origin.share), &time))
        }
        for single in singles where single.second != HierarchyEdge.noArc {
            let arc = Int(single.second)
            let before = time
            let reluctant = reluctantDeciseconds(from: last, to: arc)
            for group in PaceGroup.allCases where single.weights[Int(group.rawValue)] > 0 {
                let weight = Double(single.weights[Int(group.rawValue)])
                time = clock.arrival(max(0, weight - reluctant), group, at: time)
                seeming = clock.arrival(weight, group, at: seeming)
            }
            pieces.append(piece(arc, 0, 1, seconds: time - before))
            last = arc
        }
        if end.spot.share > 0 {
            pieces.append(
                piece(
                    end.spot.arc, 0, end.spot.share, end.deciseconds - end.reluctantDeciseconds,
                    &time))
        }
        seeming = clock.arrival(end.deciseconds, end.paceGroup, at: seeming)
        return Path(
            pieces: pieces, costMinutes: (seeming - clock.departure) / 60, trace: trace)
    }

    /// The way along one arc.
    func path(on arc: Int, from start: Double, to end: Double) -> Path {
        var time = clock.departure
        let whole = piece(arc, start, end, free(arc, end - start), &time)
        let seeming = network.costDeciseconds(arc, hierarchy.mode) * (end - start)
        let arrival = clock.arrival(
            seeming, network.paceGroup(arc, hierarchy.mode), at: clock.departure)
        return Path(pieces: [whole], costMinutes: (arrival - clock.departure) / 60)
    }

    /// What an edge has on top of the time of its arc and the turn onto it.
    private func reluctantDeciseconds(from last: Int, to arc: Int) -> Double {
        let (mode, arcs) = (hierarchy.mode, network.map.arcs)
        let turn = network.reluctance.deciseconds(from: arcs[last], onto: arcs[arc], mode)
        return Double(network.reluctance.deciseconds(on: arcs[arc], mode) + turn)
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
