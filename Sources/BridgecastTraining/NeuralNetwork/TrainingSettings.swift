// Settings of the network's training.

/// Settings of a training run.
package struct TrainingSettings: Sendable {
    /// Sizes of the hidden layers.
    package var hiddenSizes = [256, 128]
    /// Rows of a mini-batch.
    package var batchRows = 1024
    /// Passes, each over rows of its own.
    package var epochs = 5
    /// Learning rate at the start; it falls to a twentieth along a cosine.
    package var learningRate: Float = 1e-3
    /// Decoupled weight decay.
    package var weightDecay: Float = 1e-3
    /// Share of hidden activations switched off.
    package var dropout: Float = 0

    /// The defaults of `bridgecast train`.
    package init() {}
}
