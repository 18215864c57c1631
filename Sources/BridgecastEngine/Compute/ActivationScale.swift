// The map between u8 activations and numbers.

/// The affine map between u8 activations and numbers: x = (q - zeroPoint) * scale.
public struct ActivationScale: Sendable, Equatable {
    /// Size of one step, > 0.
    public let scale: Float
    /// The q that stands for 0, 0...255.
    public let zeroPoint: Int

    /// Creates a scale.
    public init(scale: Float, zeroPoint: Int) {
        self.scale = scale
        self.zeroPoint = zeroPoint
    }
}
