/// Consecutive pieces of a path that are one road to a traveller; directions, names and routes are made from them.
struct DirectionStretch {
    enum Road: Equatable {
        /// The index of its name in the map; 0 is no name.
        case street(Int)
        case ramp
        case crossing(Int)

        var crossing: Int? { if case .crossing(let number) = self { number } else { nil } }
    }

    var road: Road
    /// Indices of the path's pieces, including short connections before and after the road itself.
    var pieces: Range<Int>
    /// First and last piece of the road itself.
    var first, last: Int

    /// Shorter connections are not mentioned, metres.
    private static let shortMetres = 60.0
    /// Shorter roads are the middle of a junction, metres.
    private static let junctionMetres = 15.0
    /// Shorter roads between two others are only passed, metres.
    private static let passedMetres = 50.0
    /// Shorter ramps between two parts of one road are lanes of it, metres.
    private static let laneMetres = 250.0

    /// - Parameter next: The stretch after it.
    func name(in path: Path, on network: RoadNetwork, next: Self?) -> String {
        switch road {
        case .street(let name): name == 0 ? "unnamed road" : network.map.names[name]
        case .ramp: rampName(in: path, on: network, next: next)
        case .crossing(let number): network.crossings[number].name
        }
    }

    /// Ramps are named after the road that the path takes next: signs name other roads, too.
    private func rampName(in path: Path, on network: RoadNetwork, next: Self?) -> String {
        switch next?.road {
        case .street(let name) where name != 0: return "ramp to \(network.map.names[name])"
        case .crossing(let number): return "ramp to \(network.crossings[number].name)"
        default:
            let signs = path.pieces[pieces].map { network.map.arcs[$0.arc] }
                .filter { $0.name != 0 && $0.flags.contains(.link) }
            return signs.last.map { "ramp to \(network.map.names[Int($0.name)])" } ?? "ramp"
        }
    }

    /// The stretches of a path, in order; every piece belongs to one.
    static func stretches(of path: Path, on network: RoadNetwork) -> [Self] {
        var all: [Self] = []
        for (index, piece) in path.pieces.enumerated() {
            let road = road(of: piece, on: network.map)
            if let last = all.last, last.road == road {
                all[all.count - 1].pieces = last.pieces.lowerBound..<index + 1
                all[all.count - 1].last = index
            } else {
                all.append(Self(road: road, pieces: index..<index + 1, first: index, last: index))
            }
        }
        return joiningShort(all, of: path)
    }

    /// The stretches of directions: a crossing and roads before and after it with the same name are one.
    static func steps(of path: Path, on network: RoadNetwork) -> [Self] {
        var steps: [Self] = []
        for stretch in stretches(of: path, on: network) {
            guard let last = steps.last, last.hasName(of: stretch, on: network) else {
                steps.append(stretch)
                continue
            }
            steps[steps.count - 1].pieces = last.pieces.lowerBound..<stretch.pieces.upperBound
            steps[steps.count - 1].last = stretch.last
            if last.road.crossing == nil { steps[steps.count - 1].road = stretch.road }
        }
        return steps
    }

    private func hasName(of other: Self, on network: RoadNetwork) -> Bool {
        switch (road, other.road) {
        case (.street(let name), .crossing(let number)), (.crossing(let number), .street(let name)):
            network.crossings[number].name == network.map.names[name]
        default: false
        }
    }

    private static func road(of piece: Path.Piece, on map: RoadMap) -> Road {
        let arc = map.arcs[piece.arc]
        if let crossing = piece.crossing { return .crossing(crossing) }
        return arc.flags.contains(.link) ? .ramp : .street(Int(arc.name))
    }

    /// Joins stretches that are too short to mention to the road after them, or else to the one before.
    private static func joiningShort(_ all: [Self], of path: Path) -> [Self] {
        var kept: [Self] = []
        // Consecutive short stretches.
        var short: Self?
        /// Joins them to the road before, or keeps them: crossings are not extended.
        func settle() {
            guard let left = short else { return }
            if let last = kept.last, last.road.crossing == nil {
                kept[kept.count - 1].pieces = last.pieces.lowerBound..<left.pieces.upperBound
            } else {
                kept.append(left)
            }
            short = nil
        }
        for (number, stretch) in all.enumerated() {
            let next = all[(number + 1)...].first { !$0.isConnection(of: path) }?.road
            if stretch.isShort(in: path, previous: kept.last?.road, next: next) {
                let start = short?.pieces.lowerBound ?? stretch.pieces.lowerBound
                short = short ?? stretch
                short?.pieces = start..<stretch.pieces.upperBound
                short?.last = stretch.last
                continue
            }
            if let last = kept.last, last.road == stretch.road {
                kept[kept.count - 1].pieces = last.pieces.lowerBound..<stretch.pieces.upperBound
                kept[kept.count - 1].last = stretch.last
                short = nil
                continue
            }
            if stretch.road.crossing != nil { settle() }
            var stretch = stretch
            let start = short?.pieces.lowerBound ?? stretch.pieces.lowerBound
            stretch.pieces = start..<stretch.pieces.upperBound
            kept.append(stretch)
            short = nil
        }
        settle()
        return kept
    }

    private func metres(of path: Path) -> Double {
        path.pieces[pieces].reduce(0) { $0 + $1.metres }
    }

    /// Whether it is a ramp or a road without a name that is too short to mention.
    private func isConnection(of path: Path) -> Bool {
        (road == .ramp || road == .street(0)) && metres(of: path) < Self.shortMetres
    }

    private func isShort(in path: Path, previous: Road?, next: Road?) -> Bool {
        let metres = metres(of: path)
        switch road {
        case .crossing: return false
        case .ramp, .street(0):
            return metres < Self.shortMetres
                || metres < Self.laneMetres && previous != nil && previous == next
        // The middle of a junction, or a bit of another road within one.
        case .street:
            return metres < Self.junctionMetres
                || metres < Self.passedMetres && previous != nil && next != nil
                    && previous?.crossing == nil && next?.crossing == nil
                || metres < Self.shortMetres && previous != nil && previous == next
        }
    }
}
