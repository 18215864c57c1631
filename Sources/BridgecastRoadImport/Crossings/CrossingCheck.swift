// Whether the crossings that were found are all there are: no way over water without one; used by RoadImport.
internal import BridgecastCore
internal import BridgecastRoads

/// Checks crossings on a finished map.
struct CrossingCheck {
    private let map: RoadMap
    private let crossings: [Crossing]
    private let draft: RoadDraft
    private let assembly: RoadMapAssembly
    private let extract: RoadExtract

    /// Within these bounds nothing leads around the waters: north of them are the ends of Lake Washington, south of them
    /// the river is too small to count.
    private static let latitudes = 47.501...47.75
    private static let longitudes = -122.46 ... -122.20

    init(
        _ map: RoadMap, _ crossings: [Crossing], _ draft: RoadDraft, _ assembly: RoadMapAssembly,
        _ extract: RoadExtract
    ) {
        (self.map, self.crossings) = (map, crossings)
        (self.draft, self.assembly, self.extract) = (draft, assembly, extract)
    }

    func check(_ options: RoadImportOptions) throws(RoadImportError) {
        try checkLeaks()
        if !options.withoutBridges { try checkDirections() }
    }

    /// Nobody gets from one end of a crossing to the other but over crossings.
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
        return Self.latitudes.contains(point.latitude)
            && Self.longitudes.contains(point.longitude)
    }

    /// Every drawbridge leads both ways.
    private func checkDirections() throws(RoadImportError) {
        for (index, crossing) in crossings.enumerated() {
            guard let bridge = crossing.bridge else { continue }
            let arcs = map.arcs.indices.filter {
                Int(map.arcs[$0].crossing) == index && map.arcs[$0].carDeciseconds > 0
            }
            let sides = arcs.map { arc -> Bool in
                let (tail, head) = (map.arcs[arc].tail, map.arcs[arc].head)
                let (a, b) = (map.nodes[Int(tail)].geoPoint, map.nodes[Int(head)].geoPoint)
                // The canal runs east and west, the river from the south-east to the north-west.
                return (b.latitude - a.latitude) + (b.longitude - a.longitude) * 0.3 > 0
            }
            guard Set(sides).count < 2 else { continue }
            throw .oneWayDrawbridge(
                bridge: bridge, ways: arcs.map { draft.wayID(assembly.origins[$0]) })
        }
    }
}

/// Parts of a network while edges are added (union-find).
struct NodeParts {
    private var parents: [Int]

    init(_ count: Int) { parents = Array(0..<count) }

    mutating func part(_ node: Int) -> Int {
        var root = node
        while parents[root] != root { root = parents[root] }
        var at = node
        while parents[at] != root { (at, parents[at]) = (parents[at], root) }
        return root
    }

    mutating func join(_ a: Int, _ b: Int) { parents[part(a)] = part(b) }
}
