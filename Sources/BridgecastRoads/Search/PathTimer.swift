// One path timed at many departures: what it takes by pace group, without its roads.
package import BridgecastCore

/// Times a path at any departure, as a search that finds it then would; stretches of one pace group are added up before.
package struct PathTimer: Sendable {
    /// What a path takes when leaving at some time, minutes.
    package struct Times: Sendable, Equatable {
        /// With the network's ``Reluctance``, by which paths are chosen.
        package let costMinutes: Double
        /// From the middle of one drawbridge to the middle of the next, the origin and the destination included.
        package let legMinutes: [Double]

        /// Without delays at bridges.
        package var minutes: Double { legMinutes.reduce(0, +) }
    }

    /// Consecutive stretches of one pace group.
    private struct Run {
        let group: Int
        var deciseconds: Double
    }

    /// Travel without reluctance; a drawbridge is a run of its own.
    private var runs: [Run] = []
    private var drawbridges: Set<Int> = []
    /// With reluctance.
    private var costRuns: [Run] = []

    /// - Precondition: The path was found on the network for that mode.
    package init(_ path: Path, on network: RoadNetwork, mode: Route.Mode) {
        for stretch in network.stretches(of: path, mode) {
            let crossing = network.map.arcs[stretch.arc].crossing
            let isDrawbridge =
                crossing != RoadArc.noCrossing && network.crossings[Int(crossing)].bridge != nil
            let group = Int(stretch.group.rawValue)
            if let last = runs.last, last.group == group, !isDrawbridge,
                !drawbridges.contains(runs.count - 1)
            {
                runs[runs.count - 1].deciseconds += stretch.deciseconds
            } else {
                if isDrawbridge { drawbridges.insert(runs.count) }
                runs.append(Run(group: group, deciseconds: stretch.deciseconds))
            }
            if costRuns.last?.group == group {
                costRuns[costRuns.count - 1].deciseconds += stretch.costDeciseconds
            } else {
                costRuns.append(Run(group: group, deciseconds: stretch.costDeciseconds))
            }
        }
    }

    /// O(runs).
    package func times(_ clock: TripClock) -> Times {
        clock.withRows { rows in
            let cost = costRuns.reduce(clock.departure) {
                rows.arrival($1.deciseconds, $1.group, at: $0)
            }
            var time = clock.departure
            var legStart = time
            var legs: [Double] = []
            for (index, run) in runs.enumerated() {
                let before = time
                time = rows.arrival(run.deciseconds, run.group, at: before)
                guard drawbridges.contains(index) else { continue }
                let middle = (before + time) / 2
                legs.append((middle - legStart) / 60)
                legStart = middle
            }
            legs.append((time - legStart) / 60)
            return Times(costMinutes: (cost - clock.departure) / 60, legMinutes: legs)
        }
    }
}

extension RoadNetwork {
    /// The paces from a departure on; only cars have any.
    package func clock(_ departure: Timestamp, _ mode: Route.Mode) -> TripClock {
        TripClock(departure, mode == .car ? paces : .free)
    }

    /// The stretches of a path, one for each of its pieces.
    fileprivate func stretches(of path: Path, _ mode: Route.Mode) -> [PathStretch] {
        if let trace = path.trace { return stretches(of: trace, hierarchy(mode)) }
        return path.pieces.map { stretch($0.arc, from: $0.start, to: $0.end, mode) }
    }
}

extension PlannedRoute {
    /// The same route with the travel times of another departure.
    package func route(taking times: PathTimer.Times) -> Route {
        precondition(
            times.legMinutes.count == route.crossings.count + 1, "the times are of another path")
        var route = route
        var legs = times.legMinutes[...]
        route.steps = route.steps.map { step in
            guard case .travel = step, let minutes = legs.popFirst() else { return step }
            return .travel(Route.Travel(minutes: minutes))
        }
        return route
    }
}
