// Reads one mode's hierarchy of a network file; RoadFileReader has one for each.
import BridgecastCore

/// Reads and checks a hierarchy.
struct RoadHierarchyReader {
    private let sections: RoadSections
    let map: RoadMap
    let mode: Route.Mode
    let reluctance: Reluctance

    /// What a hierarchy has beside its edges.
    struct Frame {
        let core: [UInt32]
        let vertices: [UInt32]
        let gates: [RoadHierarchy.Gate]
        let firstUp, firstDown: [UInt32]
    }

    init(_ sections: RoadSections, _ map: RoadMap, _ mode: Route.Mode, _ reluctance: Reluctance) {
        (self.sections, self.map, self.mode) = (sections, map, mode)
        self.reluctance = reluctance
    }

    /// The hierarchy, checked; that of a mode without hours is laid out for the search when somebody wants it.
    func hierarchy() throws(RoadNetworkError) -> HierarchyOnDemand {
        // In the order in which they lie.
        let core = try array(.core, UInt32.self)
        let vertices = try array(.vertices, UInt32.self)
        let gates = try array(.gates, RoadHierarchy.Gate.self)
        let firstUp = try array(.firstUp, UInt32.self)
        func frame(_ firstDown: [UInt32]) -> Frame {
            Frame(
                core: core, vertices: vertices, gates: gates, firstUp: firstUp,
                firstDown: firstDown)
        }
        guard mode == .car else {
            let up = try array(.upward, RoadFileFormat.Edge.self)
            let frame = frame(try array(.firstDown, UInt32.self))
            let down = try array(.downward, RoadFileFormat.Edge.self)
            let first = try check(frame, upCount: up.count, downCount: down.count)
            var edges = NarrowEdges(up: up, down: down)
            try weigh(&edges, upCount: up.count, downCount: down.count, frame, core: first)
            return HierarchyOnDemand(
                NarrowHierarchy(
                    mode: mode, firstOfCore: first, vertices: vertices, gates: gates,
                    firstUp: firstUp, firstDown: frame.firstDown, edges: edges))
        }
        // Held here alone, so that times are set in place.
        var edges = WideEdges(up: try wide(.upward), down: [])
        let frame = frame(try array(.firstDown, UInt32.self))
        edges.down = try wide(.downward)
        let (upCount, downCount) = (edges.up.count, edges.down.count)
        let first = try check(frame, upCount: upCount, downCount: downCount)
        try weigh(&edges, upCount: upCount, downCount: downCount, frame, core: first)
        return HierarchyOnDemand(
            RoadHierarchy(
                mode: mode, firstOfCore: first, vertices: vertices, gates: gates, firstUp: firstUp,
                upward: edges.up, firstDown: frame.firstDown, downward: edges.down))
    }

    /// Checks all but the edges; the first vertex of the core.
    private func check(
        _ frame: Frame, upCount: Int, downCount: Int
    ) throws(RoadNetworkError) -> UInt32 {
        try check(frame.firstUp, upCount, "firstUp")
        try check(frame.firstDown, downCount, "firstDown")
        let count = frame.firstUp.count - 1
        guard frame.firstDown.count == frame.firstUp.count, frame.core.count == 1,
            let core = frame.core.first, core <= count
        else { throw refusal("core", 0, "does not fit \(count) vertices") }
        let wanted = mode == .car ? map.arcs.count : map.nodes.count
        guard frame.vertices.count == wanted else {
            throw refusal("vertices", 0, "\(frame.vertices.count) where the map has \(wanted)")
        }
        for (number, vertex) in frame.vertices.enumerated()
        where vertex >= count && vertex != RoadHierarchy.noVertex {
            throw refusal("vertices", number, "there is no vertex \(vertex)")
        }
        guard frame.gates.count <= Self.mostGates else {
            throw refusal("gates", Self.mostGates, "one too many")
        }
        for (number, gate) in frame.gates.enumerated() {
            let isSound =
                gate.arc < map.arcs.count && gate.entry < count && gate.exit < count
                && gate.entry >= core && gate.exit >= core
                && map.arcs[Int(gate.arc)].crossing != RoadArc.noCrossing
            guard isSound else { throw refusal("gates", number, "is no crossing of the core") }
        }
        return core
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

    /// All gates are looked at for each.
    private static let mostGates = 10_000

    private func array<Element: BitwiseCopyable>(
        _ section: RoadFileFormat.ModeSection, _ type: Element.Type
    ) throws(RoadNetworkError) -> [Element] {
        try sections.array(section.number(mode.index), "\(mode.rawValue) \(section)", of: type)
    }

    /// Edges as the search wants them, whose times are not known yet.
    private func wide(
        _ section: RoadFileFormat.ModeSection
    ) throws(RoadNetworkError) -> [HierarchyEdge] {
        try sections.array(
            section.number(mode.index), "\(mode.rawValue) \(section)",
            of: RoadFileFormat.Edge.self, WideEdges.unknown)
    }

    func refusal(_ section: String, _ index: Int, _ problem: String) -> RoadNetworkError {
        .content(
            file: sections.file, section: "\(mode.rawValue) \(section)", index: index,
            problem: problem)
    }
}
