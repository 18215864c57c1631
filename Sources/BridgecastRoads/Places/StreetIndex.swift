// Streets by name, with their junctions. Not here: the parts of a name (StreetName), corners (StreetCorners).
internal import BridgecastSupport

struct StreetIndex: Sendable {
    /// Parsed names, by index of the name in the map.
    let names: [StreetName]
    /// Junctions of street n in order: nodes[first[n] ..< first[n + 1]].
    private let first: [UInt32]
    private let nodes: [UInt32]
    /// The raw value of the best class of a street, by index of its name; less is larger.
    private let ranks: [UInt8]
    let streets: [Int]
    /// Streets by ``StreetName/key``.
    private let byKey: [String: [Int]]

    /// The largest number of streets that a part of a name matches.
    private static let maxPartialMatches = 64

    /// O(arcs).
    init(_ map: RoadMap) {
        names = map.names.map { StreetName($0) }
        var first = [UInt32](repeating: 0, count: names.count + 1)
        var ranks = [UInt8](repeating: .max, count: names.count)
        // The name of a ramp is that of its destination.
        for arc in map.arcs where !arc.flags.contains(.link) {
            first[Int(arc.name) + 1] += 2
            ranks[Int(arc.name)] = min(ranks[Int(arc.name)], arc.roadClassValue)
        }
        for name in names.indices { first[name + 1] += first[name] }
        var ends = [UInt32](repeating: 0, count: map.arcs.count * 2)
        var next = first
        for arc in map.arcs where !arc.flags.contains(.link) {
            let index = Int(next[Int(arc.name)])
            ends[index] = arc.tail
            ends[index + 1] = arc.head
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
        self.first = firstNode
        self.nodes = nodes
        self.ranks = ranks
        streets = names.indices.dropFirst().filter { ranks[$0] < .max }
        byKey = Dictionary(grouping: streets) { [names] in names[$0].key }
    }

    func nodes(of street: Int) -> ArraySlice<UInt32> {
        nodes[Int(first[street])..<Int(first[street + 1])]
    }

    /// Streets named by a number, of any kind and in any part of the city.
    func numbered(_ number: Int) -> [Int] { byKey["\(number)"] ?? [] }

    /// Less is larger.
    func rank(_ street: Int) -> UInt8 { ranks[street] }

    /// Streets that a name may mean: those with exactly that name, and those of whose name it is a part.
    func streets(_ text: String) -> (exact: [Int], partial: [Int]) {
        guard text.utf8.count <= PlaceIndex.maxNameBytes else { return ([], []) }
        let wanted = StreetName(text)
        let exact = (byKey[wanted.key] ?? []).filter { wanted.agrees(with: names[$0]) }
        var partial: [Int] = []
        for street in streets
        where wanted.isPart(of: names[street]) && wanted.agrees(with: names[street]) {
            if !exact.contains(street) { partial.append(street) }
            if partial.count == Self.maxPartialMatches { break }
        }
        return (exact, partial)
    }

    /// Streets with a similar name, the most similar first.
    func similar(_ text: String) -> [Int] {
        guard text.utf8.count <= 60 else { return [] }
        let wanted = StreetName(text)
        let key = wanted.key
        guard !key.isEmpty, key.utf8.contains(where: { $0 > 57 }) else {
            return (byKey[key] ?? []).sorted { ranks[$0] < ranks[$1] }
        }
        let maxDistance = max(1, key.utf8.count / 4)
        let bytes = Array(key.utf8)
        var found = (byKey[key] ?? []).map { (street: $0, distance: 0) }
        for (other, streets) in byKey where abs(other.utf8.count - key.utf8.count) <= maxDistance {
            let distance = other == key ? .max : editDistance(Array(other.utf8), bytes)
            if distance <= maxDistance { found += streets.map { ($0, distance) } }
        }
        return found.sorted {
            ($0.distance, ranks[$0.street], $0.street) < ($1.distance, ranks[$1.street], $1.street)
        }.map(\.street)
    }

    /// Streets whose name may complete a text: every word is one of theirs, in their order, and the last begins one.
    ///
    /// - Returns: How well each fits, less is better: 0 if the text begins the name or what follows the part of the
    ///   city, 1 if it begins a later word.
    func beginning(with text: String) -> [(street: Int, fit: Int)] {
        guard text.utf8.count <= PlaceIndex.maxNameBytes else { return [] }
        let whole = StreetName(text).words
        guard !whole.isEmpty else { return [] }
        let last = text.last == " " ? nil : text.split { $0 == " " || $0 == "-" }.last
        let cut = last.map { PlaceIndex.folded($0) }
        return streets.compactMap { street in
            fit(whole, cut: cut, to: names[street].words).map { (street, $0) }
        }
    }

    /// Streets whose name, without directions and kinds, begins with the words of a text.
    func beginning(withWords text: String) -> [Int] {
        guard text.utf8.count <= PlaceIndex.maxNameBytes else { return [] }
        let wanted = StreetName(text)
        guard wanted.core.contains(where: { !$0.isEmpty }) else { return [] }
        return streets.filter {
            names[$0].core.starts(with: wanted.core) && wanted.agrees(with: names[$0])
        }
    }

    /// - Parameter cut: The last word as it was typed, which may be incomplete; nil if it is complete.
    private func fit(
        _ wanted: [StreetName.Word], cut: String?, to words: [StreetName.Word]
    ) -> Int? {
        var index = 0
        var start: Int?
        for (number, word) in wanted.enumerated() {
            let isLast = number == wanted.count - 1
            while index < words.count {
                if words[index].short == word.short { break }
                if isLast, let cut,
                    words[index].short.hasPrefix(cut) || words[index].long.hasPrefix(cut)
                {
                    break
                }
                index += 1
            }
            guard index < words.count else { return nil }
            if start == nil, words[index].isCore { start = index }
            index += 1
        }
        guard let start else { return wanted.allSatisfy(\.isDirection) ? 1 : nil }
        return words[..<start].contains(where: \.isCore) ? 1 : 0
    }
}
