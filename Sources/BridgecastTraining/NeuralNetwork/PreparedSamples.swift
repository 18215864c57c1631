// Samples as the network takes them: normalised inputs, prior and target probabilities.
private import BridgecastCore
package import BridgecastEngine
private import Foundation

/// Samples with normalised inputs, ready for mini-batches.
package struct PreparedSamples: Sendable {
    /// Rows, B.
    package let count: Int
    /// Normalised inputs.
    let inputs: NormalisedRows
    let prior: [Float]
    /// Probabilities of the bins, [B, K].
    ///
    /// What a row lacks to 1 is the probability of a delay of whatever length.
    package private(set) var targets: [Float]
    let isUnqueued: [Bool]

    /// Normalises samples; what happened is their target.
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

    /// Whether a delay happened, as long as the targets have not been softened.
    func isDelayed(_ row: Int) -> Bool { targets[row * DelayBins.count] != 1 }

    /// What is kept of a delay's own length where there was one; the rest goes by the prior's lengths,
    /// so that a few hundred openings are not learned by heart.
    private static let lengthShare: Float = 0.6

    /// Replaces whether there was a delay by the teachers' probability of one.
    ///
    /// Where there was a delay its length is known; elsewhere it is left open, unless teachers tell lengths too.
    ///
    /// - Parameter lengths: Teachers' probabilities of the bins, [B, K], of which the shares of bins 1 and up count.
    mutating func soften(delayLogOdds: [Float], lengths: [Float]? = nil) {
        for row in 0..<count {
            let delayed = 1 / (1 + exp(-delayLogOdds[row]))
            let start = row * DelayBins.count
            let happened = targets[start] == 0
            if let lengths {
                let told = max(1 - lengths[start], 1e-9)
                let share = happened ? Self.shareBesideTold : 0
                for bin in start + 1..<start + DelayBins.count {
                    targets[bin] =
                        delayed * (share * targets[bin] + (1 - share) * lengths[bin] / told)
                }
            } else if happened {
                let priorDelayed = max(-expm1(prior[start]), 1e-9)
                for bin in start + 1..<start + DelayBins.count {
                    let usual = exp(prior[bin]) / priorDelayed
                    targets[bin] =
                        delayed
                        * (Self.lengthShare * targets[bin] + (1 - Self.lengthShare) * usual)
                }
            }
            targets[start] = 1 - delayed
        }
    }

    /// What is kept of a delay's own length where teachers tell lengths.
    private static let shareBesideTold: Float = 0.2
}

extension InputNormalisation {
    /// Normalised inputs are clamped to this.
    static let clampLimit: Float = 6
    /// Inputs vary by at least this: rare soft bins are not blown up beyond what int8 can hold.
    static let leastDeviation: Float = 0.25

    /// Mean and deviation of the inputs of samples.
    package init(of samples: SampleSet) {
        self.init(samples.inputMoments())
    }

    init(_ moments: (mean: [Double], deviation: [Double])) {
        self.init(
            mean: moments.mean.map { Float($0) },
            inverseDeviation: moments.deviation.map { 1 / max(Float($0), Self.leastDeviation) },
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
        // How many rows each list is part of: most are shared.
        var uses = [Double](repeating: 0, count: rows.listCount)
        for parts in rows.parts {
            for list in [parts.sharedFirst, parts.sharedSecond, parts.own]
            where list != SparseRows.noList { uses[Int(list)] += 1 }
        }
        for (list, uses) in uses.enumerated() where uses > 0 {
            for entry in Int(rows.starts[list])..<Int(rows.starts[list + 1]) {
                let (input, value) = (Int(rows.inputs[entry]), Double(rows.values[entry]))
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
    /// The layer without the weights of inputs that never varied while it learned: they are still
    /// the random numbers they began as, and would disturb once such an input does vary (a bridge
    /// without history that gets some).
    func withoutUntaught(_ inputDeviations: [Double]) -> DenseLayer {
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
