// What is timed: one call on one batch. Ours is here, onnxruntime's in OnnxSession.swift.
internal import BridgecastEngine

/// Something that can run one batch again and again.
protocol Contender {
    /// Times one round; see ``timedRound(calls:nanoseconds:_:)``.
    mutating func round(calls most: Int, nanoseconds budget: UInt64) -> RoundTimings
    /// The latest result, [B, K].
    func output() -> [Float]
}
