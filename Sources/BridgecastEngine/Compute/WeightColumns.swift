// A first layer by its inputs, as the kernels read it for rows that are lists; made by NetworkImageBuilder.
internal import CBridgecastKernels

/// Weights of a first layer by input, and the sums where every input is zero.
enum WeightColumns {
    /// Bytes of the columns of an int8 layer.
    static func byteCount(_ layer: QuantisedLayer) -> Int {
        layer.inputs * bck_column(layer.outputs)
    }

    /// Writes the columns of an int8 layer, ``byteCount(_:)`` of them, as `bck_columns` has them.
    static func write(_ layer: QuantisedLayer, to memory: UnsafeMutableRawBufferPointer) {
        guard let columns = unsafe memory.bindMemory(to: UInt8.self).baseAddress else { return }
        unsafe bck_pack_columns(layer.inputs, layer.outputs, layer.weights, columns)
    }

    /// The sums of an int8 layer where every input is zero, which `zero` has as steps.
    static func base(_ layer: QuantisedLayer, zero: [UInt8]) -> [Int32] {
        var base = [Int32](repeating: 0, count: bck_column(layer.outputs))
        unsafe bck_column_base(
            layer.inputs, layer.outputs, layer.weights, layer.bias, zero, &base)
        return base
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
