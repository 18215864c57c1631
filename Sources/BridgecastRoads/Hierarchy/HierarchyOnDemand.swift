// A hierarchy that takes its place in memory when somebody first searches it; RoadNetwork has one for each mode.
private import Synchronization

/// A hierarchy, or the narrow one that it is made from; copies of a network share it.
final class HierarchyOnDemand: Sendable {
    private enum State {
        case narrow(NarrowHierarchy)
        case made(RoadHierarchy)
    }

    private let state: Mutex<State>

    init(_ hierarchy: RoadHierarchy) { state = Mutex(.made(hierarchy)) }

    init(_ narrow: NarrowHierarchy) { state = Mutex(.narrow(narrow)) }

    /// The hierarchy; others who ask while it is made wait.
    var hierarchy: RoadHierarchy {
        state.withLock { state in
            switch state {
            case .made(let hierarchy): return hierarchy
            case .narrow(let narrow):
                let hierarchy = narrow.hierarchy()
                state = .made(hierarchy)
                return hierarchy
            }
        }
    }
}
