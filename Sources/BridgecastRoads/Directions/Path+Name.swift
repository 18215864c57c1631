// What people would call a way: its crossings and its longest roads.

extension Path {
    /// Its crossings, and the longest roads of each stretch between them that are worth a word.
    ///
    /// - Precondition: The path was found on the network.
    public func name(on network: RoadNetwork) -> String {
        name(DirectionStretch.stretches(of: self, on: network), on: network)
    }

    /// The same of stretches that are known.
    ///
    /// - Parameter road: One that is named however short it is.
    func name(
        _ stretches: [DirectionStretch], on network: RoadNetwork, by road: String? = nil
    ) -> String {
        let worthMetres = max(400, metres / 8)
        var names: [String] = []
        var roads: [NamedRoad] = []
        func describeStretch() {
            let all = Self.joined(roads, network.map.names, keeping: road)
            // The two longest that are worth a word, in the order they come.
            let longest = all.filter { $0.metres >= worthMetres }
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
        // Whoever says "I-5 Ship Canal Bridge" has said I-5.
        let said = names.map { $0.lowercased() }
        let telling = said.indices.filter { place in
            !said.contains { $0.hasPrefix(said[place] + " ") }
        }.map { names[$0] }
        if !telling.isEmpty { return telling.joined(separator: ", ") }
        // A short way: the last road that has a name.
        for case .street(let name) in stretches.map(\.road).reversed() where name != 0 {
            return network.map.names[name]
        }
        return ""
    }

    /// A road of a path, by number of its name, and how far it is followed.
    private struct NamedRoad {
        var name: Int
        var metres: Double
    }

    /// Streets that go on in another part of the city, such as NW 80th St and N 80th St, as one, called as the longer.
    ///
    /// - Parameter kept: A name that counts however short its part is.
    private static func joined(
        _ roads: [NamedRoad], _ names: [String], keeping kept: String?
    ) -> [NamedRoad] {
        var joined: [NamedRoad] = []
        var known: [(name: StreetName, metres: Double)] = []
        for road in roads where road.metres >= shortestPart || names[road.name] == kept {
            let name = StreetName(names[road.name])
            if let same = known.firstIndex(where: { $0.name.continues(name) }) {
                let isKept = names[joined[same].name] == kept
                if !isKept, road.metres > known[same].metres || names[road.name] == kept {
                    (joined[same].name, known[same].metres) = (road.name, road.metres)
                }
                joined[same].metres += road.metres
            } else {
                joined.append(road)
                known.append((name, road.metres))
            }
        }
        return joined
    }

    /// Shorter parts of a street do not count in a route's name, metres.
    private static let shortestPart = 150.0
}
