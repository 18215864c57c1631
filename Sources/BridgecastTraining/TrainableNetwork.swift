// The network in training: its parameters, and mini-batches in halves, one for each of two cores.
//
// Letters: B rows of a mini-batch, I inputs of a layer, O its outputs, K delay bins. The network that runs is in
// BridgecastEngine.
internal import BridgecastCore
package import BridgecastEngine
private import Foundation

/// A multilayer perceptron whose logits are added to a prior's, trained by cross-entropy.
package struct TrainableNetwork: Sendable {
    /// Inputs, hidden sizes, bins.
    private let sizes: [Int]
    /// Weights and biases of each layer in turn: weights of the first layer [I, O], so that those of an input are
    /// contiguous, of the others [O, I].
    var parameters: [[Float]]
    /// One for each half of a mini-batch.
    private var passes: [NetworkPass]

    /// Creates a network with He initialisation; the last layer starts at zero, so that the
    /// untrained network returns the prior.
    ///
    /// - Parameters:
    ///   - sizes: Inputs, hidden sizes, bins.
    ///   - dropout: Share of hidden activations that are dropped in training, 0 ..< 1.
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
        passes = Array(repeating: NetworkPass(sizes: sizes, dropout: dropout), count: Halves.count)
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
    ///   - targets: Target probabilities, [B, K]; the difference of a row's sum to 1 is the probability of
    ///     any bin but the first.
    ///   - random: For dropout; nil for none.
    package mutating func lossAndGradients(
        inputs: NormalisedRows, rows: [Int], prior: [Float], targets: [Float],
        random: SeededRandom? = nil
    ) -> Double {
        let parameters = parameters
        let base = base(of: inputs)
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

    /// The probabilities of the bins for some rows, [B, K], without dropout.
    package mutating func probabilities(
        inputs: NormalisedRows, rows: [Int], prior: [Float]
    ) -> [Float] {
        let parameters = parameters
        let base = base(of: inputs)
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

    /// The first layer's output for a row of zeros, [O].
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

    /// Adds up the halves, always in the same order, and the contribution of inputs of zero.
    private mutating func sumGradients(_ zero: [Float]) {
        for slot in parameters.indices.reversed() {
            let halves = passes.dropFirst().map { $0.gradients[slot] }
            let bias = slot == 0 ? passes[0].gradients[1] : []
            Halves.forEach(&passes[0].gradients[slot]) { sums, range in
                for half in halves { add(half, range, to: &sums) }
                guard slot == 0 else { return }
                addProducts(of: zero, bias, in: range, to: &sums)
            }
        }
    }

    /// [O, I] of the parameters' first weights, which are [I, O].
    func layers(of parameters: [[Float]]) -> [DenseLayer] {
        (0..<sizes.count - 1).map { index in
            let inputs = sizes[index]
            let outputs = sizes[index + 1]
            let weights = parameters[2 * index]
            return DenseLayer(
                inputs: inputs, outputs: outputs,
                weights: index == 0 ? weights.transposed(rows: inputs, columns: outputs) : weights,
                bias: parameters[2 * index + 1], hasReLU: index < sizes.count - 2)
        }
    }

    static func parameters(of layers: [DenseLayer]) -> [[Float]] {
        layers.enumerated().flatMap { index, layer in
            [
                index == 0
                    ? layer.weights.transposed(rows: layer.outputs, columns: layer.inputs)
                    : layer.weights, layer.bias,
            ]
        }
    }
}

private func add(_ values: [Float], _ range: Range<Int>, to sums: inout MutableSpan<Float>) {
    let values = values.span.extracting(range)
    for i in 0..<sums.count { sums[i] += values[i] }
}

/// Adds a range of the outer product of two vectors, [first, second].
private func addProducts(
    of first: [Float], _ second: [Float], in range: Range<Int>, to sums: inout MutableSpan<Float>
) {
    let width = second.count
    var cell = range.lowerBound
    while cell < range.upperBound {
        let row = cell / width
        let column = cell % width
        let count = min(width - column, range.upperBound - cell)
        let factor = first[row]
        if factor != 0 {
            let start = cell - range.lowerBound
            for i in 0..<count { sums[start + i] += factor * second[column + i] }
        }
        cell += count
    }
}

// MARK: - Forward and backward passes

/// The buffers of passes over some rows of a mini-batch, and the results of the last pass.
struct NetworkPass: Sendable {
    /// These rows' part of the gradients of the whole mini-batch's mean loss, shaped as the network's parameters;
    /// those of the first weights without the contribution of inputs of zero.
    var gradients: [[Float]] = []
    /// Sum of the rows' losses.
    private(set) var loss = 0.0
    /// Probabilities of the bins, [rows, K].
    private(set) var forecasts: [Float] = []

    private let sizes: [Int]
    private let keepShare: Float
    private var activations: [[Float]]
    private var deltas: [[Float]]
    private var masks: [[Float]]
    /// Whether the last forward pass had dropout.
    private var hasDropped = false

    init(sizes: [Int], dropout: Float) {
        self.sizes = sizes
        keepShare = 1 - dropout
        activations = sizes.map { _ in [] }
        deltas = activations
        masks = activations
    }

    private var last: Int { sizes.count - 1 }

    /// Loss and gradients of rows of a mini-batch of `batchRows`.
    mutating func learn(
        _ parameters: [[Float]], base: [Float], inputs: NormalisedRows, rows: ArraySlice<Int>,
        prior: [Float], targets: [Float], of batchRows: Int, random: SeededRandom?
    ) {
        if gradients.isEmpty { gradients = parameters.map { $0.map { _ in 0 } } }
        forward(parameters, base: base, inputs: inputs, rows: rows, random: random)
        lossAndOutputDelta(prior, targets, rows: rows.count, of: batchRows)
        backward(parameters, inputs: inputs, rows: rows)
    }

    /// Probabilities of the bins, without dropout.
    mutating func forecast(
        _ parameters: [[Float]], base: [Float], inputs: NormalisedRows, rows: ArraySlice<Int>,
        prior: [Float]
    ) {
        forward(parameters, base: base, inputs: inputs, rows: rows, random: nil)
        for row in 0..<rows.count { softmax(&activations[last], prior, row: row) }
        forecasts = Array(activations[last].prefix(rows.count * sizes[last]))
    }

    private mutating func forward(
        _ parameters: [[Float]], base: [Float], inputs: NormalisedRows, rows: ArraySlice<Int>,
        random: SeededRandom?
    ) {
        var random = random
        hasDropped = keepShare < 1 && random != nil
        for index in 1...last {
            let outputs = sizes[index]
            let cells = rows.count * outputs
            reserve(&activations[index], cells)
            if index == 1 {
                inputs.multiply(rows, by: parameters[0], base: base, into: &activations[1])
            } else {
                BLAS.multiply(
                    activations[index - 1], .plain, by: parameters[2 * index - 2], .transposed,
                    into: &activations[index], m: rows.count, n: outputs, k: sizes[index - 1])
                add(parameters[2 * index - 1], toRowsOf: &activations[index], rows: rows.count)
            }
            guard index < last else { continue }
            rectify(&activations[index], count: cells)
            guard hasDropped else { continue }
            dropOut(index, count: cells, random: &random)
        }
    }

    private mutating func dropOut(_ index: Int, count: Int, random: inout SeededRandom?) {
        guard var generator = random else { return }
        reserve(&masks[index], count)
        // One 64-bit draw is used for eight activations, a byte each.
        let threshold = UInt64(keepShare * 256)
        var draw: UInt64 = 0
        for i in 0..<count {
            draw = i % 8 == 0 ? generator.next() : draw >> 8
            masks[index][i] = draw & 0xff < threshold ? 1 / keepShare : 0
        }
        multiply(masks[index], count: count, into: &activations[index])
        random = generator
    }

    private mutating func lossAndOutputDelta(
        _ prior: [Float], _ targets: [Float], rows: Int, of batchRows: Int
    ) {
        let bins = sizes[last]
        reserve(&deltas[last], rows * bins)
        loss = 0
        for row in 0..<rows {
            softmax(&activations[last], prior, row: row)
            let cells = row * bins..<(row + 1) * bins
            let none = activations[last][cells.lowerBound]
            // The rest to 1 is the probability of any bin but the first.
            var rest: Float = 1
            for cell in cells {
                let probability = activations[last][cell]
                rest -= targets[cell]
                if targets[cell] > 0 {
                    loss -= Double(targets[cell]) * log(max(Double(probability), 1e-12))
                }
                deltas[last][cell] = (probability - targets[cell]) / Float(batchRows)
            }
            guard rest > 1e-6 else { continue }
            let some = max(1 - none, 1e-12)
            loss -= Double(rest) * log(Double(some))
            let scale = rest / some / Float(batchRows)
            for cell in cells.dropFirst() { deltas[last][cell] -= scale * activations[last][cell] }
        }
    }

    private mutating func backward(
        _ parameters: [[Float]], inputs: NormalisedRows, rows: ArraySlice<Int>
    ) {
        for index in (1...last).reversed() {
            let width = sizes[index - 1]
            let outputs = sizes[index]
            let cells = rows.count * width
            sumRows(deltas[index], rows: rows.count, into: &gradients[2 * index - 1])
            guard index > 1 else {
                for i in gradients[0].indices { gradients[0][i] = 0 }
                inputs.addProducts(rows, deltas: deltas[1], outputs: outputs, to: &gradients[0])
                return
            }
            BLAS.multiply(
                deltas[index], .transposed, by: activations[index - 1], .plain,
                into: &gradients[2 * index - 2], m: outputs, n: width, k: rows.count)
            reserve(&deltas[index - 1], cells)
            BLAS.multiply(
                deltas[index], .plain, by: parameters[2 * index - 2], .plain,
                into: &deltas[index - 1], m: rows.count, n: width, k: outputs)
            clear(&deltas[index - 1], whereNotActive: activations[index - 1], count: cells)
            guard hasDropped else { continue }
            multiply(masks[index - 1], count: cells, into: &deltas[index - 1])
        }
    }

    /// The derivative of ReLU.
    private func clear(_ deltas: inout [Float], whereNotActive activations: [Float], count: Int) {
        let activations = activations.span
        var deltas = deltas.mutableSpan
        for i in 0..<count { deltas[i] = activations[i] > 0 ? deltas[i] : 0 }
    }

    private func rectify(_ values: inout [Float], count: Int) {
        var values = values.mutableSpan
        for i in 0..<count { values[i] = max(0, values[i]) }
    }

    private func multiply(_ factors: [Float], count: Int, into values: inout [Float]) {
        let factors = factors.span
        var values = values.mutableSpan
        for i in 0..<count { values[i] *= factors[i] }
    }

    private func add(_ bias: [Float], toRowsOf values: inout [Float], rows: Int) {
        let bias = bias.span
        var values = values.mutableSpan
        for row in 0..<rows { for o in 0..<bias.count { values[row * bias.count + o] += bias[o] } }
    }

    private func sumRows(_ values: [Float], rows: Int, into sums: inout [Float]) {
        let values = values.span
        var sums = sums.mutableSpan
        let width = sums.count
        sums.update(repeating: 0)
        for row in 0..<rows { for o in 0..<width { sums[o] += values[row * width + o] } }
    }

    private func softmax(_ logits: inout [Float], _ prior: [Float], row: Int) {
        let cells = row * sizes[last]..<(row + 1) * sizes[last]
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

extension DenseLayer {
    /// Layers of the sizes between `sizes`, with weights of He's deviation (sqrt(2 / inputs)) and small
    /// biases; the same for the same seed.
    package static func random(_ sizes: [Int], seed: UInt64) -> [DenseLayer] {
        var random = SeededRandom(seed: seed)
        return zip(sizes, sizes.dropFirst()).enumerated().map { index, size in
            let deviation = (2 / Double(size.0)).squareRoot()
            return DenseLayer(
                inputs: size.0, outputs: size.1,
                weights: (0..<size.0 * size.1).map { _ in Float(random.normal() * deviation) },
                bias: (0..<size.1).map { _ in Float(random.normal() * 0.1) },
                hasReLU: index < sizes.count - 2)
        }
    }
}
