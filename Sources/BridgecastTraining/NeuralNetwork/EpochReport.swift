// What an epoch of the network's training came to.

/// What a training run reports after each epoch.
package struct EpochReport: Sendable {
    /// The epoch that is done, 1...`epochs`.
    package let epoch: Int
    /// Epochs of the whole run.
    package let epochs: Int
    /// Mean cross-entropy of the delay bins over the epoch's mini-batches, nats a row, while weights moved.
    package let trainingLoss: Double
    /// Log loss of "blocked" on the validation rows; nil without validation.
    package let validationLoss: Double?
}
