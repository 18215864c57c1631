// A path taken apart at its crossings, so that AlternativeSearch can look for other ways between them.

/// A stretch of a path between two crossings, or an end and a crossing.
struct PathLeg {
    /// Positions in the trace's edges.
    let edges: Range<Int>
    let starts: [TripStart]
    let ends: [TripEnd]
    /// What it takes on the path.
    let seconds: Double
    /// Stands still at the paces in its middle; starts and ends are by it.
    let clock: TripClock
    let isFirst, isLast: Bool

    /// When one is where the leg's edges begin, seconds of its clock.
    func startSeconds(_ trace: PathTrace) -> Double {
        guard isFirst else { return 0 }
        return starts.first { $0.spot == trace.origin }?.seconds ?? 0
    }

    /// What the last piece of the trip takes behind the leg's edges, seconds of its clock.
    func endSeconds(_ trace: PathTrace) -> Double {
        isLast ? clock.arrival(trace.end.deciseconds, trace.end.paceGroup, at: 0) : 0
    }
}

extension AlternativeSearch {
    /// The legs of a path, in order: one more than it has crossings; nil if they do not fit its edges.
    func legs(of path: Path, _ trace: PathTrace) -> [PathLeg]? {
        let crossings = path.pieces.filter { $0.crossing != nil }
        let gates = crossings.compactMap { piece in
            hierarchy.gates.first { Int($0.arc) == piece.arc }
        }
        guard gates.count == crossings.count else { return nil }
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
            let isLast = place == gates.count
            let clock = TripClock(standingAt: (times[place] + times[place + 1]) / 2, of: self.clock)
            guard
                let end = isLast
                    ? trace.edges.count : end(of: gates[place], in: trace, after: first)
            else { return nil }
            legs.append(
                PathLeg(
                    edges: first..<end,
                    starts: place == 0
                        ? network.starts(of: origin, hierarchy, clock)
                        : [TripStart(vertex: gates[place - 1].exit, seconds: 0, spot: nil)],
                    ends: isLast
                        ? network.ends(of: destination, hierarchy)
                        : [TripEnd(at: gates[place].entry, trace.origin)],
                    seconds: times[place + 1] - times[place], clock: clock, isFirst: place == 0,
                    isLast: isLast))
            first = end
        }
        return legs
    }

    /// Behind the edge of a trace that leads over a gate.
    private func end(
        of gate: RoadHierarchy.Gate, in trace: PathTrace, after first: Int
    ) -> Int? {
        trace.edges[first...].firstIndex {
            $0 < hierarchy.upward.count && hierarchy.edge($0).other == gate.entry
        }.map { $0 + 1 }
    }
}

extension TripEnd {
    /// An end at a vertex itself, with nothing behind it; nobody looks at its spot.
    fileprivate init(at vertex: UInt32, _ spot: Anchor.Spot) {
        self.init(
            vertex: vertex, deciseconds: 0, reluctantDeciseconds: 0, paceGroup: .local, spot: spot)
    }
}
