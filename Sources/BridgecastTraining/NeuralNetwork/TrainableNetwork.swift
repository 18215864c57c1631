// The network while it learns: forward and backward passes on BLAS, one mini-batch at a time.
//
// Letters: B rows of a mini-batch, I inputs of a layer, O its outputs, K delay bins.
// Belongs here: the network while it learns; not: the one that runs (BridgecastEngine).
private import BridgecastCore
package import BridgecastEngine
private import Foundation

/// A multilayer perceptron whose logits are added to a prior's, trained by cross-entropy.
package struct TrainableNetwork: Sendable {
    /// The layers; ReLU on all but the last.
    package internal(set) var layers: [DenseLayer]
    /// Gradients of the mean loss of the last backward pass, shaped as the layers.
    package private(set) var gradients: [DenseLayer]

    private var activations: [[Float]]
    private var deltas: [[Float]]
    private let keepShare: Float
    private var masks: [[Float]]

    /// Creates a network with He initialisation; the last layer starts at zero, so that the
    /// untrained network returns the prior.
    ///
    /// - Parameters:
    ///   - sizes: Inputs, hidden sizes, bins.
    ///   - dropout: Share of hidden activations that is switched off in training, 0 ..< 1.
    package init(sizes: [Int], dropout: Float, random: inout SeededRandom) {
        layers = zip(sizes, sizes.dropFirst()).enumerated().map { index, size in
            let isLast = index == sizes.count - 2
            let deviation = isLast ? 0 : (2 / Double(size.0)).squareRoot()
            let weights = (0..<size.0 * size.1).map { _ in Float(random.normal() * deviation) }
            return DenseLayer(
                inputs: size.0, outputs: size.1, weights: weights,
                bias: Array(repeating: 0, count: size.1), hasReLU: !isLast)
        }
        gradients = layers
        activations = sizes.map { _ in [] }
        deltas = sizes.map { _ in [] }
        masks = sizes.map { _ in [] }
        keepShare = 1 - dropout
    }

    /// Replaces the layers by others of the same shapes.
    package mutating func adopt(_ layers: [DenseLayer]) { self.layers = layers }

    /// Mean cross-entropy of a mini-batch and, in `gradients`, its derivatives.
    ///
    /// - Parameters:
    ///   - inputs: Normalised inputs, [B, I].
    ///   - prior: Prior logits, [B, K].
    ///   - targets: Target probabilities, [B, K]; what a row lacks to 1 is the probability of any
    ///     bin but the first.
    ///   - random: Switches activations off; nil uses all of them.
    package mutating func lossAndGradients(
        inputs: [Float], prior: [Float], targets: [Float], rows: Int, random: SeededRandom? = nil
    ) -> Double {
        forward(inputs, rows: rows, random: random)
        let loss = lossAndOutputDelta(prior: prior, targets: targets, rows: rows)
        backward(rows: rows)
        return loss
    }

    /// The probabilities of the bins for a mini-batch, [B, K], all activations in use.
    package mutating func probabilities(inputs: [Float], prior: [Float], rows: Int) -> [Float] {
        forward(inputs, rows: rows, random: nil)
        let bins = layers[layers.count - 1].outputs
        var result = activations[layers.count]
        for row in 0..<rows { softmax(&result, prior, row: row, bins: bins) }
        return Array(result.prefix(rows * bins))
    }

    private mutating func forward(_ inputs: [Float], rows: Int, random: SeededRandom?) {
        activations[0] = inputs
        var random = random
        for (index, layer) in layers.enumerated() {
            reserve(&activations[index + 1], rows * layer.outputs)
            BLAS.multiply(
                activations[index], .plain, layer.weights, .transposed,
                into: &activations[index + 1], m: rows, n: layer.outputs, k: layer.inputs)
            addBias(layer, to: &activations[index + 1], rows: rows)
            guard layer.hasReLU else { continue }
            reserve(&masks[index + 1], rows * layer.outputs)
            dropOut(index + 1, count: rows * layer.outputs, &random)
        }
    }

    private mutating func dropOut(_ index: Int, count: Int, _ random: inout SeededRandom?) {
        guard keepShare < 1 else { return }
        guard var generator = random else {
            for i in 0..<count { masks[index][i] = 1 }
            return
        }
        // One 64-bit draw serves eight activations: a byte each is fine enough for a share.
        let threshold = UInt64(keepShare * 256)
        var draw: UInt64 = 0
        for i in 0..<count {
            draw = i % 8 == 0 ? generator.next() : draw >> 8
            let mask: Float = draw & 0xff < threshold ? 1 / keepShare : 0
            masks[index][i] = mask
            activations[index][i] *= mask
        }
        random = generator
    }

    private mutating func lossAndOutputDelta(
        prior: [Float], targets: [Float], rows: Int
    ) -> Double {
        let last = layers.count
        let bins = layers[last - 1].outputs
        reserve(&deltas[last], rows * bins)
        var loss = 0.0
        for row in 0..<rows {
            softmax(&activations[last], prior, row: row, bins: bins)
            let cells = row * bins..<(row + 1) * bins
            let none = activations[last][cells.lowerBound]
            // What is missing to 1 is the probability of some bin but the first, whichever.
            var open: Float = 1
            for cell in cells {
                let probability = activations[last][cell]
                open -= targets[cell]
                if targets[cell] > 0 {
                    loss -= Double(targets[cell]) * log(max(Double(probability), 1e-12))
                }
                deltas[last][cell] = (probability - targets[cell]) / Float(rows)
            }
            guard open > 1e-6 else { continue }
            let some = max(1 - none, 1e-12)
            loss -= Double(open) * log(Double(some))
            let scale = open / some / Float(rows)
            for cell in cells.dropFirst() { deltas[last][cell] -= scale * activations[last][cell] }
        }
        return loss / Double(rows)
    }

    private mutating func backward(rows: Int) {
        for index in layers.indices.reversed() {
            let layer = layers[index]
            BLAS.multiply(
                deltas[index + 1], .transposed, activations[index], .plain,
                into: &gradients[index].weights, m: layer.outputs, n: layer.inputs, k: rows)
            sumColumns(deltas[index + 1], rows: rows, into: &gradients[index].bias)
            guard index > 0 else { continue }
            reserve(&deltas[index], rows * layer.inputs)
            BLAS.multiply(
                deltas[index + 1], .plain, layer.weights, .plain, into: &deltas[index],
                m: rows, n: layer.inputs, k: layer.outputs)
            for i in 0..<rows * layer.inputs where activations[index][i] <= 0 {
                deltas[index][i] = 0
            }
            guard keepShare < 1 else { continue }
            for i in 0..<rows * layer.inputs { deltas[index][i] *= masks[index][i] }
        }
    }

    private func addBias(_ layer: DenseLayer, to values: inout [Float], rows: Int) {
        for row in 0..<rows {
            let start = row * layer.outputs
            for o in 0..<layer.outputs {
                let sum = values[start + o] + layer.bias[o]
                values[start + o] = layer.hasReLU ? max(0, sum) : sum
            }
        }
    }

    private func sumColumns(_ values: [Float], rows: Int, into sums: inout [Float]) {
        let width = sums.count
        for o in 0..<width { sums[o] = 0 }
        for row in 0..<rows {
            for o in 0..<width { sums[o] += values[row * width + o] }
        }
    }

    private func softmax(_ logits: inout [Float], _ prior: [Float], row: Int, bins: Int) {
        let cells = row * bins..<(row + 1) * bins
        var highest = -Float.infinity
        for cell in cells {
            logits[cell] += prior[cell]
            highest = max(highest, logits[cell])
        }
        var sum: Float = 0
        for cell in cells {
            logits[cell] = exp(logits[cell] - highest)
            sum += logits[cell]
        }
        for cell in cells { logits[cell] /= sum }
    }

    private func reserve(_ array: inout [Float], _ count: Int) {
        if array.count < count { array = Array(repeating: 0, count: count) }
    }
}
