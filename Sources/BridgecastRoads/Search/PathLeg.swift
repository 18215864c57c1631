// A path taken apart at its crossings, so that AlternativeSearch can look for other ways between them.

/// A stretch of a path between two crossings, or an end and a crossing.
struct PathLeg {
    /// Positions in the trace's edges.
    let edges: Range<Int>
    let starts: [TripStart]
    let ends: [TripEnd]
    /// Seconds that it takes.
    let seconds: Double
    /// Stands still at the paces in its middle; starts and ends are by it.
    let clock: TripClock
}

extension AlternativeSearch {
    /// The stretches of a path, in order: one more than it has crossings.
    func legs(of path: Path, _ trace: PathTrace) -> [PathLeg] {
        let gates = path.pieces.filter { $0.crossing != nil }.compactMap { piece in
            hierarchy.gates.first { Int($0.arc) == piece.arc }
        }
        // When one is at the origin, behind each crossing, and at the destination.
        var times = [clock.departure]
        var time = clock.departure
        for piece in path.pieces {
            time += piece.minutes * 60
            if piece.crossing != nil { times.append(time) }
        }
        times.append(time)
        var legs: [PathLeg] = []
        var first = 0
        for place in 0...gates.count {
            let entry = place < gates.count ? gates[place].entry : nil
            let end =
                entry.flatMap { entry in
                    trace.edges[first...].firstIndex {
                        $0 < hierarchy.upward.count && hierarchy.edge($0).other == entry
                    }
                }.map { $0 + 1 } ?? trace.edges.count
            let clock = TripClock(standingAt: (times[place] + times[place + 1]) / 2, of: self.clock)
            legs.append(
                PathLeg(
                    edges: first..<end,
                    starts: place == 0
                        ? network.starts(of: origin, hierarchy, clock)
                        : [TripStart(vertex: gates[place - 1].exit, seconds: 0, spot: nil)],
                    ends: entry.map {
                        [
                            TripEnd(
                                vertex: $0, deciseconds: 0, reluctantDeciseconds: 0,
                                paceGroup: .local, spot: trace.origin)
                        ]
                    } ?? network.ends(of: destination, hierarchy),
                    seconds: times[place + 1] - times[place], clock: clock))
            first = end
        }
        return legs
    }
}
