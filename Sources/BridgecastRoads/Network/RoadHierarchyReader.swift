// Reads one mode's hierarchy of a network file, and works out what its edges take.
import BridgecastCore

/// Reads and checks a hierarchy.
struct RoadHierarchyReader {
    private let sections: RoadSections
    private let map: RoadMap
    private let mode: Route.Mode
    private let reluctance: Reluctance

    init(_ sections: RoadSections, _ map: RoadMap, _ mode: Route.Mode, _ reluctance: Reluctance) {
        (self.sections, self.map, self.mode) = (sections, map, mode)
        self.reluctance = reluctance
    }

    func hierarchy() throws(RoadNetworkError) -> RoadHierarchy {
        let vertices = try array(.vertices, UInt32.self)
        let gates = try array(.gates, RoadHierarchy.Gate.self)
        let firstUp = try array(.firstUp, UInt32.self)
        let firstDown = try array(.firstDown, UInt32.self)
        let core = try array(.core, UInt32.self)
        let stored = try (
            up: array(.upward, RoadFileFormat.Edge.self),
            down: array(.downward, RoadFileFormat.Edge.self)
        )
        try check(firstUp, stored.up.count, "firstUp")
        try check(firstDown, stored.down.count, "firstDown")
        let count = firstUp.count - 1
        guard firstDown.count == firstUp.count, core.count == 1, core[0] <= count else {
            throw refusal("core", 0, "does not fit \(count) vertices")
        }
        let wanted = mode == .car ? map.arcs.count : map.nodes.count
        guard vertices.count == wanted else {
            throw refusal("vertices", 0, "\(vertices.count) where the map has \(wanted)")
        }
        for (number, vertex) in vertices.enumerated()
        where vertex >= count && vertex != RoadHierarchy.noVertex {
            throw refusal("vertices", number, "there is no vertex \(vertex)")
        }
        guard gates.count <= Self.mostGates else {
            throw refusal("gates", Self.mostGates, "one too many")
        }
        for (number, gate) in gates.enumerated() {
            let isSound =
                gate.arc < map.arcs.count && gate.entry < count && gate.exit < count
                && gate.entry >= core[0] && gate.exit >= core[0]
                && map.arcs[Int(gate.arc)].crossing != RoadArc.noCrossing
            guard isSound else { throw refusal("gates", number, "is no crossing of the core") }
        }
        let edges = try weighed(stored, firstUp, firstDown, core[0])
        return RoadHierarchy(
            mode: mode, firstOfCore: core[0], vertices: vertices, gates: gates, firstUp: firstUp,
            upward: edges.up, firstDown: firstDown, downward: edges.down)
    }

    private func check(
        _ starts: [UInt32], _ count: Int, _ name: String
    ) throws(RoadNetworkError) {
        guard let last = starts.last, starts[0] == 0, last == count else {
            throw refusal(name, 0, "does not fit \(count) edges")
        }
        for number in 1..<starts.count where starts[number] < starts[number - 1] {
            throw refusal(name, number, "goes back")
        }
    }

    /// Edges with what they take: those of a vertex stand for edges of less important vertices only.
    private func weighed(
        _ stored: (up: [RoadFileFormat.Edge], down: [RoadFileFormat.Edge]), _ firstUp: [UInt32],
        _ firstDown: [UInt32], _ core: UInt32
    ) throws(RoadNetworkError) -> (up: [HierarchyEdge], down: [HierarchyEdge]) {
        let none = HierarchyEdge(weights: SIMD8(), other: 0, first: 0, second: 0)
        var up = [HierarchyEdge](repeating: none, count: stored.up.count)
        var down = [HierarchyEdge](repeating: none, count: stored.down.count)
        let upCount = up.count
        var depths = [UInt8](repeating: 0, count: up.count + down.count)
        // Single edges that each stands for.
        var sizes = [Int32](repeating: 1, count: depths.count)
        for vertex in 0..<firstUp.count - 1 {
            // What stands in rows before this one is known.
            let (knownUp, knownDown) = (Int(firstUp[vertex]), upCount + Int(firstDown[vertex]))
            func weights(_ place: Int) -> SIMD8<UInt32> {
                SIMD8(
                    truncatingIfNeeded: (place < upCount ? up[place] : down[place - upCount])
                        .weights)
            }
            func weighed(
                _ edge: RoadFileFormat.Edge, _ place: Int
            ) throws(RoadNetworkError) -> HierarchyEdge {
                let isUpward = place < upCount
                let isSound =
                    edge.other < firstUp.count - 1
                    && (vertex >= core ? edge.other >= core : edge.other > vertex)
                guard isSound else { throw refusal("edges", place, "leads to no vertex above") }
                guard edge.first & RoadFileFormat.Edge.single == 0 else {
                    return try single(edge, place)
                }
                let (first, second) = (Int(edge.first), Int(edge.second))
                func isKnown(_ place: Int) -> Bool {
                    place < knownUp || place >= upCount && place < knownDown
                }
                guard isKnown(first), isKnown(second),
                    max(depths[first], depths[second]) < Self.deepest,
                    sizes[first] + sizes[second] <= Self.mostSingles
                else {
                    throw refusal("edges", place, "stands for edges that come later, or too many")
                }
                let sum = weights(first) &+ weights(second)
                guard sum.max() <= UInt32(UInt16.max) else {
                    throw refusal(isUpward ? "upward" : "downward", place, "takes too long")
                }
                depths[place] = max(depths[first], depths[second]) + 1
                sizes[place] = sizes[first] + sizes[second]
                return HierarchyEdge(
                    weights: SIMD8(truncatingIfNeeded: sum), other: edge.other, first: edge.first,
                    second: edge.second)
            }
            for place in knownUp..<Int(firstUp[vertex + 1]) {
                up[place] = try weighed(stored.up[place], place)
            }
            for place in Int(firstDown[vertex])..<Int(firstDown[vertex + 1]) {
                down[place] = try weighed(stored.down[place], upCount + place)
            }
        }
        return (up, down)
    }

    /// Edges within edges: more would take a search too deep.
    private static let deepest: UInt8 = 200
    /// Edges that take no time could double at every level.
    private static let mostSingles: Int32 = 65_536
    /// All gates are looked at for each.
    private static let mostGates = 10_000

    private func single(
        _ edge: RoadFileFormat.Edge, _ place: Int
    ) throws(RoadNetworkError) -> HierarchyEdge {
        let deciseconds = edge.first & ~RoadFileFormat.Edge.single
        guard deciseconds <= UInt32(UInt16.max),
            edge.second == HierarchyEdge.noArc ? deciseconds == 0 : edge.second < map.arcs.count
        else { throw refusal("edges", place, "travels no arc") }
        var weights = SIMD8<UInt16>()
        if edge.second != HierarchyEdge.noArc {
            let arc = map.arcs[Int(edge.second)]
            guard Int(deciseconds) >= reluctance.deciseconds(on: arc, mode) else {
                throw refusal("edges", place, "takes less than its reluctance")
            }
            let group = mode == .car ? arc.paceGroup : .local
            weights[Int(group.rawValue)] = UInt16(deciseconds)
        }
        return HierarchyEdge(
            weights: weights, other: edge.other, first: HierarchyEdge.single, second: edge.second)
    }

    private func array<Element: BitwiseCopyable>(
        _ section: RoadFileFormat.ModeSection, _ type: Element.Type
    ) throws(RoadNetworkError) -> [Element] {
        try sections.array(section.number(mode.index), "\(mode.rawValue) \(section)", of: type)
    }

    private func refusal(_ section: String, _ index: Int, _ problem: String) -> RoadNetworkError {
        .content(
            file: sections.file, section: "\(mode.rawValue) \(section)", index: index,
            problem: problem)
    }
}
