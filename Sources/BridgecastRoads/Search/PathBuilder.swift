// From the edges of a hierarchy to a path with its metres and minutes.
import BridgecastCore

/// The edges of a hierarchy that a path was built from, and where it begins and ends.
struct PathTrace: Sendable {
    /// Numbers in the mode's hierarchy, in order.
    let edges: [UInt32]
    let origin: Anchor.Spot
    let end: TripEnd
}

/// A piece of a path without its time: what it takes in an empty city, and whose pace it has.
struct PathStretch {
    let arc: Int
    /// Where on the arc it begins and ends, 0...1.
    let start, end: Double
    let group: PaceGroup
    /// Tenths of a second of free travel, without and with the network's ``Reluctance``.
    let deciseconds, costDeciseconds: Double
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
        path(network.stretches(of: trace, hierarchy), trace: trace)
    }

    func path(on arc: Int, from start: Double, to end: Double) -> Path {
        path([network.stretch(arc, from: start, to: end, hierarchy.mode)], trace: nil)
    }

    private func path(_ stretches: [PathStretch], trace: PathTrace?) -> Path {
        var time = clock.departure
        var cost = clock.departure
        var pieces: [Path.Piece] = []
        pieces.reserveCapacity(stretches.count)
        for stretch in stretches {
            let before = time
            time = clock.arrival(stretch.deciseconds, stretch.group, at: time)
            cost = clock.arrival(stretch.costDeciseconds, stretch.group, at: cost)
            pieces.append(piece(stretch, seconds: time - before))
        }
        return Path(pieces: pieces, costMinutes: (cost - clock.departure) / 60, trace: trace)
    }

    private func piece(_ stretch: PathStretch, seconds: Double) -> Path.Piece {
        let road = network.map.arcs[stretch.arc]
        return Path.Piece(
            arc: stretch.arc, start: stretch.start, end: stretch.end,
            metres: Double(road.metres) * (stretch.end - stretch.start), minutes: seconds / 60,
            crossing: road.crossing == RoadArc.noCrossing ? nil : Int(road.crossing))
    }
}

extension RoadNetwork {
    /// The stretches of a path, one for each of its pieces.
    func stretches(of trace: PathTrace, _ hierarchy: RoadHierarchy) -> [PathStretch] {
        let origin = trace.origin
        let end = trace.end
        var singles: [HierarchyEdge] = []
        for edge in trace.edges { hierarchy.unpack(edge, into: &singles) }
        var stretches: [PathStretch] = []
        stretches.reserveCapacity(singles.count + 2)
        if origin.share < 1 {
            stretches.append(stretch(origin.arc, from: origin.share, to: 1, hierarchy.mode))
        }
        var last = origin.arc
        for single in singles where single.second != HierarchyEdge.noArc {
            let arc = Int(single.second)
            // All of a single edge has the pace of its arc.
            let group = PaceGroup.allCases.first { single.weights[Int($0.rawValue)] > 0 } ?? .local
            let cost = Double(single.weights[Int(group.rawValue)])
            let reluctant = reluctantDeciseconds(from: last, to: arc, hierarchy.mode)
            stretches.append(
                PathStretch(
                    arc: arc, start: 0, end: 1, group: group,
                    deciseconds: max(0, cost - reluctant), costDeciseconds: cost))
            last = arc
        }
        if end.spot.share > 0 {
            stretches.append(
                PathStretch(
                    arc: end.spot.arc, start: 0, end: end.spot.share, group: end.paceGroup,
                    deciseconds: end.deciseconds - end.reluctantDeciseconds,
                    costDeciseconds: end.deciseconds))
        }
        return stretches
    }

    /// A part of one arc.
    func stretch(_ arc: Int, from start: Double, to end: Double, _ mode: Route.Mode) -> PathStretch
    {
        PathStretch(
            arc: arc, start: start, end: end, group: paceGroup(arc, mode),
            deciseconds: freeDeciseconds(arc, mode) * (end - start),
            costDeciseconds: costDeciseconds(arc, mode) * (end - start))
    }

    private func reluctantDeciseconds(from last: Int, to arc: Int, _ mode: Route.Mode) -> Double {
        let turn = reluctance.deciseconds(from: map.arcs[last], onto: map.arcs[arc], mode)
        return Double(reluctance.deciseconds(on: map.arcs[arc], mode) + turn)
    }
}
