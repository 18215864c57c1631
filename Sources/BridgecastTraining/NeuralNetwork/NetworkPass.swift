// Forward and backward passes over half a mini-batch: the first layer on lists, the others on BLAS.
internal import BridgecastCore
private import BridgecastEngine
private import Foundation

/// The working memory of passes over some rows of a mini-batch, and what came of the last one.
struct NetworkPass: Sendable {
    /// Gradients of the mean loss of the whole mini-batch by these rows, shaped as the network's parameters;
    /// those of the first weights without what inputs that are zero contribute.
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
    /// Whether the last forward pass switched activations off.
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
        forward(parameters, base, inputs, rows, random)
        lossAndOutputDelta(prior, targets, rows: rows.count, of: batchRows)
        backward(parameters, inputs, rows)
    }

    /// Probabilities of the bins, all activations in use.
    mutating func forecast(
        _ parameters: [[Float]], base: [Float], inputs: NormalisedRows, rows: ArraySlice<Int>,
        prior: [Float]
    ) {
        forward(parameters, base, inputs, rows, nil)
        for row in 0..<rows.count { softmax(&activations[last], prior, row: row) }
        forecasts = Array(activations[last].prefix(rows.count * sizes[last]))
    }

    private mutating func forward(
        _ parameters: [[Float]], _ base: [Float], _ inputs: NormalisedRows,
        _ rows: ArraySlice<Int>, _ random: SeededRandom?
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
                    activations[index - 1], .plain, parameters[2 * index - 2], .transposed,
                    into: &activations[index], m: rows.count, n: outputs, k: sizes[index - 1])
                add(parameters[2 * index - 1], toRowsOf: &activations[index], rows: rows.count)
            }
            guard index < last else { continue }
            rectify(&activations[index], count: cells)
            guard hasDropped else { continue }
            dropOut(index, cells, &random)
        }
    }

    private mutating func dropOut(_ index: Int, _ count: Int, _ random: inout SeededRandom?) {
        guard var generator = random else { return }
        reserve(&masks[index], count)
        // One 64-bit draw serves eight activations: a byte each is fine enough for a share.
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
            // What is missing to 1 is the probability of some bin but the first, whichever.
            var open: Float = 1
            for cell in cells {
                let probability = activations[last][cell]
                open -= targets[cell]
                if targets[cell] > 0 {
                    loss -= Double(targets[cell]) * log(max(Double(probability), 1e-12))
                }
                deltas[last][cell] = (probability - targets[cell]) / Float(batchRows)
            }
            guard open > 1e-6 else { continue }
            let some = max(1 - none, 1e-12)
            loss -= Double(open) * log(Double(some))
            let scale = open / some / Float(batchRows)
            for cell in cells.dropFirst() { deltas[last][cell] -= scale * activations[last][cell] }
        }
    }

    private mutating func backward(
        _ parameters: [[Float]], _ inputs: NormalisedRows, _ rows: ArraySlice<Int>
    ) {
        for index in (1...last).reversed() {
            let (width, outputs) = (sizes[index - 1], sizes[index])
            let cells = rows.count * width
            sumRows(deltas[index], rows: rows.count, into: &gradients[2 * index - 1])
            guard index > 1 else {
                for i in gradients[0].indices { gradients[0][i] = 0 }
                inputs.addProducts(rows, deltas: deltas[1], outputs: outputs, to: &gradients[0])
                return
            }
            BLAS.multiply(
                deltas[index], .transposed, activations[index - 1], .plain,
                into: &gradients[2 * index - 2], m: outputs, n: width, k: rows.count)
            reserve(&deltas[index - 1], cells)
            BLAS.multiply(
                deltas[index], .plain, parameters[2 * index - 2], .plain, into: &deltas[index - 1],
                m: rows.count, n: width, k: outputs)
            silence(activations[index - 1], count: cells, in: &deltas[index - 1])
            guard hasDropped else { continue }
            multiply(masks[index - 1], count: cells, into: &deltas[index - 1])
        }
    }

    /// Activations that are off pass nothing back.
    private func silence(_ activations: [Float], count: Int, in deltas: inout [Float]) {
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
        for row in 0..<rows {
            for o in 0..<bias.count { values[row * bias.count + o] += bias[o] }
        }
    }

    private func sumRows(_ values: [Float], rows: Int, into sums: inout [Float]) {
        let values = values.span
        var sums = sums.mutableSpan
        let width = sums.count
        sums.update(repeating: 0)
        for row in 0..<rows {
            for o in 0..<width { sums[o] += values[row * width + o] }
        }
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
