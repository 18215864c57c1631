// A first layer by its inputs, as the kernels read it for rows that are lists; made by NetworkImageBuilder.
internal import CBridgecastKernels

/// Weights of a first layer by input, and the sums where every input is zero.
enum WeightColumns {
    /// Columns as `bck_columns` has them.
    static func int8(
        _ layer: QuantisedLayer, zero: [UInt8]
    ) -> (weights: [UInt8], base: [Int32]) {
        let width = bck_column(layer.outputs)
        var base = [Int32](repeating: 0, count: width)
        let weights = unsafe [UInt8](unsafeUninitializedCapacity: layer.inputs * width) {
            columns, count in
            guard let to = columns.baseAddress else { return }
            unsafe bck_pack_columns(
                layer.inputs, layer.outputs, layer.weights, layer.bias, zero, to, &base)
            count = layer.inputs * width
        }
        return (weights, base)
    }

    /// [input, outputs to a multiple of 64], zero where there is no output.
    static func fp32(_ layer: DenseLayer, zero: [Float]) -> (weights: [Float], base: [Float]) {
        let width = bck_column(layer.outputs)
        var weights = [Float](repeating: 0, count: layer.inputs * width)
        var base = [Float](repeating: 0, count: width)
        for o in 0..<layer.outputs {
            var sum = Double(layer.bias[o])
            for i in 0..<layer.inputs {
                let weight = layer.weights[o * layer.inputs + i]
                weights[i * width + o] = weight
                sum += Double(weight) * Double(zero[i])
            }
            base[o] = Float(sum)
        }
        return (weights, base)
    }
}
