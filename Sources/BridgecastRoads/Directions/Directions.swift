// The directions of a path, step by step. Not here: how its pieces become steps (DirectionStretch).
public import BridgecastCore

extension Path {
    /// The steps of the path: roads as far as it follows them, crossings of water by their own names, and the arrival.
    ///
    /// Turning lanes and other short connections are part of the road that they lead to; longer ramps are steps.
    /// Metres and minutes of all steps add up to those of the path.
    /// - Precondition: The path was found on the network.
    public func directions(on network: RoadNetwork) -> [DirectionStep] {
        let stretches = DirectionStretch.steps(of: self, on: network)
        guard let last = stretches.last, let end = pieces.last else { return [] }
        var steps: [DirectionStep] = []
        for (number, stretch) in stretches.enumerated() {
            let manoeuvre: Manoeuvre =
                if number == 0 {
                    .start
                } else if stretch.road == .ramp {
                    .ramp
                } else {
                    Manoeuvre(
                        turning: turn(from: stretches[number - 1], to: stretch, on: network.map))
                }
            let travelled = pieces[stretch.pieces]
            steps.append(
                DirectionStep(
                    manoeuvre: manoeuvre,
                    name: stretch.name(
                        in: self, on: network,
                        next: number + 1 < stretches.count ? stretches[number + 1] : nil),
                    metres: travelled.reduce(0) { $0 + $1.metres },
                    minutes: travelled.reduce(0) { $0 + $1.minutes },
                    crossing: stretch.road.crossing,
                    point: network.map.point(
                        of: pieces[stretch.pieces.lowerBound].arc,
                        at: pieces[stretch.pieces.lowerBound].start)))
        }
        steps.append(
            DirectionStep(
                manoeuvre: .arrive, name: last.name(in: self, on: network, next: nil), metres: 0,
                minutes: 0, crossing: nil, point: network.map.point(of: end.arc, at: end.end)))
        return steps
    }

    /// The turn from one road into another, degrees clockwise, -180...180.
    private func turn(from: DirectionStretch, to: DirectionStretch, on map: RoadMap) -> Double {
        let incoming = line((from.first...from.last).reversed(), on: map, isBackward: true)
        let outgoing = line(to.first...to.last, on: map, isBackward: false)
        let degrees =
            RoadMap.bearing(outgoing, metres: Self.lookMetres)
            - RoadMap.bearing(incoming, metres: Self.lookMetres) - 180
        return degrees - 360 * (degrees / 360).rounded()
    }

    /// The line along pieces, as far as turns depend on it.
    private func line(
        _ indices: some Collection<Int>, on map: RoadMap, isBackward: Bool
    ) -> [GeoPoint] {
        var line: [GeoPoint] = []
        var metres = 0.0
        for index in indices where metres < Self.lookMetres {
            let piece = pieces[index]
            let points = map.line(piece.arc, from: piece.start, to: piece.end)
            line += isBackward ? points.reversed() : points
            metres += piece.metres
        }
        return line
    }

    /// A turn depends on the roads this far before and after it, metres.
    private static let lookMetres = 25.0
}

/// A road as far as the path follows it, a crossing of water, or the arrival.
public struct DirectionStep: Sendable, Equatable, Codable {
    /// What to do where it begins.
    public let manoeuvre: Manoeuvre
    /// The road or the crossing; "unnamed road" if it has no name; for a ramp where it leads, such as "ramp to I-5";
    /// for the arrival the last road.
    public let name: String
    /// Metres, and minutes at the pace of the hour.
    public let metres, minutes: Double
    /// Index into ``RoadNetwork/crossings``, if it crosses water.
    public let crossing: Int?
    /// Where it begins.
    public let point: GeoPoint
}

/// What to do where a step begins.
public enum Manoeuvre: String, Sendable, Codable, CaseIterable {
    case start, straight, slightLeft, left, sharpLeft, slightRight, right, sharpRight, uTurn
    /// Onto a ramp, whichever way it leads.
    case ramp
    case arrive

    /// - Parameter degrees: Clockwise, -180...180.
    init(turning degrees: Double) {
        let isLeft = degrees < 0
        self =
            switch abs(degrees) {
            case ..<20: .straight
            case ..<50: isLeft ? .slightLeft : .slightRight
            case ..<125: isLeft ? .left : .right
            case ..<165: isLeft ? .sharpLeft : .sharpRight
            default: .uTurn
            }
    }
}
