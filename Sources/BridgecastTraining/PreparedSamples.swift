// Samples in the form that the network is trained on: normalised inputs, prior and target probabilities.
package import BridgecastCore
package import BridgecastEngine
private import Foundation

/// Samples with normalised inputs, ready for mini-batches.
package struct PreparedSamples: Sendable {
    /// B.
    package let count: Int
    let inputs: NormalisedRows
    /// Logits, [B, K].
    let prior: [Float]
    /// Probabilities of the bins, [B, K].
    ///
    /// The difference of a row's sum to 1 is the probability of a delay of unknown length.
    package private(set) var targets: [Float]
    let isUnqueued: [Bool]

    /// Normalises samples; outcomes are their targets.
    package init(_ samples: SampleSet, _ normalisation: InputNormalisation) {
        count = samples.count
        prior = samples.batch.priorLogits
        isUnqueued = samples.isUnqueued
        var targets = [Float](repeating: 0, count: samples.count * DelayBins.count)
        for (row, bin) in samples.bins.enumerated() {
            targets[row * DelayBins.count + Int(bin)] = 1
        }
        self.targets = targets
        inputs = NormalisedRows(samples.batch.rows, normalisation)
    }

    /// Whether a delay happened; only before the targets are softened.
    func isDelayed(_ row: Int) -> Bool { targets[row * DelayBins.count] != 1 }

    /// Share of a delay's own length in its target; the rest is the prior's lengths, so that a few hundred openings
    /// are not memorised.
    private static let ownLengthShare: Float = 0.6
    /// The same where teachers forecast lengths too.
    private static let ownLengthShareWithTeachers: Float = 0.2

    /// Replaces whether there was a delay by the teachers' probability of one.
    ///
    /// Where there was a delay its length is known; elsewhere it stays unknown, unless teachers forecast lengths too.
    ///
    /// - Parameter lengths: Teachers' probabilities of the bins, [B, K]; only the ratios of bins 1 and up matter.
    mutating func soften(delayLogOdds: [Float], lengths: [Float]? = nil) {
        for row in 0..<count {
            let delayed = 1 / (1 + exp(-delayLogOdds[row]))
            let start = row * DelayBins.count
            let happened = targets[start] == 0
            if let lengths {
                let teachersDelayed = max(1 - lengths[start], 1e-9)
                let share = happened ? Self.ownLengthShareWithTeachers : 0
                for bin in start + 1..<start + DelayBins.count {
                    targets[bin] =
                        delayed
                        * (share * targets[bin] + (1 - share) * lengths[bin] / teachersDelayed)
                }
            } else if happened {
                let priorDelayed = max(-expm1(prior[start]), 1e-9)
                for bin in start + 1..<start + DelayBins.count {
                    let priorShare = exp(prior[bin]) / priorDelayed
                    targets[bin] =
                        delayed
                        * (Self.ownLengthShare * targets[bin]
                            + (1 - Self.ownLengthShare) * priorShare)
                }
            }
            targets[start] = 1 - delayed
        }
    }
}

extension InputNormalisation {
    /// Normalised inputs are clamped to this.
    private static let clampLimit: Float = 6
    /// Bounds the standard deviation, so that rare soft bins are not scaled beyond the range of int8.
    private static let minDeviation: Float = 0.25

    /// Normalises by mean and standard deviation of the inputs of samples.
    package init(of samples: SampleSet) { self.init(samples.inputMoments()) }

    init(_ moments: (mean: [Double], deviation: [Double])) {
        self.init(
            mean: moments.mean.map { Float($0) },
            inverseDeviation: moments.deviation.map { 1 / max(Float($0), Self.minDeviation) },
            limit: Self.clampLimit)
    }
}

extension SampleSet {
    /// Mean and standard deviation of each input; a deviation of 0 means that it never varied.
    func inputMoments() -> (mean: [Double], deviation: [Double]) {
        let width = FeatureSchema.count
        var sums = [Double](repeating: 0, count: width)
        var squares = sums
        let rows = batch.rows
        // How many rows contain each list: most lists are shared.
        var uses = [Double](repeating: 0, count: rows.listCount)
        for parts in rows.parts {
            for list in [parts.sharedFirst, parts.sharedSecond, parts.own]
            where list != SparseRows.noList { uses[Int(list)] += 1 }
        }
        for (list, uses) in uses.enumerated() where uses > 0 {
            for entry in Int(rows.starts[list])..<Int(rows.starts[list + 1]) {
                let input = Int(rows.inputs[entry])
                let value = Double(rows.values[entry])
                sums[input] += uses * value
                squares[input] += uses * value * value
            }
        }
        let count = Double(max(count, 1))
        let deviations = zip(sums, squares).map { sum, square in
            (max(0, square / count - sum / count * (sum / count))).squareRoot()
        }
        return (sums.map { $0 / count }, deviations)
    }
}

extension DenseLayer {
    /// The layer with weights of 0 for inputs that never varied in training: those still have their random initial
    /// values, which would disturb forecasts once such an input varies (a bridge without history that gets some).
    func withoutConstantInputs(_ inputDeviations: [Double]) -> DenseLayer {
        var layer = self
        for (input, deviation) in inputDeviations.enumerated() where deviation == 0 {
            for output in 0..<outputs { layer.weights[output * inputs + input] = 0 }
        }
        return layer
    }
}

extension [Float] {
    func gathered(_ rows: ArraySlice<Int>, width: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(rows.count * width)
        for row in rows { result += self[row * width..<(row + 1) * width] }
        return result
    }
}

/// Rows with normalised inputs, stored as differences to a row of zeros.
///
/// A normalised row is that of a row of zeros plus differences at its few entries. A layer's output is therefore
/// its output for zeros, the same for all rows, plus the differences times their columns of weights.
package struct NormalisedRows: Sendable {
    /// I.
    let width: Int
    /// B.
    let count: Int
    /// A row of zeros, normalised, [I].
    let zero: [Float]
    /// As in ``SparseRows``, with differences to ``zero`` as values.
    private let starts: [UInt32]
    private let inputs: [UInt16]
    private let differences: [Float]
    private let parts: [SparseRows.Parts]

    /// Normalises rows.
    ///
    /// - Precondition: The normalisation has as many inputs.
    package init(_ rows: SparseRows, _ normalisation: InputNormalisation) {
        precondition(rows.width == normalisation.mean.count, "a normalisation of other inputs")
        width = rows.width
        count = rows.count
        let zero = (0..<rows.width).map { normalisation.normalised(0, input: $0) }
        self.zero = zero
        starts = rows.starts
        parts = rows.parts
        let used = Int(rows.starts.last ?? 0)
        inputs = Array(rows.inputs[..<used])
        differences = zip(rows.inputs, rows.values).prefix(used).map { input, value in
            normalisation.normalised(value, input: Int(input)) - zero[Int(input)]
        }
    }

    /// Outputs of some rows, [rows, O]: base [O], that of a row of zeros, plus differences times weights [I, O].
    func multiply(
        _ rows: ArraySlice<Int>, by weights: [Float], base: [Float], into result: inout [Float]
    ) {
        let outputs = base.count
        precondition(weights.count == width * outputs && result.count >= rows.count * outputs)
        for row in 0..<rows.count {
            result.replaceSubrange(row * outputs..<(row + 1) * outputs, with: base)
        }
        unsafe weights.withUnsafeBufferPointer { weights in
            unsafe result.withUnsafeMutableBufferPointer { result in
                guard let weights = weights.baseAddress, let result = result.baseAddress else {
                    return
                }
                forEachEntry(of: rows) { row, input, difference in
                    unsafe BLAS.add(
                        difference, times: weights + input * outputs, to: result + row * outputs,
                        count: outputs)
                }
            }
        }
    }

    /// Adds differences times deltas [rows, O] of some rows to gradients of weights, [I, O].
    func addProducts(
        _ rows: ArraySlice<Int>, deltas: [Float], outputs: Int, to gradients: inout [Float]
    ) {
        precondition(gradients.count == width * outputs && deltas.count >= rows.count * outputs)
        unsafe deltas.withUnsafeBufferPointer { deltas in
            unsafe gradients.withUnsafeMutableBufferPointer { gradients in
                guard let deltas = deltas.baseAddress, let gradients = gradients.baseAddress else {
                    return
                }
                forEachEntry(of: rows) { row, input, difference in
                    unsafe BLAS.add(
                        difference, times: deltas + row * outputs,
                        to: gradients + input * outputs, count: outputs)
                }
            }
        }
    }

    /// Calls `body` for each entry of rows with the row's index among them, the input and the difference.
    @inline(__always)
    private func forEachEntry(of rows: ArraySlice<Int>, _ body: (Int, Int, Float) -> Void) {
        for (index, row) in rows.enumerated() {
            for number in 0..<SparseRows.Parts.count {
                let list = parts[row][number]
                guard list != SparseRows.noList else { continue }
                for entry in Int(starts[Int(list)])..<Int(starts[Int(list) + 1]) {
                    body(index, Int(inputs[entry]), differences[entry])
                }
            }
        }
    }
}
