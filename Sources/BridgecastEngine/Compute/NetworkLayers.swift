// The network as numbers: what training makes, the model file stores and the engine runs.

/// The layers of a network at one precision.
public enum NetworkLayers: Sendable, Equatable {
    /// fp32 layers.
    case float([DenseLayer])
    /// fp32 layers whose weights are rounded to fp16.
    case half([DenseLayer])
    /// int8 layers, and how the normalised inputs are quantised.
    case quantised([QuantisedLayer], input: ActivationScale)

    /// Inputs and outputs of each layer.
    public var shapes: [(inputs: Int, outputs: Int)] {
        switch self {
        case .float(let layers), .half(let layers): layers.map { ($0.inputs, $0.outputs) }
        case .quantised(let layers, _): layers.map { ($0.inputs, $0.outputs) }
        }
    }

    /// Number format of the weights.
    var format: WeightFormat {
        switch self {
        case .float: .fp32
        case .half: .fp16
        case .quantised: .int8
        }
    }
}
