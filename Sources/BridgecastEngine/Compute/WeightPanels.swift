// Weights as the kernels read them: panels of 16 outputs; made by NetworkImageBuilder.
internal import CBridgecastKernels

/// Weights in the order in which the kernels read them.
enum WeightPanels {
    /// Outputs to a panel.
    static let outputs = Int(BCK_PANEL)
    /// Inputs that an int8 panel keeps together for each output.
    static let quad = Int(BCK_QUAD)

    /// [panel, quad of inputs, 16 outputs, 4 inputs], zero where there is no output or input.
    static func int8(_ layer: QuantisedLayer) -> [Int8] {
        let quads = (layer.inputs + quad - 1) / quad
        let panels = (layer.outputs + outputs - 1) / outputs
        var packed = [Int8](repeating: 0, count: panels * quads * outputs * quad)
        var target = packed.mutableSpan
        let source = layer.weights.span
        for o in 0..<layer.outputs {
            let panel = o / outputs * quads * outputs * quad + o % outputs * quad
            let row = source.extracting(o * layer.inputs..<(o + 1) * layer.inputs)
            var (i, start) = (0, panel)
            while i + quad <= row.count {
                for j in 0..<quad { target[start + j] = row[i + j] }
                i += quad
                start += outputs * quad
            }
            for j in 0..<row.count - i { target[start + j] = row[i + j] }
        }
        return packed
    }

    /// The bias for inputs less 128; `bias` and it are padded to whole panels.
    static func centredBias(_ layer: QuantisedLayer, panels: [Int8], bias: [Int32]) -> [Int32] {
        var centred = bias
        unsafe bck_centre_bias(layer.inputs, layer.outputs, panels, bias, &centred)
        return centred
    }

    /// How many numbers int8 panels have.
    static func count(_ inputs: Int, _ layerOutputs: Int) -> Int {
        (inputs + quad - 1) / quad * quad * ((layerOutputs + outputs - 1) / outputs * outputs)
    }

    /// The weights of int8 panels, [O, I].
    static func weights(_ packed: [Int8], _ inputs: Int, _ layerOutputs: Int) -> [Int8] {
        let quads = (inputs + quad - 1) / quad
        return (0..<layerOutputs).flatMap { o in
            (0..<inputs).map { i in
                let panel = (o / outputs * quads + i / quad) * outputs + o % outputs
                return packed[panel * quad + i % quad]
            }
        }
    }

    /// [panel, input, 16 outputs], zero where there is no output.
    static func fp32(_ layer: DenseLayer) -> [Float] {
        let panels = (layer.outputs + outputs - 1) / outputs
        var packed = [Float](repeating: 0, count: panels * layer.inputs * outputs)
        for o in 0..<layer.outputs {
            let panel = o / outputs * layer.inputs * outputs + o % outputs
            for i in 0..<layer.inputs {
                packed[panel + i * outputs] = layer.weights[o * layer.inputs + i]
            }
        }
        return packed
    }
}
