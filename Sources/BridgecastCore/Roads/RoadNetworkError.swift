// Why a road network was refused.

/// Why a road network was refused.
public enum RoadNetworkError: Failure, Equatable {
    /// Not the JSON that is expected.
    case format(DocumentProblem)
    /// Something in it cannot be; where, and what is wrong.
    case content(DocumentProblem)
    /// A part that cannot be reached.
    case notConnected(mode: Route.Mode, from: String, to: String)

    static func content(place: String, problem: String) -> RoadNetworkError {
        .content(DocumentProblem(place, problem))
    }

    /// Whose matter it is.
    public var kind: FailureKind { .data }

    /// What is wrong and where.
    public var description: String {
        switch self {
        case .format(let problem): "not a road network: \(problem)"
        case .content(let problem): "road network, \(problem)"
        case .notConnected(let mode, let from, let to):
            "road network: no way by \(mode.rawValue) from node \(from) to node \(to)"
        }
    }
}
