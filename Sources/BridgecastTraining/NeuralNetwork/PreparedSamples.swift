// Samples as the network takes them: normalised inputs, prior and target probabilities.
private import BridgecastCore
package import BridgecastEngine
private import Foundation

/// Samples with normalised inputs, ready for mini-batches.
package struct PreparedSamples: Sendable {
    /// Rows, B.
    package let count: Int
    let inputs: [Float]
    let prior: [Float]
    /// Probabilities of the bins, [B, K].
    ///
    /// What a row lacks to 1 is the probability of a delay of whatever length.
    package private(set) var targets: [Float]
    let isUnqueued: [Bool]

    /// Takes over samples, whose own inputs are gone afterwards.
    package init(_ samples: consuming SampleSet, _ normalisation: InputNormalisation) {
        count = samples.count
        prior = samples.batch.priorLogits
        isUnqueued = samples.isUnqueued
        var targets = [Float](repeating: 0, count: samples.count * DelayBins.count)
        for (row, bin) in samples.bins.enumerated() {
            targets[row * DelayBins.count + Int(bin)] = 1
        }
        self.targets = targets
        var inputs = samples.batch.takeDenseRows()
        normalisation.normalise(&inputs)
        self.inputs = inputs
    }

    /// What is kept of a delay's own length where there was one; the rest goes by the prior's lengths,
    /// so that a few hundred openings are not learned by heart.
    private static let lengthShare: Float = 0.6

    /// Replaces whether there was a delay by a teacher's probability of one.
    ///
    /// Where there was a delay its length is known; elsewhere it is left open.
    mutating func soften(delayLogOdds: [Float]) {
        for row in 0..<count {
            let delayed = 1 / (1 + exp(-delayLogOdds[row]))
            let start = row * DelayBins.count
            let happened = targets[start] == 0
            let priorDelayed = max(-expm1(prior[start]), 1e-9)
            for bin in start + 1..<start + DelayBins.count where happened {
                let usual = exp(prior[bin]) / priorDelayed
                targets[bin] =
                    delayed * (Self.lengthShare * targets[bin] + (1 - Self.lengthShare) * usual)
            }
            targets[start] = 1 - delayed
        }
    }
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
        for row in 0..<count {
            for (input, value) in batch.rows.entries(ofRow: row) {
                sums[input] += Double(value)
                squares[input] += Double(value) * Double(value)
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
    func rows(_ rows: Range<Int>, width: Int) -> [Float] {
        Array(self[rows.lowerBound * width..<rows.upperBound * width])
    }

    func gathered(_ rows: ArraySlice<Int>, width: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(rows.count * width)
        for row in rows { result += self[row * width..<(row + 1) * width] }
        return result
    }
}
