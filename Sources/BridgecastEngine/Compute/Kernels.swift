// The safe face of CBridgecastKernels: checks every size, then hands pointers to C.
private import CBridgecastKernels

/// Our C kernels on Swift arrays; sizes are checked, so a wrong one traps instead of reading astray.
enum Kernels {
    /// Normalises inputs [B, I] into `output`: (x - mean) * inverse deviation, clamped to ±limit.
    static func normalise(
        _ input: [Float], rows: Range<Int>, with normalisation: InputNormalisation,
        into output: inout [Float]
    ) {
        let width = normalisation.mean.count
        precondition(input.count >= rows.upperBound * width && output.count >= rows.count * width)
        unsafe input.withUnsafeBufferPointer { x in
            unsafe output.withUnsafeMutableBufferPointer { y in
                guard let source = x.baseAddress, let target = y.baseAddress else { return }
                unsafe bck_f32_normalise__scalar(
                    rows.count, width, source + rows.lowerBound * width, normalisation.mean,
                    normalisation.inverseDeviation, normalisation.limit, target)
            }
        }
    }

    /// Quantises the first `count` numbers to u8.
    static func quantise(
        _ input: [Float], count: Int, scale: Float, zeroPoint: Int32, into output: inout [UInt8]
    ) {
        precondition(input.count >= count && output.count >= count)
        unsafe bck_f32u8_quantise__scalar(count, input, 1 / scale, zeroPoint, &output)
    }

    /// A hidden int8 layer, [B, I] to [B, O].
    static func denseReLU(
        _ input: [UInt8], rows: Int, _ layer: QuantisedLayer, into output: inout [UInt8]
    ) {
        precondition(input.count >= rows * layer.inputs && output.count >= rows * layer.outputs)
        unsafe bck_u8s8u8_dense_relu__scalar(
            rows, layer.inputs, layer.outputs, input, layer.weights, layer.bias, layer.multiplier,
            &output)
    }

    /// The last int8 layer, [B, I] to logits [B, O].
    static func dense(
        _ input: [UInt8], rows: Int, _ layer: QuantisedLayer, into logits: inout [Float]
    ) {
        precondition(input.count >= rows * layer.inputs && logits.count >= rows * layer.outputs)
        unsafe bck_u8s8f32_dense__scalar(
            rows, layer.inputs, layer.outputs, input, layer.weights, layer.bias, layer.multiplier,
            &logits)
    }

    /// An fp32 layer, [B, I] to [B, O], with ReLU if the layer has it.
    static func dense(
        _ input: [Float], rows: Int, _ layer: DenseLayer, into output: inout [Float]
    ) {
        precondition(input.count >= rows * layer.inputs && output.count >= rows * layer.outputs)
        unsafe bck_f32f32f32_dense__scalar(
            rows, layer.inputs, layer.outputs, input, layer.weights, layer.bias,
            layer.hasReLU ? 1 : 0, &output)
    }

    /// Softmax of logits plus prior, [B, K], written to rows of `output`.
    static func softmax(
        _ logits: [Float], prior: [Float], rows: Range<Int>, bins: Int, into output: inout [Float]
    ) {
        precondition(logits.count >= rows.count * bins)
        precondition(
            prior.count >= rows.upperBound * bins && output.count >= rows.upperBound * bins)
        unsafe prior.withUnsafeBufferPointer { p in
            unsafe output.withUnsafeMutableBufferPointer { y in
                guard let source = p.baseAddress, let target = y.baseAddress else { return }
                let start = rows.lowerBound * bins
                unsafe bck_f32_softmax__scalar(
                    rows.count, bins, logits, source + start, target + start)
            }
        }
    }
}
