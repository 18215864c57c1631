// What an epoch of the network's training came to.

/// What a training run reports after each epoch.
package struct EpochReport: Sendable {
    package let epoch: Int
    package let epochs: Int
    package let trainingLoss: Double
    /// Log loss of "blocked" on the validation rows; nil without validation.
    package let validationLoss: Double?
}
