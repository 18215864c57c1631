// onnxruntime as a contender.

/// onnxruntime on one batch, or on the batch in chunks.
struct OnnxContender: Contender {
    let batch: OnnxBatch

    mutating func round(calls most: Int, nanoseconds budget: UInt64) -> RoundTimings {
        let batch = batch
        return timedRound(calls: most, nanoseconds: budget) { batch.run() }
    }

    func output() -> [Float] { batch.output }
}
