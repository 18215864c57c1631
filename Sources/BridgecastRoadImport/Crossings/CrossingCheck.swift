// Whether all crossings were found: no path may lead over water without one.
internal import BridgecastCore
internal import BridgecastRoads

struct CrossingCheck {
    private let map: RoadMap
    private let crossings: [Crossing]
    private let draft: RoadDraft
    private let assembly: RoadMapAssembly

    /// No road leads around the waters here: north are the ends of the lake, south a small river.
    private static let latitudes = 47.501...47.75
    private static let longitudes = -122.46 ... -122.20

    init(_ assembly: RoadMapAssembly, _ crossings: [Crossing], draft: RoadDraft) {
        map = assembly.map
        self.crossings = crossings
        self.draft = draft
        self.assembly = assembly
    }

    func check(_ options: RoadImportOptions) throws(RoadImportError) {
        try checkLeaks()
        if !options.withoutBridges { try checkDirections() }
    }

    /// The two ends of a crossing must be connected only by crossings.
    private func checkLeaks() throws(RoadImportError) {
        var parts = NodeParts(map.nodes.count)
        for arc in map.arcs where arc.crossing == RoadArc.noCrossing {
            if isInside(arc.tail), isInside(arc.head) { parts.join(Int(arc.tail), Int(arc.head)) }
        }
        for (number, arc) in map.arcs.enumerated() where arc.crossing != RoadArc.noCrossing {
            guard isInside(arc.tail), isInside(arc.head) else { continue }
            if parts.part(Int(arc.tail)) == parts.part(Int(arc.head)) {
                throw .leak(
                    crossing: crossings[Int(arc.crossing)].name,
                    way: draft.wayID(assembly.origins[number]))
            }
        }
    }

    private func isInside(_ node: UInt32) -> Bool {
        let point = map.nodes[Int(node)].geoPoint
        return Self.latitudes.contains(point.latitude) && Self.longitudes.contains(point.longitude)
    }

    /// Every drawbridge must have roads in both directions.
    private func checkDirections() throws(RoadImportError) {
        for (index, crossing) in crossings.enumerated() {
            guard let bridge = crossing.bridge else { continue }
            let arcs = map.arcs.indices.filter {
                Int(map.arcs[$0].crossing) == index && map.arcs[$0].carDeciseconds > 0
            }
            let sides = arcs.map { arc -> Bool in
                let a = map.nodes[Int(map.arcs[arc].tail)].geoPoint
                let b = map.nodes[Int(map.arcs[arc].head)].geoPoint
                // The canal runs east and west, the river from the south-east to the north-west.
                return (b.latitude - a.latitude) + (b.longitude - a.longitude) * 0.3 > 0
            }
            guard Set(sides).count < 2 else { continue }
            throw .oneWayDrawbridge(
                bridge: bridge, ways: arcs.map { draft.wayID(assembly.origins[$0]) })
        }
    }
}

/// Connected parts of a network while edges are added (union-find).
private struct NodeParts {
    private var parents: [Int]

    init(_ count: Int) { parents = Array(0..<count) }

    mutating func part(_ node: Int) -> Int {
        var root = node
        while parents[root] != root { root = parents[root] }
        var current = node
        while parents[current] != root {
            let next = parents[current]
            parents[current] = root
            current = next
        }
        return root
    }

    mutating func join(_ a: Int, _ b: Int) { parents[part(a)] = part(b) }
}
