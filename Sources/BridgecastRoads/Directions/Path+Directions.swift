// From a path to what one is told on the way.
// Belongs here: what is told and shown of a path: names, steps, lines, documents; not: how paths are found.
internal import BridgecastCore

extension Path {
    /// The steps of the way: roads as far as one follows them, crossings of water by their own names, and the arrival.
    ///
    /// Turning lanes and other short connections are part of the road that they lead to; longer ramps are steps.
    /// Metres and minutes of all steps add up to those of the path.
    /// - Precondition: The path was found on the network.
    public func directions(on network: RoadNetwork) -> [DirectionStep] {
        let stretches = DirectionStretch.told(of: self, on: network)
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
                        turning: turn(
                            from: stretches[number - 1], to: stretch, on: network.map))
                }
            let travelled = pieces[stretch.pieces]
            steps.append(
                DirectionStep(
                    manoeuvre: manoeuvre,
                    name: stretch.name(
                        in: self, on: network,
                        behind: number + 1 < stretches.count ? stretches[number + 1] : nil),
                    metres: travelled.reduce(0) { $0 + $1.metres },
                    minutes: travelled.reduce(0) { $0 + $1.minutes },
                    crossing: stretch.road.crossing,
                    point: network.map.point(
                        of: pieces[stretch.pieces.lowerBound].arc,
                        at: pieces[stretch.pieces.lowerBound].start)))
        }
        steps.append(
            DirectionStep(
                manoeuvre: .arrive, name: last.name(in: self, on: network, behind: nil), metres: 0,
                minutes: 0,
                crossing: nil, point: network.map.point(of: end.arc, at: end.end)))
        return steps
    }

    /// Degrees that one turns from one road into another, clockwise, -180...180.
    private func turn(
        from: DirectionStretch, to: DirectionStretch, on map: RoadMap
    ) -> Double {
        let before = line((from.first...from.last).reversed(), on: map, isBackward: true)
        let behind = line(to.first...to.last, on: map, isBackward: false)
        let degrees =
            RoadMap.bearing(behind, metres: Self.lookMetres)
            - RoadMap.bearing(before, metres: Self.lookMetres) - 180
        return degrees - 360 * (degrees / 360).rounded()
    }

    /// The line along pieces, as far as one looks.
    private func line(
        _ places: some Collection<Int>, on map: RoadMap, isBackward: Bool
    ) -> [GeoPoint] {
        var line: [GeoPoint] = []
        var metres = 0.0
        for place in places where metres < Self.lookMetres {
            let piece = pieces[place]
            let points = map.line(piece.arc, from: piece.start, to: piece.end)
            line += isBackward ? points.reversed() : points
            metres += piece.metres
        }
        return line
    }

    /// A turn is told by how the roads lead so far before and behind it, metres.
    private static let lookMetres = 25.0
}
