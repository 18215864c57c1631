// Samples as the network takes them: normalised inputs, prior and target probabilities.
private import BridgecastCore
package import BridgecastEngine

/// Samples with normalised inputs, ready for mini-batches.
package struct PreparedSamples: Sendable {
    package let count: Int
    let inputs: [Float]
    let prior: [Float]
    /// [B, K].
    package var targets: [Float]
    let isUnqueued: [Bool]

    package init(_ samples: SampleSet, _ normalisation: InputNormalisation) {
        count = samples.count
        let width = normalisation.mean.count
        var inputs = samples.batch.features
        for row in 0..<samples.count {
            for i in 0..<width {
                let z =
                    (inputs[row * width + i] - normalisation.mean[i])
                    * normalisation.inverseDeviation[i]
                inputs[row * width + i] = min(max(z, -normalisation.limit), normalisation.limit)
            }
        }
        self.inputs = inputs
        prior = samples.batch.priorLogits
        isUnqueued = samples.isUnqueued
        targets = Array(repeating: 0, count: samples.count * DelayBins.count)
        for (row, bin) in samples.bins.enumerated() {
            targets[row * DelayBins.count + Int(bin)] = 1
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
        let width = FeatureSchema.count
        var sums = [Double](repeating: 0, count: width)
        var squares = sums
        for row in 0..<samples.count {
            for i in 0..<width {
                let value = Double(samples.batch.features[row * width + i])
                sums[i] += value
                squares[i] += value * value
            }
        }
        let count = Double(max(samples.count, 1))
        let deviations = zip(sums, squares).map { sum, square in
            (max(0, square / count - sum / count * (sum / count))).squareRoot()
        }
        self.init(
            mean: sums.map { Float($0 / count) },
            inverseDeviation: deviations.map { 1 / max(Float($0), Self.leastDeviation) },
            limit: Self.clampLimit)
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
