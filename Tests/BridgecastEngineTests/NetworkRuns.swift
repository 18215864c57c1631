// A compiled network run by hand, the same network in Double, and how far two results are apart.
import BridgecastCore
@testable import BridgecastEngine

func logits(
    _ network: CompiledNetwork, _ features: [Float], _ rows: Int,
    units: ComputeUnits = .simd, threads: Int = 1
) -> [Float] {
    var workspace = Workspace(threads: threads)
    var output = [Float](repeating: -1, count: rows * network.outputs)
    var span = output.mutableSpan
    network.logits(features.span, into: &span, workspace: &workspace, units: units)
    return output
}

func logits(
    _ network: CompiledNetwork, _ rows: SparseRows, units: ComputeUnits = .simd, threads: Int = 1
) -> [Float] {
    var workspace = Workspace(threads: threads)
    var output = [Float](repeating: -1, count: rows.count * network.outputs)
    var span = output.mutableSpan
    network.logits(rows, into: &span, workspace: &workspace, units: units)
    return output
}

func probabilities(
    _ network: CompiledNetwork, _ features: [Float], _ prior: [Float]
) -> [Float] {
    var workspace = Workspace()
    var output = prior
    var span = output.mutableSpan
    network.probabilities(
        features.span, prior: prior.span, into: &span, workspace: &workspace, units: .simd)
    return output
}

/// The network in Double, straight from its definition.
func doubles(
    _ layers: [DenseLayer], _ normalisation: InputNormalisation, _ features: [Float]
) -> [Double] {
    let width = normalisation.mean.count
    return stride(from: 0, to: features.count, by: width).flatMap { start in
        var x = (0..<width).map { i -> Double in
            let z = Double(features[start + i]) - Double(normalisation.mean[i])
            let limit = Double(normalisation.limit)
            return min(max(z * Double(normalisation.inverseDeviation[i]), -limit), limit)
        }
        for layer in layers {
            x = (0..<layer.outputs).map { o in
                let sum = (0..<layer.inputs).reduce(Double(layer.bias[o])) {
                    $0 + Double(layer.weights[o * layer.inputs + $1]) * x[$1]
                }
                return layer.hasReLU ? max(0, sum) : sum
            }
        }
        return x
    }
}

func largestDifference(_ a: [Float], _ b: [Double]) -> Double {
    guard a.count == b.count else { return .infinity }
    // A comparison with NaN is false, so NaN must not look like agreement.
    return zip(a, b).reduce(0) { worst, pair in
        let difference = abs(Double(pair.0) - pair.1)
        return difference <= worst ? worst : (difference.isNaN ? .infinity : difference)
    }
}
