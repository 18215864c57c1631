// Streets by name, with the junctions they pass; corners are found with it.

/// The named streets of a map.
struct StreetIndex: Sendable {
    /// The name of a street, by number of its name in the map, taken apart.
    let names: [StreetName]
    /// Its junctions, in order of their numbers: nodes[first[n] ..< first[n + 1]].
    private let first: [UInt32]
    private let nodes: [UInt32]
    /// How large a street is: the raw value of the best class that is long enough; by number of its name.
    private let ranks: [UInt8]
    /// Numbers of all streets.
    let streets: [Int]
    /// Streets by ``StreetName/key``.
    private let byKey: [String: [Int]]

    /// Streets that may be meant by a name that is only part of theirs.
    private static let mostLoose = 64

    /// O(arcs).
    init(_ map: RoadMap) {
        names = map.names.map { StreetName($0) }
        var first = [UInt32](repeating: 0, count: names.count + 1)
        var ranks = [UInt8](repeating: .max, count: names.count)
        // What a ramp is called says where it leads.
        for arc in map.arcs where !arc.flags.contains(.link) {
            first[Int(arc.name) + 1] += 2
            ranks[Int(arc.name)] = min(ranks[Int(arc.name)], arc.roadClassValue)
        }
        for name in names.indices { first[name + 1] += first[name] }
        var ends = [UInt32](repeating: 0, count: map.arcs.count * 2)
        var next = first
        for arc in map.arcs where !arc.flags.contains(.link) {
            let place = Int(next[Int(arc.name)])
            (ends[place], ends[place + 1]) = (arc.tail, arc.head)
            next[Int(arc.name)] += 2
        }
        // Each junction once.
        var nodes: [UInt32] = []
        nodes.reserveCapacity(ends.count / 3)
        var firstNode: [UInt32] = [0]
        for name in names.indices {
            if name > 0 {
                var last: UInt32?
                for node in ends[Int(first[name])..<Int(first[name + 1])].sorted()
                where node != last {
                    nodes.append(node)
                    last = node
                }
            }
            firstNode.append(UInt32(nodes.count))
        }
        (self.first, self.nodes, self.ranks) = (firstNode, nodes, ranks)
        streets = names.indices.dropFirst().filter { ranks[$0] < .max }
        byKey = Dictionary(grouping: streets) { [names] in names[$0].key }
    }

    func nodes(of street: Int) -> ArraySlice<UInt32> {
        nodes[Int(first[street])..<Int(first[street + 1])]
    }

    /// Less is larger.
    func rank(_ street: Int) -> UInt8 { ranks[street] }

    /// Streets that a name may mean: first those that are called so, then those of which it is a part.
    func streets(_ text: String) -> (called: [Int], like: [Int]) {
        guard text.utf8.count <= PlaceIndex.longestName else { return ([], []) }
        let wanted = StreetName(text)
        let called = (byKey[wanted.key] ?? []).filter { wanted.agrees(with: names[$0]) }
        var like: [Int] = []
        for street in streets
        where wanted.isPart(of: names[street]) && wanted.agrees(with: names[street]) {
            if !called.contains(street) { like.append(street) }
            if like.count == Self.mostLoose { break }
        }
        return (called, like)
    }

    /// Streets with a name spelled nearly so, the nearest first.
    func similar(_ text: String) -> [Int] {
        guard text.utf8.count <= 60 else { return [] }
        let wanted = StreetName(text)
        let key = wanted.key
        guard !key.isEmpty, key.utf8.contains(where: { $0 > 57 }) else {
            return (byKey[key] ?? []).sorted { ranks[$0] < ranks[$1] }
        }
        let most = max(1, key.utf8.count / 4)
        let bytes = Array(key.utf8)
        var found = (byKey[key] ?? []).map { (street: $0, distance: 0) }
        for (other, streets) in byKey where abs(other.utf8.count - key.utf8.count) <= most {
            let distance = other == key ? .max : editDistance(Array(other.utf8), bytes)
            if distance <= most { found += streets.map { ($0, distance) } }
        }
        return found.sorted {
            ($0.distance, ranks[$0.street], $0.street) < ($1.distance, ranks[$1.street], $1.street)
        }.map(\.street)
    }
}
