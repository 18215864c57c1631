// The number formats of weights.

/// Number format of a model's weights.
public enum WeightFormat: String, Sendable, Codable, CaseIterable {
    /// Signed bytes with a scale per output; activations are unsigned bytes.
    case int8
    /// IEEE 754 half precision, widened at load.
    case fp16
    /// IEEE 754 single precision.
    case fp32
}
