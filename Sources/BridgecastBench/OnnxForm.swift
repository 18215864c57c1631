// The forms of a network that onnxruntime is timed with: fp32, and int8 with either kind of weights.
internal import BridgecastEngine

/// A form of a network in onnxruntime; its name is part of the model file's.
enum OnnxForm: String, CaseIterable {
    case fp32
    /// u8 weights with zero point 128: exact on every CPU.
    case int8u8 = "int8-u8"
    /// s8 weights: faster, but onnxruntime's kernels for them saturate on x86 CPUs without VNNI.
    case int8s8 = "int8-s8"

    /// The format of ours that gives the same outputs.
    var format: WeightFormat { self == .fp32 ? .fp32 : .int8 }
}
