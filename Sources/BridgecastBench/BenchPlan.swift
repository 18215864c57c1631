// What a benchmark of networks is asked for, and what it gives back.
import BridgecastCore
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
