// Why nothing was timed.
public import BridgecastCore

/// Why a benchmark did not begin.
public enum BenchError: Failure {
    /// A contender's output is off beyond tolerance: the largest difference and its index in the outputs.
    case disagreement(network: String, contender: String, batch: Int, by: Float, at: Int)
    /// The search of roads and a plain one find ways of other minutes.
    case otherWay(trip: String, minutes: Double, plain: Double)

    /// Whose matter it is.
    public var kind: FailureKind { .software }

    /// What is wrong.
    public var description: String {
        switch self {
        case .disagreement(let network, let contender, let batch, let by, let at):
            "network \(network), batch \(batch): \(contender) differs by \(by) at output \(at); "
                + "nothing was timed"
        case .otherWay(let trip, let minutes, let plain):
            "search, \(trip): \(minutes) minutes where plain Dijkstra finds \(plain)"
        }
    }
}
