// Why a trip has no routes.
public import BridgecastCore

/// Why a trip has no routes.
public enum RoutePlanError: Failure, Equatable {
    /// An end is of another road network than the planner's.
    case foreignNetwork(String)
    /// Origin and destination are one.
    case samePlace(String)
    /// The network has no way for that mode.
    case noWay(from: String, to: String, mode: Route.Mode)

    /// Whose matter it is.
    public var kind: FailureKind { .usage }

    /// What is wrong.
    public var description: String {
        switch self {
        case .foreignNetwork(let name):
            "'\(name)' is a place of another road network; ask with the planner of that one"
        case .samePlace(let name): "origin and destination are the same place: \(name)"
        case .noWay(let from, let to, let mode):
            "there is no way by \(mode.rawValue) from \(from) to \(to)"
        }
    }
}
