// Ratios to onnxruntime: from the same rounds, with their spread.
internal import BridgecastEngine

/// How many times faster than onnxruntime we are for one batch.
public struct BenchRatio: Sendable, Encodable {
    /// The network's name.
    public let network: String
    /// Format of our weights.
    public let format: String
    /// Rows of a call.
    public let batch: Int
    /// Threads on both sides.
    public let threads: Int
    /// Which onnxruntime: its format and how it was fed.
    public let against: String
    /// Median over the rounds of its time over ours.
    public let median: Double
    /// Smallest and largest over the rounds.
    public let low: Double, high: Double
    /// The largest error of an output, where onnxruntime's kernels for s8 weights saturate on this CPU.
    public let saturatedBy: Float?

    /// Every ratio that results allow: our `simd` path of int8 to each onnxruntime, and that of fp32 to
    /// its fp32.
    public static func all(_ results: [BenchResult]) -> [BenchRatio] {
        results.filter { $0.engine == "bridgecast" && $0.path == ComputeUnits.simd.rawValue }
            .flatMap {
                ours in
                results.filter {
                    $0.engine == "onnxruntime" && $0.network == ours.network
                        && $0.batch == ours.batch && $0.threads == ours.threads
                        && (ours.format == "int8" || $0.format == "fp32")
                }.map { peer in
                    let ratios = zip(peer.roundMedians, ours.roundMedians).map { $0 / $1 }
                    return BenchRatio(
                        network: ours.network, format: ours.format, batch: ours.batch,
                        threads: ours.threads,
                        against: "onnxruntime \(peer.format)"
                            + (peer.path == "whole" ? "" : " " + peer.path),
                        median: BridgecastBench.median(ratios), low: ratios.min() ?? .nan,
                        high: ratios.max() ?? .nan, saturatedBy: peer.saturatedBy)
                }
            }
    }
}
