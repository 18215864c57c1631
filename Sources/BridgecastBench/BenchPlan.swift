// What a benchmark of networks is asked for, and what it gives back.
public import BridgecastCore
public import BridgecastEngine

/// What to time.
public struct BenchPlan: Sendable {
    /// Rows of a call.
    public var batches = [1, 2, 7, 16, 64, 256, 1024, 16384, 131_072]
    /// Threads of a call.
    public var threads = [1, 2]
    /// Our paths.
    public var units: [ComputeUnits] = [.simd, .blas]
    /// Formats of our weights.
    public var formats: [WeightFormat] = [.int8, .fp16, .fp32]
    /// Rounds; each contender takes its turn in each.
    public var rounds = 7
    /// About how long a contender's turn takes, milliseconds.
    public var turnMilliseconds = 20.0
    /// onnxruntime's library, and the folder of the models exported for it.
    public var onnxRuntime: (library: String, models: String)?
    /// Rows of the chunks in which onnxruntime is also fed large batches.
    public var onnxChunkRows = 1024

    /// A plan of every batch, format and path, alone and with two threads.
    public init() {}
}

/// What one contender took for one batch.
public struct BenchResult: Sendable, Encodable {
    /// The network's name.
    public let network: String
    /// `bridgecast` or `onnxruntime`.
    public let engine: String
    /// Number format of the weights; onnxruntime's int8 is `int8-u8` or `int8-s8`, by their integers.
    public let format: String
    /// Our path, or how onnxruntime was fed.
    public let path: String
    /// Rows of a call.
    public let batch: Int
    /// Threads of a call.
    public let threads: Int
    /// Percentiles of single calls over all rounds, microseconds, one reading of the clock included.
    public let p50: Double, p90: Double, p99: Double, p999: Double
    /// Mean of calls in a loop, median over the rounds, microseconds.
    public let looped: Double
    /// Rows a second, from `p50`.
    public let rowsPerSecond: Double
    /// Median of single calls in each round, microseconds: what ratios are made of.
    public let roundMedians: [Double]
    /// Calls timed one by one.
    public let calls: Int
    /// The largest error of an output, where onnxruntime's kernels for s8 weights saturate on this CPU.
    public let saturatedBy: Float?
}

/// Why a benchmark did not begin.
public enum BenchError: Failure {
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
