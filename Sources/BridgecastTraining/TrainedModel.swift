// The outcome of a training: what a model file is written from.
package import BridgecastCore
package import BridgecastEngine

/// The outcome of a training: what a model file is written from.
package struct TrainedModel: Sendable {
    /// No record from this moment on was used for the fit.
    package let fittedBefore: Timestamp
    /// Layers in order, from F inputs to K logits; provenance is filled in by the caller.
    package let layers: [DenseLayer]
    /// How raw inputs [F] become those of the first layer.
    package let normalisation: InputNormalisation
    /// Climatology of the records before `fittedBefore`: what the network's prior is made of.
    package let climatology: Climatology
    /// Steps of the activations for int8.
    package let calibration: ActivationCalibration
    /// Log loss of "blocked" on the validation rows; nil without validation.
    package let validationLoss: Double?
    /// The same of the prior alone.
    package let priorValidationLoss: Double?
}
