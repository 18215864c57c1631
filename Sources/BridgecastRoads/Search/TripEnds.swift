// From the two ends of a trip to vertices of the hierarchy: where searches begin, and what they look for.
import BridgecastCore

package struct SearchStart {
    package let vertex: UInt32
    /// The time there, seconds of the ``TripClock``.
    package let seconds: Double
    /// The spot of the origin that leads there; nil after a crossing.
    let spot: Anchor.Spot?
}

extension [SearchStart] {
    /// The spot that leads first to a vertex where the search began.
    func spot(_ vertex: UInt32) -> Anchor.Spot? {
        filter { $0.vertex == vertex }.min { $0.seconds < $1.seconds }?.spot
    }
}

/// The last step of a trip: from a vertex to where it ends.
package struct TripEnd: Sendable {
    package let vertex: UInt32
    /// Tenths of a second of free travel on the last piece, including the turn onto it.
    package let deciseconds: Double
    /// How much of it is ``Reluctance``.
    let reluctantDeciseconds: Double
    package let paceGroup: PaceGroup
    let spot: Anchor.Spot
}

extension RoadNetwork {
    package func starts(
        of origin: Anchor, _ hierarchy: RoadHierarchy, _ clock: TripClock
    ) -> [SearchStart] {
        origin.spots.compactMap { spot -> SearchStart? in
            let vertex =
                hierarchy.isOnArcs
                ? hierarchy.vertices[spot.arc] : hierarchy.vertices[Int(map.arcs[spot.arc].head)]
            guard vertex != RoadHierarchy.noVertex else { return nil }
            let deciseconds = costDeciseconds(spot.arc, hierarchy.mode) * (1 - spot.share)
            return SearchStart(
                vertex: vertex,
                seconds: clock.arrival(
                    deciseconds, paceGroup(spot.arc, hierarchy.mode), at: clock.departure),
                spot: spot)
        }
    }

    package func ends(of destination: Anchor, _ hierarchy: RoadHierarchy) -> [TripEnd] {
        destination.spots.flatMap { spot -> [TripEnd] in
            let tail = Int(map.arcs[spot.arc].tail)
            let whole = freeDeciseconds(spot.arc, hierarchy.mode)
            let cost = costDeciseconds(spot.arc, hierarchy.mode)
            let group = paceGroup(spot.arc, hierarchy.mode)
            guard hierarchy.isOnArcs else {
                let vertex = hierarchy.vertices[tail]
                guard vertex != RoadHierarchy.noVertex else { return [] }
                return [
                    TripEnd(
                        vertex: vertex, deciseconds: cost * spot.share,
                        reluctantDeciseconds: (cost - whole) * spot.share, paceGroup: group,
                        spot: spot)
                ]
            }
            let target = hierarchy.vertices[spot.arc]
            guard target != RoadHierarchy.noVertex else { return [] }
            return map.arriving(tail).flatMap { arc -> [TripEnd] in
                let gate = hierarchy.gates.first { $0.arc == arc }
                let vertex = gate?.exit ?? hierarchy.vertices[Int(arc)]
                guard vertex != RoadHierarchy.noVertex else { return [] }
                return hierarchy.singles(from: vertex, to: target).map { single in
                    let all = Double(single.weights.wrappedSum())
                    // A trip that ends at the corner does not turn.
                    let last = spot.share == 0 ? 0 : max(0, all - cost * (1 - spot.share))
                    let turn = reluctance.deciseconds(
                        from: map.arcs[Int(arc)], onto: map.arcs[spot.arc], hierarchy.mode)
                    return TripEnd(
                        vertex: vertex, deciseconds: last,
                        reluctantDeciseconds: min(last, Double(turn) + (cost - whole) * spot.share),
                        paceGroup: group, spot: spot)
                }
            }
        }
    }

    /// Tenths of a second that an arc takes in an empty city; 0 if the mode is not allowed.
    func freeDeciseconds(_ arc: Int, _ mode: Route.Mode) -> Double {
        let arc = map.arcs[arc]
        return switch mode {
        case .car: Double(arc.carDeciseconds)
        case .bike: Double(arc.bikeDeciseconds)
        case .walk: Double(arc.walkDeciseconds)
        }
    }

    /// The same including the network's ``Reluctance``.
    func costDeciseconds(_ arc: Int, _ mode: Route.Mode) -> Double {
        freeDeciseconds(arc, mode) + Double(reluctance.deciseconds(on: map.arcs[arc], mode))
    }

    /// The pace group of an arc for a mode; only the times of cars depend on the hour.
    func paceGroup(_ arc: Int, _ mode: Route.Mode) -> PaceGroup {
        mode == .car ? map.arcs[arc].paceGroup : .local
    }
}
