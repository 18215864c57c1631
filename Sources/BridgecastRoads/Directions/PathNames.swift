// Names of a path as people would give them: its crossings and its longest roads, or what distinguishes it from others.
extension Path {
    /// Its crossings, and the longest roads between them.
    ///
    /// - Precondition: The path was found on the network.
    public func name(on network: RoadNetwork) -> String {
        name(DirectionStretch.stretches(of: self, on: network), on: network)
    }

    /// - Parameter road: A road that is named however short it is.
    func name(
        _ stretches: [DirectionStretch], on network: RoadNetwork, by road: String? = nil
    ) -> String {
        let minMetres = max(400, metres / 8)
        var names: [String] = []
        var roads: [NamedRoad] = []
        func describeStretch() {
            let all = Self.joined(roads, network.map.names, keeping: road)
            // The two longest, in the order of the path.
            let longest = all.filter { $0.metres >= minMetres }
                .sorted { $0.metres > $1.metres }.prefix(2).map(\.name)
            for one in all {
                let name = network.map.names[one.name]
                if longest.contains(one.name) || name == road { add(name) }
            }
            roads = []
        }
        func add(_ name: String) { if !names.contains(name) { names.append(name) } }
        for stretch in stretches {
            switch stretch.road {
            case .crossing(let number):
                describeStretch()
                add(network.crossings[number].name)
            case .ramp, .street(0): continue
            case .street(let name):
                let metres = pieces[stretch.pieces].reduce(0) { $0 + $1.metres }
                if let known = roads.firstIndex(where: { $0.name == name }) {
                    roads[known].metres += metres
                } else {
                    roads.append(NamedRoad(name: name, metres: metres))
                }
            }
        }
        describeStretch()
        // "I-5 Ship Canal Bridge" includes "I-5".
        let folded = names.map { $0.lowercased() }
        let distinct = folded.indices.filter { index in
            !folded.contains { $0.hasPrefix(folded[index] + " ") }
        }.map { names[$0] }
        if !distinct.isEmpty { return distinct.joined(separator: ", ") }
        // A short path: the last road with a name.
        for case .street(let name) in stretches.map(\.road).reversed() where name != 0 {
            return network.map.names[name]
        }
        return ""
    }

    private struct NamedRoad {
        var name: Int
        var metres: Double
    }

    /// Joins streets that continue in another part of the city, such as NW 80th St and N 80th St, under the name of the
    /// longer.
    ///
    /// - Parameter kept: A name that is kept however short its part is.
    private static func joined(
        _ roads: [NamedRoad], _ names: [String], keeping kept: String?
    ) -> [NamedRoad] {
        var joined: [NamedRoad] = []
        var known: [(name: StreetName, metres: Double)] = []
        for road in roads where road.metres >= minPartMetres || names[road.name] == kept {
            let name = StreetName(names[road.name])
            if let same = known.firstIndex(where: { $0.name.continues(name) }) {
                let isKept = names[joined[same].name] == kept
                if !isKept, road.metres > known[same].metres || names[road.name] == kept {
                    joined[same].name = road.name
                    known[same].metres = road.metres
                }
                joined[same].metres += road.metres
            } else {
                joined.append(road)
                known.append((name, road.metres))
            }
        }
        return joined
    }

    /// Shorter parts of a street are not named, metres.
    private static let minPartMetres = 150.0
}

// MARK: - What distinguishes a path from others

extension Path {
    /// Minutes on roads that none of some other paths takes, without ramps.
    ///
    /// - Precondition: It was found on the network.
    package func minutesApart(from others: [Path], on network: RoadNetwork) -> Double {
        let taken = Set(others.flatMap { $0.pieces.map(\.arc) })
        return pieces.reduce(0) { minutes, piece in
            let isApart =
                !taken.contains(piece.arc) && !network.map.arcs[piece.arc].flags.contains(.link)
            return minutes + (isApart ? piece.minutes : 0)
        }
    }

    /// The names of roads that it takes and some other paths do not, the most distinctive first.
    ///
    /// - Precondition: All were found on the network.
    package func roadsApart(from others: [Path], on network: RoadNetwork) -> [String] {
        let map = network.map
        let pieces = others.flatMap(\.pieces)
        let taken = Set(pieces.map(\.arc))
        let known = Set(pieces.map { map.arcs[$0.arc].name })
        var metres: [UInt32: Double] = [:]
        for piece in self.pieces where !taken.contains(piece.arc) && piece.crossing == nil {
            let arc = map.arcs[piece.arc]
            guard arc.name != 0, !arc.flags.contains(.link) else { continue }
            // A road that no other path takes counts twice as much as another part of a common road.
            metres[arc.name, default: 0] +=
                known.contains(arc.name) ? piece.metres : 2 * piece.metres
        }
        return metres.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
            .map { map.names[Int($0.key)] }
    }
}
