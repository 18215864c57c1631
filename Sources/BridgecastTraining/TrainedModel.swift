// The outcome of a training: what a model file is written from.
package import BridgecastCore
package import BridgecastEngine

/// The outcome of a training: what a model file is written from.
package struct TrainedModel: Sendable {
    /// No record from this moment on was used for the fit.
    package let fittedBefore: Timestamp
    /// Layers, normalisation and climatology; provenance is filled in by the caller.
    package let layers: [DenseLayer]
    package let normalisation: InputNormalisation
    package let climatology: Climatology
    /// Steps of the activations for int8.
    package let calibration: ActivationCalibration
    /// Log loss of "blocked" on the validation rows; nil without validation.
    package let validationLoss: Double?
    /// The same of the prior alone.
    package let priorValidationLoss: Double?
}
