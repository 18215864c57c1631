// The hierarchy of a mode that keeps to no hour, in less than half the memory: all its times are of one pace group.
import BridgecastCore

/// A hierarchy as it was read and checked, for bikes or people on foot.
struct NarrowHierarchy: Sendable {
    let mode: Route.Mode
    let firstOfCore: UInt32
    let vertices: [UInt32]
    let gates: [RoadHierarchy.Gate]
    let firstUp, firstDown: [UInt32]
    let edges: NarrowEdges

    /// The same as the search wants it.
    func hierarchy() -> RoadHierarchy {
        RoadHierarchy(
            mode: mode, firstOfCore: firstOfCore, vertices: vertices, gates: gates,
            firstUp: firstUp, upward: edges.up.indices.map(edges.edge), firstDown: firstDown,
            downward: edges.down.indices.map { edges.edge(edges.up.count + $0) })
    }
}
