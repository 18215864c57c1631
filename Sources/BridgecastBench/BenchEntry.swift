// A contender in a comparison, checked and then timed round by round; used by NetworkBench.
internal import BridgecastEngine

/// A contender with its name, and what it took so far.
struct BenchEntry {
    /// Number format of the weights.
    let format: WeightFormat
    private let peer: OnnxForm?
    private let path: String
    private var contender: any Contender
    private var saturatedBy: Float?
    private var single: [UInt64] = []
    private var looped: [Double] = []
    private var medians: [Double] = []

    /// The largest difference that rounding explains.
    ///
    /// Int8 sums are exact, those of fp32 depend on order. The peer rounds some steps between int8 layers the
    /// other way where it has AVX2 alone.
    private var tolerance: Float { format == .int8 ? (peer == nil ? 1e-5 : 5e-4) : 1e-3 }
    private var engine: String { peer == nil ? "bridgecast" : "onnxruntime" }
    private var form: String { peer?.rawValue ?? format.rawValue }

    /// One of our paths.
    init(_ format: WeightFormat, units: ComputeUnits, _ contender: EngineContender) {
        self.format = format
        peer = nil
        path = units.rawValue
        self.contender = contender
    }

    /// onnxruntime, fed in one way or another.
    init(_ peer: OnnxForm, path: String, _ contender: OnnxContender) {
        format = peer.format
        self.peer = peer
        self.path = path
        self.contender = contender
    }

    /// Runs once and compares the outputs with those of plain C, which may be fewer and repeat.
    ///
    /// Where onnxruntime saturates, its outputs are off and the time it takes counts all the same.
    mutating func verify(
        against expected: [Float], _ network: BenchNetwork, _ batch: Int
    ) throws(BenchError) {
        _ = contender.round(calls: 1, nanoseconds: 1)
        let (difference, at) = largestDifference(of: contender.output(), from: expected)
        if difference <= tolerance { return }
        guard peer == .int8s8, difference.isFinite else {
            throw BenchError.disagreement(
                network: network.name, contender: "\(engine) \(form)", batch: batch,
                by: difference, at: at)
        }
        saturatedBy = difference
    }

    /// Times one round.
    mutating func takeTurn(_ nanoseconds: UInt64) {
        let timings = contender.round(calls: 20_000, nanoseconds: nanoseconds)
        single += timings.single
        looped.append(timings.looped / 1000)
        medians.append(median(timings.single.map { Double($0) / 1000 }))
    }

    /// What all rounds together say.
    func result(_ network: BenchNetwork, _ batch: Int, _ threads: Int) -> BenchResult {
        let sorted = single.sorted()
        let p50 = percentile(0.5, of: sorted)
        return BenchResult(
            network: network.name, engine: engine, format: form, path: path, batch: batch,
            threads: threads, p50: p50, p90: percentile(0.9, of: sorted),
            p99: percentile(0.99, of: sorted), p999: percentile(0.999, of: sorted),
            looped: median(looped), rowsPerSecond: Double(batch) / p50 * 1e6,
            roundMedians: medians, calls: sorted.count, saturatedBy: saturatedBy)
    }
}

/// The largest difference between outputs and those they should repeat, and where; NaN is the largest.
private func largestDifference(
    of outputs: [Float], from expected: [Float]
) -> (by: Float, at: Int) {
    var largest: (by: Float, at: Int) = (0, 0)
    for (at, value) in outputs.enumerated() {
        let difference = abs(value - expected[at % expected.count])
        if difference.isNaN { return (difference, at) }
        if difference > largest.by { largest = (difference, at) }
    }
    return largest
}
