// Why a road network was refused.

/// Why a road network was refused.
public enum RoadNetworkError: Failure, Equatable {
    /// Not the JSON that is expected.
    case format(String)
    /// Something in it cannot be; where, and what is wrong.
    case content(place: String, problem: String)
    /// A part that cannot be reached.
    case notConnected(mode: Route.Mode, from: String, to: String)

    /// Whose matter it is.
    public var kind: FailureKind { .data }

    /// What is wrong and where.
    public var description: String {
        switch self {
        case .format(let problem): "not a road network: \(problem)"
        case .content(let place, let problem): "road network, \(place): \(problem)"
        case .notConnected(let mode, let from, let to):
            "road network: no way by \(mode.rawValue) from node \(from) to node \(to)"
        }
    }
}
