// A model ready to run: immutable, shared by all tasks; `predict` is the hot path of Bridgecast.
public import BridgecastCore

/// A network with its normalisation, its climatology and the facts of its making.
public struct LoadedModel: Sendable {
    /// How the model came about and what it was fitted to.
    public let header: ModelHeader
    /// The climatology its prior is made from.
    public let climatology: Climatology
    /// The network, packed for this CPU.
    public let network: CompiledNetwork

    init(header: ModelHeader, climatology: Climatology, network: CompiledNetwork) {
        self.header = header
        self.climatology = climatology
        self.network = network
    }

    /// Whether this is the very same loaded model, not only an equal one.
    func isSame(as other: LoadedModel) -> Bool { network.isSame(as: other.network) }

    /// Runs the network on a batch.
    ///
    /// A row that holds NaN or infinity, which ``FeatureBuilder`` never makes, comes out as NaN.
    /// - Parameters:
    ///   - batch: Rows from the ``FeatureBuilder``, B >= 0.
    ///   - probabilities: Receives the probability of each delay bin, [B, 12]; it is resized only
    ///     if its size differs.
    ///   - workspace: Scratch of the calling task; nothing is allocated once it has seen this model.
    ///   - units: The code path. All agree: int8 exactly in its logits, fp32 to rounding.
    /// - Complexity: O(B x (inputs of a row that are not zero x outputs of the first layer + weights of the others)).
    public func predict(
        _ batch: FeatureBatch, into probabilities: inout [Float], workspace: inout Workspace,
        units: ComputeUnits = .all
    ) {
        let count = batch.rowCount * DelayBins.count
        if probabilities.count != count { probabilities = Array(repeating: 0, count: count) }
        var output = probabilities.mutableSpan
        network.probabilities(
            batch.rows, prior: batch.priorLogits.span, into: &output,
            workspace: &workspace, units: units)
    }
}
