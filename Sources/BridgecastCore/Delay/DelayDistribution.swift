// A forecast: the probability of each delay bin, and everything that is published from it.
// Belongs here: how long an opening holds somebody up, as a number and as a distribution; not: where forecasts come
// from.

/// A probability distribution of the delay at a bridge over ``DelayBins``.
///
/// Within a bin the delay is taken as uniform; the last bin ends at ``DelayBins/longestMinutes``.
public struct DelayDistribution: Sendable, Equatable {
    private var storage: InlineArray<12, Double>

    /// Creates a distribution from the probability of each bin, which are scaled to add up to 1.
    ///
    /// - Precondition: 12 finite numbers, not negative, not all zero.
    public init(_ probabilities: some Collection<Float>) {
        precondition(probabilities.count == DelayBins.count, "one probability per delay bin")
        var storage = InlineArray<12, Double>(repeating: 0)
        var sum = 0.0
        for (bin, probability) in probabilities.enumerated() {
            precondition(probability >= 0, "a probability is not negative")
            storage[bin] = Double(probability)
            sum += Double(probability)
        }
        precondition(sum > 0 && sum.isFinite, "probabilities add up to nothing")
        for bin in 0..<DelayBins.count { storage[bin] /= sum }
        self.storage = storage
    }

    /// Creates the distribution of a row of a matrix [B, 12]: as the other, without its generality; nil if the row is
    /// not made of probabilities.
    package init?(row: Int, of matrix: [Float]) {
        var storage = InlineArray<12, Double>(repeating: 0)
        var sum = 0.0
        for bin in 0..<DelayBins.count {
            storage[bin] = Double(matrix[row * DelayBins.count + bin])
            sum += storage[bin]
        }
        guard sum > 0, sum.isFinite else { return nil }
        for bin in 0..<DelayBins.count { storage[bin] /= sum }
        self.storage = storage
    }

    /// No delay with probability `none`, else one as the shares of bins 1 to 11 say.
    @inline(__always)
    init(none: Float, shares: InlineArray<11, Float>) {
        var storage = InlineArray<12, Double>(repeating: 0)
        storage[0] = Double(none)
        var sum = storage[0]
        for bin in 1..<DelayBins.count {
            storage[bin] = Double(shares[bin - 1] * (1 - none))
            sum += storage[bin]
        }
        for bin in 0..<DelayBins.count { storage[bin] /= sum }
        self.storage = storage
    }

    /// A certain absence of delay.
    public static let none = DelayDistribution([1] + Array(repeating: 0, count: 11))

    /// The probability of a bin, 0...1.
    ///
    /// - Precondition: 0 <= bin < ``DelayBins/count``.
    public subscript(bin: Int) -> Double { storage[bin] }

    /// The probability of each bin, all in one call.
    package var floats: InlineArray<12, Float> {
        var result = InlineArray<12, Float>(repeating: 0)
        for bin in 0..<DelayBins.count { result[bin] = Float(storage[bin]) }
        return result
    }

    /// The probability of each bin.
    public var probabilities: [Double] { (0..<DelayBins.count).map { storage[$0] } }

    /// The probability of any delay at all, 0...1.
    public var probabilityDelayed: Double { max(0, 1 - storage[0]) }

    /// The expected delay in seconds, the chance of none included.
    public var expectedSeconds: Double {
        var sum = 0.0
        for bin in 1..<DelayBins.count {
            let limits = DelayBins.limitsSeconds
            sum += storage[bin] * (limits[bin - 1] + limits[bin]) / 2
        }
        return sum
    }

    /// The expected delay in seconds if there is one; 0 if there cannot be one.
    public var expectedSecondsIfDelayed: Double {
        probabilityDelayed > 0 ? expectedSeconds / probabilityDelayed : 0
    }

    /// The probability of a delay of at most so many seconds, 0...1.
    public func cumulative(atSeconds seconds: Double) -> Double {
        guard seconds >= 0 else { return 0 }
        var sum = storage[0]
        for bin in 1..<DelayBins.count {
            let low = DelayBins.limitsSeconds[bin - 1]
            let high = DelayBins.limitsSeconds[bin]
            guard seconds > low else { break }
            sum += storage[bin] * min(1, (seconds - low) / (high - low))
        }
        return min(1, sum)
    }

    /// The delay in seconds that is not exceeded with a probability, which lies in 0...1.
    public func quantileSeconds(_ probability: Double) -> Double {
        var remaining = probability - storage[0]
        guard remaining > 0 else { return 0 }
        for bin in 1..<DelayBins.count {
            if remaining <= storage[bin] {
                let low = DelayBins.limitsSeconds[bin - 1]
                let high = DelayBins.limitsSeconds[bin]
                return low + (high - low) * remaining / storage[bin]
            }
            remaining -= storage[bin]
        }
        return DelayBins.limitsSeconds[DelayBins.count - 1]
    }

    /// The mixture of this distribution and another, `weight` (0...1) of the other.
    public func mixed(with other: DelayDistribution, weight: Double) -> DelayDistribution {
        let weight = weight > 0 ? min(weight, 1) : 0
        var result = self
        for bin in 0..<DelayBins.count {
            result.storage[bin] += weight * (other.storage[bin] - storage[bin])
        }
        return result
    }

    /// Whether all probabilities are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        (0..<DelayBins.count).allSatisfy { lhs.storage[$0] == rhs.storage[$0] }
    }
}

extension DelayDistribution: Codable {
    /// Reads the probability of each bin.
    ///
    /// - Throws: `DecodingError` unless there are 12, none of them negative and not all of them zero.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let probabilities = try container.decode([Double].self)
        let sum = probabilities.reduce(0, +)
        guard probabilities.count == DelayBins.count, probabilities.allSatisfy({ $0 >= 0 }),
            sum > 0, sum.isFinite
        else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "expected \(DelayBins.count) probabilities, one per delay bin")
        }
        // What was written by us adds up to 1 but for rounding, and comes back as it was.
        let scale = abs(sum - 1) < 1e-9 ? 1 : sum
        storage = InlineArray { probabilities[$0] / scale }
    }

    /// Writes the probability of each bin.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(probabilities)
    }
}
