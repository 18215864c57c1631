// What OpenBLAS gains over our kernels for one batch; PathTuning decides by it.
public import BridgecastEngine

/// How our kernels and OpenBLAS compare on one batch.
public struct PathGain: Sendable, Encodable {
    /// The network's name.
    public let network: String
    /// Number format of its weights.
    public let format: WeightFormat
    /// Whether its rows are lists.
    public let isOfLists: Bool
    /// Rows of a call.
    public let batch: Int
    /// The time of our kernels over that of OpenBLAS, median over the rounds: above 1, OpenBLAS is faster.
    public let gain: Double

    /// Creates a comparison.
    public init(
        network: String, format: WeightFormat, isOfLists: Bool, batch: Int, gain: Double
    ) {
        (self.network, self.format, self.isOfLists) = (network, format, isOfLists)
        (self.batch, self.gain) = (batch, gain)
    }
}
