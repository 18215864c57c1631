// All ways through a small network, tried one after another: what the search is measured by.
import BridgecastCore

import BridgecastRoadImport
@testable import BridgecastRoads

/// Tries every way on which no crossing is passed twice, and keeps the quickest of each sequence of crossings.
struct EveryWay {
    private let town: RandomTown
    private let mode: Route.Mode
    private let clock: TripClock
    private let destination: Anchor.Spot
    private let reluctance: Reluctance
    /// Minutes by sequence of crossings.
    private(set) var minutes: [[Int]: Double] = [:]
    private var crossed: [Int] = []
    /// Earliest times seen by place and sequence: whoever comes later goes on no earlier.
    private var seen: [Visit: Double] = [:]

    private struct Visit: Hashable {
        let place: Int
        let crossed: [Int]
    }

    init(
        _ town: RandomTown, _ mode: Route.Mode, from origin: Anchor.Spot,
        to destination: Anchor.Spot, leaving departure: Timestamp,
        _ reluctance: Reluctance = .none
    ) {
        (self.town, self.mode, self.destination) = (town, mode, destination)
        self.reluctance = reluctance
        clock = TripClock(departure, mode == .car ? town.paces : .free)
        if origin.arc == destination.arc, destination.share >= origin.share {
            let whole = free(origin.arc) * (destination.share - origin.share)
            arrive(at: pass(whole, origin.arc, at: clock.departure))
        }
        goOn(
            from: origin.arc,
            at: pass(free(origin.arc) * (1 - origin.share), origin.arc, at: clock.departure))
    }

    /// From the head of an arc along every arc that may follow.
    private mutating func goOn(from arc: Int, at time: Double) {
        let visit = Visit(
            place: mode == .car ? arc : Int(town.map.arcs[arc].head), crossed: crossed)
        guard time < seen[visit] ?? .infinity else { return }
        seen[visit] = time
        if mode != .car, town.map.arcs[arc].head == town.map.arcs[destination.arc].tail {
            arrive(at: pass(free(destination.arc) * destination.share, destination.arc, at: time))
        }
        let nexts =
            mode == .car
            ? town.turns.filter { $0.from == arc }.map {
                ($0.to, Double($0.deciseconds) + entering(arc, $0.to))
            }
            : town.map.departing(Int(town.map.arcs[arc].head)).map { ($0, 0) }
        for (next, turn) in nexts {
            if mode == .car, next == destination.arc {
                let last =
                    destination.share == 0 ? 0 : turn + free(destination.arc) * destination.share
                arrive(at: pass(last, destination.arc, at: time))
            }
            let behind = pass(turn + free(next), next, at: time)
            let crossing = town.map.arcs[next].crossing
            guard crossing != RoadArc.noCrossing else {
                goOn(from: next, at: behind)
                continue
            }
            guard !crossed.contains(Int(crossing)) else { continue }
            crossed.append(Int(crossing))
            goOn(from: next, at: behind)
            crossed.removeLast()
        }
    }

    private mutating func arrive(at time: Double) {
        minutes[crossed] = min(minutes[crossed] ?? .infinity, (time - clock.departure) / 60)
    }

    private func pass(_ deciseconds: Double, _ arc: Int, at time: Double) -> Double {
        clock.arrival(deciseconds, mode == .car ? town.map.arcs[arc].paceGroup : .local, at: time)
    }

    private func free(_ arc: Int) -> Double {
        let arc = town.map.arcs[arc]
        let time =
            switch mode {
            case .car: arc.carDeciseconds
            case .bike: arc.bikeDeciseconds
            case .walk: arc.walkDeciseconds
            }
        return Double(Int(time) + reluctance.deciseconds(on: arc, mode))
    }

    private func entering(_ arc: Int, _ next: Int) -> Double {
        let arcs = town.map.arcs
        return Double(reluctance.deciseconds(from: arcs[arc], onto: arcs[next], mode))
    }
}
