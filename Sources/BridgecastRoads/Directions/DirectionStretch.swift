// Pieces of a path that are told as one step; Path's directions and names are made of them.

/// Pieces in a row that are one road to those who follow it.
struct DirectionStretch {
    /// What is the same of all its pieces.
    enum Road: Equatable {
        /// The number of its name in the map; 0 is none.
        case street(Int)
        case ramp
        case crossing(Int)

        var crossing: Int? { if case .crossing(let number) = self { number } else { nil } }
    }

    var road: Road
    /// Positions in the path's pieces, with short connections before and behind the road itself.
    var pieces: Range<Int>
    /// First and last piece of the road itself.
    var first, last: Int

    /// Connections shorter than this are not told of, metres.
    private static let shortMetres = 60.0
    /// Roads shorter than this are only passed, metres; at the ends of a way, and between others.
    private static let (junctionMetres, passedMetres) = (15.0, 50.0)
    /// Ramps between parts of one road that are shorter than this are lanes of it, metres.
    private static let laneMetres = 250.0

    /// What it is called in directions.
    ///
    /// - Parameter behind: The stretch that follows.
    func name(in path: Path, on network: RoadNetwork, behind: Self?) -> String {
        switch road {
        case .street(let name): name == 0 ? "unnamed road" : network.map.names[name]
        case .ramp: rampName(path, network, behind)
        case .crossing(let number): network.crossings[number].name
        }
    }

    /// Ramps are called by the road that they lead to on this way: signs name what lies on others, too.
    private func rampName(_ path: Path, _ network: RoadNetwork, _ behind: Self?) -> String {
        switch behind?.road {
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
        for (place, piece) in path.pieces.enumerated() {
            let road = road(of: piece, on: network.map)
            if let last = all.last, last.road == road {
                all[all.count - 1].pieces = last.pieces.lowerBound..<place + 1
                all[all.count - 1].last = place
            } else {
                all.append(Self(road: road, pieces: place..<place + 1, first: place, last: place))
            }
        }
        return swallowingShort(all, path)
    }

    /// The stretches as they are told: a crossing and roads before and behind it that are called like it are one.
    static func told(of path: Path, on network: RoadNetwork) -> [Self] {
        var told: [Self] = []
        for stretch in stretches(of: path, on: network) {
            guard let last = told.last, last.isCalled(like: stretch, on: network) else {
                told.append(stretch)
                continue
            }
            told[told.count - 1].pieces = last.pieces.lowerBound..<stretch.pieces.upperBound
            told[told.count - 1].last = stretch.last
            if last.road.crossing == nil { told[told.count - 1].road = stretch.road }
        }
        return told
    }

    private func isCalled(like other: Self, on network: RoadNetwork) -> Bool {
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

    /// Joins what is too short to be told of to the road behind it, or else to the one before it.
    private static func swallowingShort(_ all: [Self], _ path: Path) -> [Self] {
        var kept: [Self] = []
        // What is short in a row.
        var short: Self?
        /// Joins it to the road before it, or tells of it after all: crossings are no longer than they are.
        func settle() {
            guard let left = short else { return }
            if let last = kept.last, last.road.crossing == nil {
                kept[kept.count - 1].pieces =
                    last.pieces.lowerBound..<left.pieces.upperBound
            } else {
                kept.append(left)
            }
            short = nil
        }
        for (number, stretch) in all.enumerated() {
            let behind = all[(number + 1)...].first { !$0.isConnection(path) }?.road
            if stretch.isShort(path, before: kept.last?.road, behind: behind) {
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

    private func metres(_ path: Path) -> Double {
        path.pieces[pieces].reduce(0) { $0 + $1.metres }
    }

    /// Whether it is a ramp or a road without a name that is never told of.
    private func isConnection(_ path: Path) -> Bool {
        (road == .ramp || road == .street(0)) && metres(path) < Self.shortMetres
    }

    private func isShort(_ path: Path, before: Road?, behind: Road?) -> Bool {
        let metres = metres(path)
        switch road {
        case .crossing: return false
        case .ramp, .street(0):
            return metres < Self.shortMetres
                || metres < Self.laneMetres && before != nil && before == behind
        // The middle of a junction, or a bit of another road within one.
        case .street:
            return metres < Self.junctionMetres
                || metres < Self.passedMetres && before != nil && behind != nil
                    && before?.crossing == nil && behind?.crossing == nil
                || metres < Self.shortMetres && before != nil && before == behind
        }
    }
}
