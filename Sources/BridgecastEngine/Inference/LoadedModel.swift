// A model ready to run: immutable, shared by all tasks; `predict` is the hot path of Bridgecast.
public import BridgecastCore

/// A network with its normalisation, its climatology and the facts of its making.
public struct LoadedModel: Sendable {
    /// How the model came about and what it was fitted to.
    public let header: ModelHeader
    /// The climatology its prior is made from.
    public let climatology: Climatology
    /// How raw inputs are normalised.
    public let normalisation: InputNormalisation
    /// The layers.
    public let layers: NetworkLayers

    /// Rows that are run through all layers together, so that activations stay in cache.
    static let chunkRows = 256

    /// fp32 weights as [I, O], the order in which BLAS multiplies fastest; empty where not needed.
    private let blasWeights: [[Float]]
    private let widest: Int

    init(
        header: ModelHeader, climatology: Climatology, normalisation: InputNormalisation,
        layers: NetworkLayers
    ) {
        self.header = header
        self.climatology = climatology
        self.normalisation = normalisation
        self.layers = layers
        widest = layers.shapes.reduce(DelayBins.count) { max($0, $1.inputs, $1.outputs) }
        blasWeights =
            switch layers {
            case .float(let layers):
                layers.map { Self.transposed($0.weights, rows: $0.outputs, columns: $0.inputs) }
            case .quantised(let layers, _):
                layers.map {
                    Self.transposed(
                        $0.weights.map { Float($0) }, rows: $0.outputs, columns: $0.inputs)
                }
            }
        BLAS.useOneThread()
    }

    /// Runs the network on a batch.
    ///
    /// - Parameters:
    ///   - batch: Rows from the ``FeatureBuilder``, B >= 0.
    ///   - probabilities: Receives the probability of each delay bin, [B, 12]; it is resized only
    ///     if its size differs.
    ///   - workspace: Scratch of the calling task; no allocation once it has seen as large a batch.
    ///   - units: The code path. All agree: int8 exactly in its logits, fp32 to rounding.
    /// - Complexity: O(B x weights).
    public func predict(
        _ batch: FeatureBatch, into probabilities: inout [Float], workspace: inout Workspace,
        units: ComputeUnits = .all
    ) {
        let bins = DelayBins.count
        if probabilities.count != batch.rowCount * bins {
            probabilities = Array(repeating: 0, count: batch.rowCount * bins)
        }
        workspace.reserve(rows: min(batch.rowCount, Self.chunkRows), width: widest)
        for start in stride(from: 0, to: batch.rowCount, by: Self.chunkRows) {
            let rows = start..<min(start + Self.chunkRows, batch.rowCount)
            Kernels.normalise(
                batch.features, rows: rows, with: normalisation, into: &workspace.floats[0])
            switch layers {
            case .float(let layers):
                run(layers, rows: rows.count, &workspace, useBLAS: units != .reference)
            case .quantised(let layers, let input):
                Kernels.quantise(
                    workspace.floats[0], count: rows.count * normalisation.mean.count,
                    scale: input.scale, zeroPoint: Int32(input.zeroPoint),
                    into: &workspace.bytes[0])
                run(layers, rows: rows.count, &workspace, useBLAS: units != .reference)
            }
            Kernels.softmax(
                workspace.logits, prior: batch.priorLogits, rows: rows, bins: bins,
                into: &probabilities)
        }
    }

    private func run(
        _ layers: [DenseLayer], rows: Int, _ workspace: inout Workspace, useBLAS: Bool
    ) {
        for (index, layer) in layers.enumerated() {
            if useBLAS {
                BLAS.multiply(
                    workspace.floats[0], .plain, blasWeights[index], .plain,
                    into: &workspace.floats[1],
                    m: rows, n: layer.outputs, k: layer.inputs)
                layer.addBias(to: &workspace.floats[1], rows: rows)
            } else {
                Kernels.dense(workspace.floats[0], rows: rows, layer, into: &workspace.floats[1])
            }
            workspace.floats.swapAt(0, 1)
        }
        swap(&workspace.floats[0], &workspace.logits)
    }

    private func run(
        _ layers: [QuantisedLayer], rows: Int, _ workspace: inout Workspace, useBLAS: Bool
    ) {
        for (index, layer) in layers.enumerated() {
            if useBLAS {
                multiply(layer, index, rows: rows, &workspace)
            } else if layer.hasReLU {
                Kernels.denseReLU(
                    workspace.bytes[0], rows: rows, layer, into: &workspace.bytes[1])
            } else {
                Kernels.dense(workspace.bytes[0], rows: rows, layer, into: &workspace.logits)
            }
            workspace.bytes.swapAt(0, 1)
        }
    }

    /// An int8 layer by BLAS: products and sums of u8 x s8 stay below 2^24 (the reader refuses
    /// layers where they might not), so fp32 holds them exactly and the result is the same.
    private func multiply(
        _ layer: QuantisedLayer, _ index: Int, rows: Int, _ workspace: inout Workspace
    ) {
        for i in 0..<rows * layer.inputs { workspace.floats[0][i] = Float(workspace.bytes[0][i]) }
        BLAS.multiply(
            workspace.floats[0], .plain, blasWeights[index], .plain, into: &workspace.floats[1],
            m: rows, n: layer.outputs, k: layer.inputs)
        for row in 0..<rows {
            for o in 0..<layer.outputs {
                let cell = row * layer.outputs + o
                let sum = Int32(workspace.floats[1][cell]) &+ layer.bias[o]
                if layer.hasReLU {
                    let steps = (Float(max(sum, 0)) * layer.multiplier[o]).rounded(.toNearestOrEven)
                    workspace.bytes[1][cell] = UInt8(min(steps, 255))
                } else {
                    workspace.logits[cell] = Float(sum) * layer.multiplier[o]
                }
            }
        }
    }

    private static func transposed(_ values: [Float], rows: Int, columns: Int) -> [Float] {
        var result = values
        for row in 0..<rows {
            for column in 0..<columns {
                result[column * rows + row] = values[row * columns + column]
            }
        }
        return result
    }
}

extension DenseLayer {
    /// Adds the bias to [B, O] and applies ReLU where the layer has it; NaN passes through.
    fileprivate func addBias(to values: inout [Float], rows: Int) {
        for row in 0..<rows {
            for o in 0..<outputs {
                let sum = values[row * outputs + o] + bias[o]
                values[row * outputs + o] = hasReLU && sum < 0 ? 0 : sum
            }
        }
    }
}
