// Why nothing was timed.
public import BridgecastCore

/// Why a benchmark did not begin.
public enum BenchError: Failure {
    /// A contender's output is off beyond tolerance: the largest difference and its index in the outputs.
    case disagreement(network: String, contender: String, batch: Int, by: Float, at: Int)

    /// Whose matter it is.
    public var kind: FailureKind { .software }

    /// What is wrong.
    public var description: String {
        switch self {
        case .disagreement(let network, let contender, let batch, let by, let at):
            "network \(network), batch \(batch): \(contender) differs by \(by) at output \(at); "
                + "nothing was timed"
        }
    }
}
