// What one waits for on the way along a piece of road; used by ArcTimes and TurnCosts.
internal import BridgecastCore
internal import BridgecastRoads

/// Waits along a line of points in the direction of travel.
struct ArcDelays {
    /// Stop signs at a line's end.
    enum Stop {
        case none, minor, all
    }

    let controls: JunctionControls
    let line: [Int32]
    let profile: RoadProfile
    /// Whether it is travelled against its drawing.
    let isBackward: Bool

    /// Clusters of signals that one comes to, leaving aside the one where the line begins.
    private func clusters() -> [Int32] {
        var counted: [Int32] = controls.core[line[0]].map { [$0] } ?? []
        let known = counted.count
        for position in line.indices.dropFirst() {
            guard let cluster = controls.cluster[line[position]], !counted.contains(cluster) else {
                continue
            }
            let ahead = position + 1 < line.count ? line[position + 1] : nil
            if let towards = controls.applies[line[position]] {
                guard towards == ahead || ahead == nil && towards != line[position - 1] else {
                    continue
                }
            }
            counted.append(cluster)
        }
        return Array(counted.dropFirst(known))
    }

    /// Seconds by car.
    func carSeconds(isDowntown: Bool) -> Double {
        var seconds = clusters().reduce(0) {
            $0 + controls.signalSeconds($1, profile, isDowntown: isDowntown)
        }
        for position in line.indices.dropFirst() {
            guard let mark = controls.marks[line[position]] else { continue }
            if mark.isStop, isHeeded(position, mark) {
                let isForAll = controls.isForAll(line[position])
                seconds += isForAll ? ControlDelays.stopForAll : ControlDelays.stop
            } else if mark.isGiveWay, isHeeded(position, mark) {
                seconds += ControlDelays.giveWay
            } else if mark.hasButton, controls.isLonelyButton(line[position]) {
                seconds += ControlDelays.button
            }
            seconds += mark.calming
        }
        return seconds
    }

    /// Seconds of bikes and of walkers at signals and stop signs.
    func otherSeconds() -> (bike: Double, walk: Double) {
        let signals = Double(clusters().count)
        let stops = line.indices.dropFirst().count { position in
            guard let mark = controls.marks[line[position]] else { return false }
            return mark.isStop && isHeeded(position, mark)
        }
        return (
            signals * ControlDelays.bikeAtSignal + Double(stops) * ControlDelays.bikeAtStop,
            signals * ControlDelays.walkAtSignal
        )
    }

    /// What stands at the end of the line.
    func stop() -> Stop {
        var metres = 0.0
        for position in line.indices.dropFirst().reversed() {
            if let mark = controls.marks[line[position]], mark.isStop || mark.isGiveWay,
                isHeeded(position, mark)
            {
                return controls.isForAll(line[position]) ? .all : .minor
            }
            metres += step(position)
            if metres > ControlDelays.clusterMetres { return .none }
        }
        return .none
    }

    /// Whether a sign stands for this direction: by its tag, or because the next junction is nearer than the last.
    private func isHeeded(_ position: Int, _ mark: NodeMarks) -> Bool {
        switch mark.direction {
        case .forward: return !isBackward
        case .backward: return isBackward
        case .both: return true
        case .unsaid: break
        }
        guard controls.degree[Int(line[position])] == 2 else { return true }
        let behind = (1...position).reduce(0) { $0 + step($1) }
        let ahead = (position + 1..<line.count).reduce(0) { $0 + step($1) }
        return ahead <= behind
    }

    /// Metres from the point before.
    private func step(_ position: Int) -> Double {
        controls.points[Int(line[position - 1])].metres(to: controls.points[Int(line[position])])
    }
}
