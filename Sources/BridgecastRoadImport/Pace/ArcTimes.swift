// The times of arcs in an empty city by mode, their delays on the way, and their pace groups. Not here: turns (TurnCosts).
internal import BridgecastCore
internal import BridgecastRoads

struct ArcTimes {
    let pieces: [RoadPiece]
    let strands: RoadStrands
    let controls: JunctionControls
    /// The signed names of the arterials' pieces that end at a point.
    private var arterials: [Int32: [Int]] = [:]

    init(_ pieces: [RoadPiece], _ strands: RoadStrands, _ controls: JunctionControls) {
        self.pieces = pieces
        self.strands = strands
        self.controls = controls
        for piece in pieces {
            let profile = strands.profiles[piece.profile]
            guard (3...5).contains(RoadSpeeds.rank(profile)) else { continue }
            for end in [piece.tail, piece.head] {
                arterials[Int32(end), default: []].append(profile.sign)
            }
        }
    }

    private func crossesArterial(at point: Int32, _ profile: RoadProfile) -> Bool {
        guard controls.core[point] == nil, let arms = arterials[point] else { return false }
        return arms.count { $0 != profile.sign || profile.sign == 0 } >= 2
            && RoadSpeeds.rank(profile) < 3
    }

    func set(_ arc: inout RoadArc, _ origin: RoadMapAssembly.Origin) {
        let piece = pieces[origin.piece]
        let profile = strands.profiles[piece.profile]
        let modes = origin.isBackward ? piece.backward : piece.forward
        let line = origin.isBackward ? piece.points.reversed() : piece.points
        let middle = strands.points[Int(line[line.count / 2])]
        let delays = ArcDelays(
            controls: controls, line: line, profile: profile, isBackward: origin.isBackward)
        let metres = Double(arc.metres)
        if modes.contains(.car) {
            let running = metres / RoadSpeeds.carKmh(profile, middle: middle) * 3.6
            let waits = delays.carSeconds(isDowntown: RoadSpeeds.isDowntown(middle))
            arc.carDeciseconds = Self.deciseconds(running + waits)
        }
        var waits = delays.otherSeconds()
        if crossesArterial(at: line[line.count - 1], profile) {
            waits.bike += ControlDelays.bikeAcross
            waits.walk += ControlDelays.walkAcross
        }
        if modes.contains(.bike) {
            let running = metres / RoadSpeeds.bikeKmh(profile) * 3.6
            arc.bikeDeciseconds = Self.deciseconds(running + waits.bike)
        }
        if modes.contains(.walk) {
            let running = metres / RoadSpeeds.walkKmh * 3.6
            arc.walkDeciseconds = Self.deciseconds(running + waits.walk)
        }
        let hours = origin.isBackward ? profile.backward.hours : profile.forward.hours
        arc.paceGroupValue =
            PaceGroups.group(of: profile, hours: hours, along: line.map { strands.points[Int($0)] })
            .rawValue
    }

    /// Tenths of seconds, at least one: 0 means closed.
    static func deciseconds(_ seconds: Double) -> UInt16 {
        UInt16(min(max((seconds * 10).rounded(.toNearestOrEven), 1), 65_535))
    }
}

// MARK: - Delays

/// Delays along a line of points in the direction of travel.
struct ArcDelays {
    /// Stop signs at a line's end.
    enum Stop {
        case none, minor, all
    }

    let controls: JunctionControls
    let line: [Int32]
    let profile: RoadProfile
    /// Whether the direction of travel is against that of the way.
    let isBackward: Bool

    /// Clusters of signals on the line, except the one where it begins.
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

    func carSeconds(isDowntown: Bool) -> Double {
        var seconds = clusters().reduce(0) {
            $0 + controls.signalSeconds($1, profile, isDowntown: isDowntown)
        }
        for position in line.indices.dropFirst() {
            guard let mark = controls.marks[line[position]] else { continue }
            if mark.isStop, applies(mark, at: position) {
                let isForAll = controls.isForAll(line[position])
                seconds += isForAll ? ControlDelays.stopForAll : ControlDelays.stop
            } else if mark.isGiveWay, applies(mark, at: position) {
                seconds += ControlDelays.giveWay
            } else if mark.hasButton, controls.isIsolatedButton(line[position]) {
                seconds += ControlDelays.button
            }
            seconds += mark.calming
        }
        return seconds
    }

    /// Seconds for bikes and people on foot at signals and stop signs.
    func otherSeconds() -> (bike: Double, walk: Double) {
        let signals = Double(clusters().count)
        let stops = line.indices.dropFirst().count { position in
            guard let mark = controls.marks[line[position]] else { return false }
            return mark.isStop && applies(mark, at: position)
        }
        return (
            signals * ControlDelays.bikeAtSignal + Double(stops) * ControlDelays.bikeAtStop,
            signals * ControlDelays.walkAtSignal
        )
    }

    func stop() -> Stop {
        var metres = 0.0
        for position in line.indices.dropFirst().reversed() {
            if let mark = controls.marks[line[position]], mark.isStop || mark.isGiveWay,
                applies(mark, at: position)
            {
                return controls.isForAll(line[position]) ? .all : .minor
            }
            metres += step(position)
            if metres > ControlDelays.clusterMetres { return .none }
        }
        return .none
    }

    /// Whether a sign applies to this direction: by its tag, or because the next junction is nearer than the last.
    private func applies(_ mark: NodeMarks, at position: Int) -> Bool {
        switch mark.direction {
        case .forward: return !isBackward
        case .backward: return isBackward
        case .both: return true
        case .unknown: break
        }
        guard controls.degree[Int(line[position])] == 2 else { return true }
        let before = (1...position).reduce(0) { $0 + step($1) }
        let ahead = (position + 1..<line.count).reduce(0) { $0 + step($1) }
        return ahead <= before
    }

    /// Metres from the point before.
    private func step(_ position: Int) -> Double {
        controls.points[Int(line[position - 1])].metres(to: controls.points[Int(line[position])])
    }
}
