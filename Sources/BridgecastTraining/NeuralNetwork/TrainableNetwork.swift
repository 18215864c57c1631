// The network while it learns: its parameters, and mini-batches in halves, one for each of two cores.
//
// Letters: B rows of a mini-batch, I inputs of a layer, O its outputs, K delay bins.
// Belongs here: the network while it learns; not: the one that runs (BridgecastEngine).
private import BridgecastCore
package import BridgecastEngine

/// A multilayer perceptron whose logits are added to a prior's, trained by cross-entropy.
package struct TrainableNetwork: Sendable {
    /// Inputs, hidden sizes, bins.
    private let sizes: [Int]
    /// Weights and biases by turns: weights of the first layer [I, O], so that an input's lie together, of
    /// the others [O, I].
    var parameters: [[Float]]
    /// One for each half of a mini-batch.
    private var passes: [NetworkPass]

    /// Creates a network with He initialisation; the last layer starts at zero, so that the
    /// untrained network returns the prior.
    ///
    /// - Parameters:
    ///   - sizes: Inputs, hidden sizes, bins.
    ///   - dropout: Share of hidden activations that is switched off in training, 0 ..< 1.
    package init(sizes: [Int], dropout: Float, random: inout SeededRandom) {
        self.sizes = sizes
        let layers = zip(sizes, sizes.dropFirst()).enumerated().map { index, size in
            let isLast = index == sizes.count - 2
            let deviation = isLast ? 0 : (2 / Double(size.0)).squareRoot()
            let weights = (0..<size.0 * size.1).map { _ in Float(random.normal() * deviation) }
            return DenseLayer(
                inputs: size.0, outputs: size.1, weights: weights,
                bias: Array(repeating: 0, count: size.1), hasReLU: !isLast)
        }
        parameters = Self.parameters(of: layers)
        passes = Array(
            repeating: NetworkPass(sizes: sizes, dropout: dropout), count: Halves.count)
    }

    /// The layers; ReLU on all but the last.
    package var layers: [DenseLayer] { layers(of: parameters) }

    /// Gradients of the mean loss of the last mini-batch, shaped as ``parameters``.
    var summedGradients: [[Float]] { passes[0].gradients }

    /// Mean cross-entropy of a mini-batch and, in ``summedGradients``, its derivatives.
    ///
    /// - Parameters:
    ///   - inputs: Rows, of which some are the mini-batch.
    ///   - rows: Numbers of the mini-batch's rows, [B].
    ///   - prior: Prior logits, [B, K].
    ///   - targets: Target probabilities, [B, K]; what a row lacks to 1 is the probability of any
    ///     bin but the first.
    ///   - random: Switches activations off; nil uses all of them.
    package mutating func lossAndGradients(
        inputs: NormalisedRows, rows: [Int], prior: [Float], targets: [Float],
        random: SeededRandom? = nil
    ) -> Double {
        let (parameters, base) = (parameters, base(of: inputs))
        let bins = sizes[sizes.count - 1]
        var random = random
        let seeds = (0..<Halves.count).map { _ in random?.next() }
        Halves.forEach(&passes) { pass, half in
            let part = Halves.part(half, of: rows.count)
            let cells = part.lowerBound * bins..<part.upperBound * bins
            pass.learn(
                parameters, base: base, inputs: inputs, rows: rows[part],
                prior: Array(prior[cells]), targets: Array(targets[cells]), of: rows.count,
                random: seeds[half].map { SeededRandom(seed: $0) })
        }
        sumGradients(inputs.zero)
        return passes.reduce(0) { $0 + $1.loss } / Double(rows.count)
    }

    /// The probabilities of the bins for some rows, [B, K], all activations in use.
    package mutating func probabilities(
        inputs: NormalisedRows, rows: [Int], prior: [Float]
    ) -> [Float] {
        let (parameters, base) = (parameters, base(of: inputs))
        let bins = sizes[sizes.count - 1]
        Halves.forEach(&passes) { pass, half in
            let part = Halves.part(half, of: rows.count)
            let cells = part.lowerBound * bins..<part.upperBound * bins
            pass.forecast(
                parameters, base: base, inputs: inputs, rows: rows[part],
                prior: Array(prior[cells]))
        }
        return passes.flatMap(\.forecasts)
    }

    /// What the first layer makes of a row of zeros, [O].
    private func base(of inputs: NormalisedRows) -> [Float] {
        precondition(inputs.width == sizes[0], "rows of other inputs")
        var base = parameters[1]
        let outputs = base.count
        unsafe parameters[0].withUnsafeBufferPointer { weights in
            for (input, zero) in inputs.zero.enumerated() where zero != 0 {
                for o in 0..<outputs { unsafe base[o] += zero * weights[input * outputs + o] }
            }
        }
        return base
    }

    /// Adds up the halves, always in the same order, and what the inputs that are zero contribute.
    private mutating func sumGradients(_ zero: [Float]) {
        for slot in parameters.indices.reversed() {
            let halves = passes.dropFirst().map { $0.gradients[slot] }
            let bias = slot == 0 ? passes[0].gradients[1] : []
            Halves.forEach(&passes[0].gradients[slot]) { sums, range in
                for half in halves { add(half, range, to: &sums) }
                guard slot == 0 else { return }
                addProducts(zero, bias, range, to: &sums)
            }
        }
    }

    /// [O, I] of the parameters' first weights, which are [I, O].
    func layers(of parameters: [[Float]]) -> [DenseLayer] {
        (0..<sizes.count - 1).map { index in
            let (inputs, outputs) = (sizes[index], sizes[index + 1])
            let weights = parameters[2 * index]
            return DenseLayer(
                inputs: inputs, outputs: outputs,
                weights: index == 0
                    ? weights.transposed(rows: inputs, columns: outputs) : weights,
                bias: parameters[2 * index + 1], hasReLU: index < sizes.count - 2)
        }
    }

    static func parameters(of layers: [DenseLayer]) -> [[Float]] {
        layers.enumerated().flatMap { index, layer in
            [
                index == 0
                    ? layer.weights.transposed(rows: layer.outputs, columns: layer.inputs)
                    : layer.weights,
                layer.bias,
            ]
        }
    }
}

/// Adds part of some numbers.
private func add(_ values: [Float], _ range: Range<Int>, to sums: inout MutableSpan<Float>) {
    let values = values.span.extracting(range)
    for i in 0..<sums.count { sums[i] += values[i] }
}

/// Adds part of the products of two lists, [first, second].
private func addProducts(
    _ first: [Float], _ second: [Float], _ range: Range<Int>, to sums: inout MutableSpan<Float>
) {
    let width = second.count
    var cell = range.lowerBound
    while cell < range.upperBound {
        let (row, column) = (cell / width, cell % width)
        let count = min(width - column, range.upperBound - cell)
        let factor = first[row]
        if factor != 0 {
            let start = cell - range.lowerBound
            for i in 0..<count { sums[start + i] += factor * second[column + i] }
        }
        cell += count
    }
}

extension [Float] {
    /// [columns, rows] of [rows, columns].
    fileprivate func transposed(rows: Int, columns: Int) -> [Float] {
        var result = self
        for row in 0..<rows {
            for column in 0..<columns {
                result[column * rows + row] = self[row * columns + column]
            }
        }
        return result
    }
}
