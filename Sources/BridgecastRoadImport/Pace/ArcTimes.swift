// Times of arcs in an empty city, by mode, and the group whose hours they share; used by RoadImport.
internal import BridgecastCore
internal import BridgecastRoads

/// Sets the times of arcs.
struct ArcTimes {
    let pieces: [RoadPiece]
    let strands: RoadStrands
    let controls: JunctionControls
    /// Signs of the arterials' pieces that end at a point.
    private var arterials: [Int32: [Int]] = [:]

    init(_ pieces: [RoadPiece], _ strands: RoadStrands, _ controls: JunctionControls) {
        (self.pieces, self.strands, self.controls) = (pieces, strands, controls)
        for piece in pieces {
            let profile = strands.profiles[piece.profile]
            guard (3...5).contains(RoadSpeeds.rank(profile)) else { continue }
            for end in [piece.tail, piece.head] {
                arterials[Int32(end), default: []].append(profile.sign)
            }
        }
    }

    /// Whether one crosses an arterial at a point, without signals.
    private func crossesArterial(at point: Int32, _ profile: RoadProfile) -> Bool {
        guard controls.core[point] == nil, let arms = arterials[point] else { return false }
        return arms.count { $0 != profile.sign || profile.sign == 0 } >= 2
            && RoadSpeeds.rank(profile) < 3
    }

    /// Sets times and group of an arc.
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
            PaceGroups.group(profile, hours, line.map { strands.points[Int($0)] }).rawValue
    }

    /// Tenths of seconds, at least one: 0 is closed.
    static func deciseconds(_ seconds: Double) -> UInt16 {
        UInt16(min(max((seconds * 10).rounded(.toNearestOrEven), 1), 65_535))
    }
}
