// What one contender took for one batch.

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
