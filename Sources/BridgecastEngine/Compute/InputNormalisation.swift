// How raw inputs become those of the network; what training fits, the model file stores and the engine applies.
internal import CBridgecastKernels

/// How raw inputs become the network's inputs: (x - mean) * inverse deviation, clamped to ±limit.
public struct InputNormalisation: Sendable, Equatable {
    /// Mean of each input, [F].
    public let mean: [Float]
    /// Reciprocal of each input's deviation, [F], finite and > 0.
    public let inverseDeviation: [Float]
    /// Largest magnitude that passes, > 0.
    public let limit: Float

    /// Creates a normalisation.
    ///
    /// - Precondition: Both lists have the same length, and the limit is above 0.
    public init(mean: [Float], inverseDeviation: [Float], limit: Float) {
        precondition(mean.count == inverseDeviation.count && limit > 0)
        self.mean = mean
        self.inverseDeviation = inverseDeviation
        self.limit = limit
    }

    /// Normalises rows in place, [B, F]; what the kernels do, in plain Swift, for training.
    package func normalise(_ rows: inout [Float]) {
        let width = mean.count
        for row in stride(from: 0, to: rows.count, by: width) {
            for i in 0..<width { rows[row + i] = normalised(rows[row + i], input: i) }
        }
    }

    /// A row as the steps of a first int8 layer, by the kernels' own definition.
    func steps(ofRow row: [Float], input: ActivationScale) -> [UInt8] {
        var steps = [UInt8](repeating: 0, count: bck_padded(row.count))
        let factor = 1 / input.scale
        let factors = inverseDeviation.map { $0 * factor }
        guard let kernels = unsafe bck_kernels_of(BCK_SCALAR)?.pointee else { return steps }
        unsafe mean.withUnsafeBufferPointer { mean in
            unsafe factors.withUnsafeBufferPointer { factors in
                var poison: Float = 0
                var how = unsafe bck_normalisation(
                    mean: mean.baseAddress, factor: factors.baseAddress, limit: limit * factor,
                    zero_point: Int32(input.zeroPoint))
                unsafe kernels.f32u8_normalise(1, row.count, row, &how, &steps, &poison)
            }
        }
        return Array(steps.prefix(row.count))
    }

    /// A value of an input, normalised and clamped.
    @inline(__always)
    package func normalised(_ value: Float, input: Int) -> Float {
        min(max((value - mean[input]) * inverseDeviation[input], -limit), limit)
    }
}
