// From the edges of a hierarchy to a path with its metres and minutes.
/// The edges of a hierarchy that a path was built from, and where it begins and ends.
struct PathTrace: Sendable {
    /// Numbers in the mode's hierarchy, in order.
    let edges: [UInt32]
    let origin: Anchor.Spot
    let end: TripEnd
}

struct PathBuilder {
    private let network: RoadNetwork
    private let hierarchy: RoadHierarchy
    private let clock: TripClock

    init(_ network: RoadNetwork, _ hierarchy: RoadHierarchy, _ clock: TripClock) {
        self.network = network
        self.hierarchy = hierarchy
        self.clock = clock
    }

    /// The path along edges between two points of arcs.
    func path(_ trace: PathTrace) -> Path {
        let origin = trace.origin
        let end = trace.end
        var singles: [HierarchyEdge] = []
        for edge in trace.edges { hierarchy.unpack(edge, into: &singles) }
        var pieces: [Path.Piece] = []
        pieces.reserveCapacity(singles.count + 2)
        var time = clock.departure
        // Time with reluctance.
        var cost = clock.arrival(
            network.costDeciseconds(origin.arc, hierarchy.mode) * (1 - origin.share),
            network.paceGroup(origin.arc, hierarchy.mode), at: time)
        var last = origin.arc
        if origin.share < 1 {
            pieces.append(
                piece(
                    origin.arc, from: origin.share, to: 1, free(origin.arc, 1 - origin.share),
                    at: &time))
        }
        for single in singles where single.second != HierarchyEdge.noArc {
            let arc = Int(single.second)
            let before = time
            let reluctant = reluctantDeciseconds(from: last, to: arc)
            for group in PaceGroup.allCases where single.weights[Int(group.rawValue)] > 0 {
                let weight = Double(single.weights[Int(group.rawValue)])
                time = clock.arrival(max(0, weight - reluctant), group, at: time)
                cost = clock.arrival(weight, group, at: cost)
            }
            pieces.append(piece(arc, from: 0, to: 1, seconds: time - before))
            last = arc
        }
        if end.spot.share > 0 {
            pieces.append(
                piece(
                    end.spot.arc, from: 0, to: end.spot.share,
                    end.deciseconds - end.reluctantDeciseconds, at: &time))
        }
        cost = clock.arrival(end.deciseconds, end.paceGroup, at: cost)
        return Path(pieces: pieces, costMinutes: (cost - clock.departure) / 60, trace: trace)
    }

    func path(on arc: Int, from start: Double, to end: Double) -> Path {
        var time = clock.departure
        let whole = piece(arc, from: start, to: end, free(arc, end - start), at: &time)
        let cost = network.costDeciseconds(arc, hierarchy.mode) * (end - start)
        let arrival = clock.arrival(
            cost, network.paceGroup(arc, hierarchy.mode), at: clock.departure)
        return Path(pieces: [whole], costMinutes: (arrival - clock.departure) / 60)
    }

    private func reluctantDeciseconds(from last: Int, to arc: Int) -> Double {
        let mode = hierarchy.mode
        let arcs = network.map.arcs
        let turn = network.reluctance.deciseconds(from: arcs[last], onto: arcs[arc], mode)
        return Double(network.reluctance.deciseconds(on: arcs[arc], mode) + turn)
    }

    private func free(_ arc: Int, _ share: Double) -> Double {
        network.freeDeciseconds(arc, hierarchy.mode) * share
    }

    private func piece(
        _ arc: Int, from start: Double, to end: Double, _ deciseconds: Double, at time: inout Double
    ) -> Path.Piece {
        let before = time
        time = clock.arrival(deciseconds, network.paceGroup(arc, hierarchy.mode), at: time)
        return piece(arc, from: start, to: end, seconds: time - before)
    }

    private func piece(
        _ arc: Int, from start: Double, to end: Double, seconds: Double
    ) -> Path.Piece {
        let road = network.map.arcs[arc]
        return Path.Piece(
            arc: arc, start: start, end: end, metres: Double(road.metres) * (end - start),
            minutes: seconds / 60,
            crossing: road.crossing == RoadArc.noCrossing ? nil : Int(road.crossing))
    }
}
