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

    /// A row of a matrix [B, 12], without allocating; nil unless its sum is positive and finite.
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

    /// No delay with probability `none`, else one by the shares of bins 1 to 11.
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

    /// No delay with certainty.
    public static let none = DelayDistribution([1] + Array(repeating: 0, count: 11))

    /// The probability of a bin, 0...1.
    ///
    /// - Precondition: 0 <= bin < ``DelayBins/count``.
    public subscript(bin: Int) -> Double { storage[bin] }

    /// The probability of each bin.
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

    /// The probability of a delay of at most `seconds`, 0...1.
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

    /// The delay in seconds that is not exceeded with a probability, 0...1.
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
        // Probabilities that we wrote add up to 1 except for rounding; they are read unchanged.
        let scale = abs(sum - 1) < 1e-9 ? 1 : sum
        storage = InlineArray { probabilities[$0] / scale }
    }

    /// Writes the probability of each bin.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(probabilities)
    }
}

// MARK: - Bins and quantiles

/// The ordered bins of delay: none, then up to 1, 2, 3, 4, 5, 6, 8, 10, 15 and 30 minutes, then more.
public enum DelayBins {
    /// Lower edges of bins 1 and up in minutes; bin 0 is "no delay" and has no width.
    public static let edgesMinutes: [Double] = [0, 1, 2, 3, 4, 5, 6, 8, 10, 15, 30]
    /// How many bins there are, 12.
    public static let count = edgesMinutes.count + 1
    /// The assumed end of the open last bin, for expectations and quantiles: 60 minutes.
    public static let longestMinutes = 60.0
    /// Bin limits in seconds: bin k > 0 spans `limitsSeconds[k - 1]` to `limitsSeconds[k]`.
    static let limitsSeconds: [Double] = (edgesMinutes + [longestMinutes]).map { $0 * 60 }

    /// The bin of a delay in seconds; a negative delay counts as none.
    public static func bin(ofSeconds seconds: Double) -> Int {
        guard seconds > 0 else { return 0 }
        return limitsSeconds.dropLast().lastIndex { seconds > $0 }.map { $0 + 1 } ?? 0
    }
}

/// The 20 probabilities of published quantiles: 2.5 %, 7.5 % and so on to 97.5 %.
///
/// Each quantile is in the middle of a twentieth of all cases, so that 20 dots drawn at them show the distribution.
public enum QuantileLevels {
    /// How many there are, 20.
    public static let count = 20
    /// The probabilities in increasing order, from 0.025 to 0.975.
    public static let all = (0..<count).map { (Double($0) + 0.5) / Double(count) }
}

extension DelayDistribution {
    /// The quantiles in seconds at ``QuantileLevels/all``, in order.
    ///
    /// Each is as ``quantileSeconds(_:)`` gives it; all are found in one pass over the bins.
    public var quantilesSeconds: [Double] { quantiles(ofBinsFrom: 0, whole: 1) }

    /// The quantiles of a delay given that there is one, in seconds; nil if there cannot be one.
    ///
    /// Their mean is about ``expectedSecondsIfDelayed``.
    public var quantilesSecondsIfDelayed: [Double]? {
        // Not 1 - p(none), which would be rounded where the chance is small.
        let whole = (1..<DelayBins.count).reduce(0) { $0 + self[$1] }
        guard whole > 0, probabilityDelayed > 0 else { return nil }
        return quantiles(ofBinsFrom: 1, whole: whole)
    }

    /// The quantiles of delays in a bin or a later one, whose probability is `whole`.
    private func quantiles(ofBinsFrom first: Int, whole: Double) -> [Double] {
        let limits = DelayBins.limitsSeconds
        var bin = first
        // The probability of the bins from the first to the one before this.
        var before = 0.0
        return QuantileLevels.all.map { level in
            let reached = level * whole
            while bin < DelayBins.count, reached > before + self[bin] {
                before += self[bin]
                bin += 1
            }
            guard bin > 0 else { return 0 }
            guard bin < DelayBins.count else { return limits[DelayBins.count - 1] }
            let low = limits[bin - 1]
            let high = limits[bin]
            return low + (high - low) * (reached - before) / self[bin]
        }
    }
}

// MARK: - Queueing

/// Deterministic (D/D/1) queueing at an opening: the labels that forecasts are trained on and scored by.
///
/// Vehicles arrive at a constant flow q and leave at the saturation flow s after the span is down;
/// with `rho = q / s` the delay of a vehicle that arrives `a` after an opening of length `D` began
/// is `max(0, D - (1 - rho) a)`. Source: Highway Capacity Manual, deterministic queueing at an
/// interruption of uniform arrivals.
public enum QueueingDelay {
    /// This long after its start an opening cannot delay a vehicle any more.
    package static let memorySeconds: Int64 = 12 * 3600

    /// The delay in seconds at one opening.
    ///
    /// - Parameters:
    ///   - openingSeconds: Length of the opening, not negative.
    ///   - arrivalSeconds: Arrival after its start, not negative.
    ///   - density: Degree of saturation, 0 ..< 1; 0 is a bicycle that filters to the front.
    public static func seconds(
        openingSeconds: Double, arrivalSeconds: Double, density: Double
    ) -> Double {
        max(0, openingSeconds - (1 - density) * arrivalSeconds)
    }
}

extension OpeningHistory {
    /// The delay in seconds of a vehicle that arrives at a bridge at a time.
    ///
    /// With several openings it joins the latest queue that has not dissolved.
    ///
    /// - Parameter density: Degree of saturation of the approach, 0 ..< 1.
    public func delaySeconds(
        arrivingAt time: Timestamp, of bridge: BridgeIndex, density: Double
    ) -> Double {
        let oldest = time.adding(seconds: -QueueingDelay.memorySeconds)
        for opening in started(by: time, of: bridge).reversed() {
            guard opening.start > oldest, let end = opening.end else { break }
            let delay = QueueingDelay.seconds(
                openingSeconds: Double(end.secondsSinceEpoch - opening.start.secondsSinceEpoch),
                arrivalSeconds: Double(time.secondsSinceEpoch - opening.start.secondsSinceEpoch),
                density: density)
            if delay > 0 { return delay }
        }
        return 0
    }

    /// The delay in seconds of a vehicle that arrives half a minute later than one that is delayed; nil unless the arrival
    /// and the end of its opening are at full minutes.
    ///
    /// Records and arrivals of whole minutes give delays at the ends of their minutes, while a forecast spreads them
    /// over the minute: its quantiles are compared with this one.
    package func midMinuteDelaySeconds(
        arrivingAt time: Timestamp, of bridge: BridgeIndex, density: Double
    ) -> Double? {
        let recent = time.adding(seconds: -QueueingDelay.memorySeconds)..<time.adding(minutes: 1)
        guard time.secondsSinceEpoch % 60 == 0,
            let end = openings(of: bridge, overlapping: recent).last?.end,
            end.secondsSinceEpoch % 60 == 0
        else { return nil }
        return delaySeconds(arrivingAt: time.adding(seconds: 30), of: bridge, density: density)
    }

    /// Whether a vehicle arriving at a time meets a raised span.
    public func isBlocked(at time: Timestamp, of bridge: BridgeIndex) -> Bool {
        guard let last = started(by: time, of: bridge).last, let end = last.end else {
            return false
        }
        return time < end
    }
}
