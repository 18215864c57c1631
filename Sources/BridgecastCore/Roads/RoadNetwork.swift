// Roads as a graph: nodes, directed edges with a class, crossings of water by name, places.
// Belongs here: the roads of a city and the search for ways on them; not: delays, which route scoring adds.
public import Foundation

/// A road network for cars, bikes and people on foot.
///
/// Times on an edge depend on when it is entered, by the class's hourly factors, and are
/// first-in-first-out: who enters an edge later leaves it later. Files that break this are refused.
public struct RoadNetwork: Sendable {
    /// For people.
    public let name: String
    /// Everything that has a name and can be a start or an end.
    public let places: [Place]
    /// Crossings of water, drawbridges among them.
    public let crossings: [Crossing]

    struct Edge: Sendable {
        let from: Int
        let to: Int
        let metres: Double
        let roadClass: Int
        let road: Int
        /// Index into `crossings`.
        let crossing: Int?
    }

    /// Tells networks apart: anchors of one mean nothing on another.
    let identity = Identity()

    /// The same in all copies of a network.
    final class Identity: Sendable {}

    let points: [GeoPoint]
    let nodeIDs: [String]
    let roads: [String]
    let classes: [RoadClass]
    /// Sorted by `from`.
    let edges: [Edge]
    /// Edges of node n: firstEdge[n] ..< firstEdge[n + 1].
    let firstEdge: [Int]
    /// The same for edges that lead to a node: indices into `edges`.
    let incoming: [[Int]]
    /// Edges that cross water.
    let crossingEdges: [Int]
    /// By ``Route/Mode/index``; see `speedTable`.
    let speedTables: [[Double]]

    /// Reads and checks a network.
    ///
    /// - Parameter json: In the form that `Sources/BridgecastCore/Resources/README.md` describes.
    /// - Throws: ``RoadNetworkError``.
    public init(json: Data) throws(RoadNetworkError) {
        let builder = try RoadNetworkBuilder(json)
        name = builder.file.name
        points = builder.points
        nodeIDs = builder.nodeIDs
        roads = builder.roads
        classes = builder.classes
        crossings = builder.crossings
        places = builder.places
        let sorted = builder.edges.sorted { $0.from < $1.from }
        edges = sorted
        var first = [Int](repeating: 0, count: points.count + 1)
        for edge in sorted { first[edge.from + 1] += 1 }
        for node in points.indices { first[node + 1] += first[node] }
        firstEdge = first
        var incoming = [[Int]](repeating: [], count: points.count)
        for (index, edge) in sorted.enumerated() { incoming[edge.to].append(index) }
        self.incoming = incoming
        speedTables = Route.Mode.allCases.map { Self.speedTable(builder.classes, $0) }
        crossingEdges = sorted.indices.filter { sorted[$0].crossing != nil }
        try checkConnected()
    }

    /// Seattle's arterials, freeways, trails and crossings; read when first asked for.
    ///
    /// Lengths come from coordinates; speeds and hourly factors are estimates of ours, not measurements.
    public static let seattle: RoadNetwork = {
        do {
            return try RoadNetwork(json: Data(PackageResources.seattle_network_json))
        } catch {
            preconditionFailure("the shipped network is tested: \(error)")
        }
    }()

    /// For each mode: every node that has a road for it can be reached from every other, and back.
    private func checkConnected() throws(RoadNetworkError) {
        for mode in Route.Mode.allCases {
            let usable = edges.filter { classes[$0.roadClass].allows(mode) }
            guard let start = usable.first?.from else { continue }
            let ends = Set(usable.flatMap { [$0.from, $0.to] })
            let there = reached(from: start, usable.map { ($0.from, $0.to) })
            if let lost = ends.subtracting(there).min() {
                throw .notConnected(mode: mode, from: nodeIDs[start], to: nodeIDs[lost])
            }
            let back = reached(from: start, usable.map { ($0.to, $0.from) })
            if let lost = ends.subtracting(back).min() {
                throw .notConnected(mode: mode, from: nodeIDs[lost], to: nodeIDs[start])
            }
        }
    }

    private func reached(from start: Int, _ links: [(from: Int, to: Int)]) -> Set<Int> {
        var next = [[Int]](repeating: [], count: points.count)
        for link in links { next[link.from].append(link.to) }
        var seen = Set([start])
        var open = [start]
        while let node = open.popLast() {
            for other in next[node] where seen.insert(other).inserted { open.append(other) }
        }
        return seen
    }
}
