// Times networks by format, path, batch and threads, next to onnxruntime in the same rounds.
private import BridgecastCore
public import BridgecastEngine
private import Foundation

/// What to time.
public struct BenchPlan: Sendable {
    /// Rows of a call.
    public var batches = [1, 2, 7, 16, 64, 256, 1024, 16384, 131_072]
    /// Threads of a call.
    public var threads = [1, 2]
    /// Compute units of our engine.
    public var units: [ComputeUnits] = [.simd, .blas]
    /// Formats of our weights.
    public var formats: [WeightFormat] = [.int8, .fp16, .fp32]
    /// Number of rounds; each contender has a turn in each.
    public var rounds = 7
    /// Approximate length of a contender's turn, milliseconds.
    public var turnMilliseconds = 20.0
    /// onnxruntime's library, and the folder of the models exported for it; nil without it.
    public var onnxRuntime: (library: String, models: String)?
    /// Rows of the chunks that large batches are divided into for onnxruntime, too.
    public var onnxChunkRows = 1024

    /// A plan of every batch, format and path, alone and with two threads.
    public init() {}
}

/// Runs a plan on networks.
public struct NetworkBench {
    private let plan: BenchPlan
    private let runtime: OnnxRuntime?

    /// Loads onnxruntime if the plan has it.
    ///
    /// - Throws: ``OnnxRuntimeError``.
    public init(_ plan: BenchPlan) throws {
        self.plan = plan
        runtime = try plan.onnxRuntime.map { try OnnxRuntime(library: $0.library) }
    }

    /// onnxruntime's version; nil without it.
    public var onnxRuntimeVersion: String? { runtime?.version }

    /// Times all contenders on one network; outputs are compared before anything is timed.
    ///
    /// - Parameter progress: Called before each batch.
    /// - Throws: ``BenchError``, ``OnnxRuntimeError``.
    public func run(_ network: BenchNetwork, progress: (String) -> Void) throws -> [BenchResult] {
        var results: [BenchResult] = []
        for threads in plan.threads {
            let sessions = try onnxSessions(network, threads: threads)
            for batch in plan.batches {
                progress("network \(network.name), batch \(batch), threads \(threads)")
                var entries = try self.entries(
                    network, batch: batch, threads: threads, sessions: sessions)
                try verify(&entries, of: network, batch: batch)
                time(&entries, threads: threads)
                results += entries.map { $0.result(of: network, batch: batch, threads: threads) }
            }
        }
        return results
    }

    private func time(_ entries: inout [BenchEntry], threads: Int) {
        let turn = UInt64(plan.turnMilliseconds * 1e6)
        for round in 0..<plan.rounds {
            // The order changes each time, so that no contender always follows the same one.
            for index in entries.indices {
                // onnxruntime's threads spin for some tens of milliseconds after their turn.
                if threads > 1 { Thread.sleep(forTimeInterval: 0.1) }
                entries[(index + round) % entries.count].takeTurn(turn)
            }
        }
    }

    private func onnxSessions(
        _ network: BenchNetwork, threads: Int
    ) throws -> [(OnnxForm, OnnxSession)] {
        guard let runtime, let models = plan.onnxRuntime?.models else { return [] }
        return try OnnxForm.allCases.map { form in
            let path = "\(models)/\(network.name).\(form.rawValue).onnx"
            return (form, try OnnxSession(runtime, model: path, threads: threads))
        }
    }

    private func entries(
        _ network: BenchNetwork, batch: Int, threads: Int, sessions: [(OnnxForm, OnnxSession)]
    ) throws -> [BenchEntry] {
        let ours = plan.formats.flatMap { format -> [BenchEntry] in
            guard let compiled = network.formats[format] else { return [] }
            return plan.units.map { units in
                let contender = EngineContender(
                    network, compiled, rows: batch, units: units, threads: threads)
                return BenchEntry(format, units: units, contender)
            }
        }
        return try ours
            + sessions.flatMap { try onnxEntries(network, batch: batch, form: $0, session: $1) }
    }

    /// onnxruntime on the whole batch and, if that is large, in chunks.
    private func onnxEntries(
        _ network: BenchNetwork, batch: Int, form: OnnxForm, session: OnnxSession
    ) throws -> [BenchEntry] {
        var chunks = [("whole", batch)]
        if batch > plan.onnxChunkRows {
            chunks.append(("in \(plan.onnxChunkRows)s", plan.onnxChunkRows))
        }
        return try chunks.map { path, chunk in
            let onnx = try OnnxBatch(
                session, features: network.features(rows: batch), prior: network.prior(rows: batch),
                rows: batch, outputs: network.sizes.last ?? 0, chunk: chunk)
            return BenchEntry(form, path: path, OnnxContender(batch: onnx))
        }
    }

    /// Compares every contender with our plain C of the same format, which runs as many rows as there
    /// are before they repeat.
    private func verify(_ entries: inout [BenchEntry], of network: BenchNetwork, batch: Int) throws
    {
        let expected = network.formats.mapValues { compiled -> [Float] in
            var reference = EngineContender(
                network, compiled, rows: min(batch, network.period), units: .reference, threads: 1)
            _ = reference.round(calls: 1, nanoseconds: 1)
            return reference.output()
        }
        for index in entries.indices {
            guard let outputs = expected[entries[index].format] else { continue }
            try entries[index].verify(against: outputs, of: network, batch: batch)
        }
    }

    /// Times onnxruntime from a file to the first result of one row, in fp32 and in int8; the
    /// first time, and all times.
    public func loadOnnxRuntime(_ network: String, rounds: Int) throws -> [PartResult] {
        guard let runtime, let models = plan.onnxRuntime?.models else { return [] }
        return try [OnnxForm.fp32, .int8u8].flatMap { form in
            let path = "\(models)/\(network).\(form.rawValue).onnx"
            let before = residentKB()
            var growth = 0
            let timings = try (0..<rounds).map { round in
                let start = Stopwatch.now()
                try Self.runOnce(OnnxSession(runtime, model: path, threads: 1))
                let time = Stopwatch.now() - start
                if round == 0 { growth = residentKB() - before }
                return time
            }
            let name = "onnxruntime \(form.rawValue): session and first run"
            return [
                PartResult(name + ", first time", count: 1, [timings[0]], residentKB: growth),
                PartResult(name, count: 1, timings),
            ]
        }
    }

    private static func runOnce(_ session: OnnxSession) throws {
        let bins = DelayBins.count
        try OnnxBatch(
            session, features: Array(repeating: 0, count: FeatureSchema.count),
            prior: Array(repeating: 0, count: bins), rows: 1, outputs: bins, chunk: 1
        ).run()
    }
}

/// A contender with its name and its times so far.
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
    /// Int8 sums are exact, those of fp32 depend on order. With AVX2 alone the peer rounds some values between int8
    /// layers differently.
    private var tolerance: Float { format == .int8 ? (peer == nil ? 1e-5 : 5e-4) : 1e-3 }
    private var engine: String { peer == nil ? "bridgecast" : "onnxruntime" }
    private var form: String { peer?.rawValue ?? format.rawValue }

    /// Our engine.
    init(_ format: WeightFormat, units: ComputeUnits, _ contender: EngineContender) {
        self.format = format
        peer = nil
        path = units.rawValue
        self.contender = contender
    }

    /// onnxruntime.
    ///
    /// - Parameter path: How the batch is divided.
    init(_ peer: OnnxForm, path: String, _ contender: OnnxContender) {
        format = peer.format
        self.peer = peer
        self.path = path
        self.contender = contender
    }

    /// Runs once and compares the outputs with those of plain C, which may be fewer and repeat.
    ///
    /// Where onnxruntime saturates, its outputs are wrong, and it is timed nevertheless.
    mutating func verify(
        against expected: [Float], of network: BenchNetwork, batch: Int
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
        medians.append(median(timings.single.map(microseconds)))
    }

    /// The result of all rounds together.
    func result(of network: BenchNetwork, batch: Int, threads: Int) -> BenchResult {
        let sorted = single.sorted().map(microseconds)
        let p50 = percentile(0.5, of: sorted)
        return BenchResult(
            network: network.name, engine: engine, format: form, path: path, batch: batch,
            threads: threads, p50: p50, p90: percentile(0.9, of: sorted),
            p99: percentile(0.99, of: sorted), p999: percentile(0.999, of: sorted),
            looped: median(looped), rowsPerSecond: Double(batch) / p50 * 1e6,
            roundMedians: medians, calls: sorted.count, saturatedBy: saturatedBy)
    }
}

/// The largest difference between outputs and expected ones, which repeat, and its index; NaN is the largest.
private func largestDifference(of outputs: [Float], from expected: [Float]) -> (by: Float, at: Int)
{
    var largest: (by: Float, at: Int) = (by: 0, at: 0)
    for (at, value) in outputs.enumerated() {
        let difference = abs(value - expected[at % expected.count])
        if difference.isNaN { return (difference, at) }
        if difference > largest.by { largest = (difference, at) }
    }
    return largest
}

// MARK: - Results

/// The times of one contender for one batch.
public struct BenchResult: Sendable, Encodable {
    /// The network's name.
    public let network: String
    /// `bridgecast` or `onnxruntime`.
    public let engine: String
    /// Number format of the weights; onnxruntime's int8 is `int8-u8` or `int8-s8`, by their integers.
    public let format: String
    /// Our compute units, or how the batch was divided for onnxruntime.
    public let path: String
    /// Rows of a call.
    public let batch: Int
    /// Threads of a call.
    public let threads: Int
    /// Median of single calls over all rounds, microseconds, including one reading of the clock.
    public let p50: Double
    /// 90th percentile, microseconds.
    public let p90: Double
    /// 99th percentile, microseconds.
    public let p99: Double
    /// 99.9th percentile, microseconds.
    public let p999: Double
    /// Mean of calls in a loop, median over the rounds, microseconds.
    public let looped: Double
    /// Rows a second, from `p50`.
    public let rowsPerSecond: Double
    /// Median of single calls in each round, microseconds, for ratios.
    public let roundMedians: [Double]
    /// Calls timed one by one.
    public let calls: Int
    /// The largest error of an output, where onnxruntime's kernels for s8 weights saturate on this CPU.
    public let saturatedBy: Float?
}

/// How many times faster than onnxruntime our engine is for one batch.
public struct BenchRatio: Sendable, Encodable {
    /// The network's name.
    public let network: String
    /// Format of our weights.
    public let format: String
    /// Rows of a call.
    public let batch: Int
    /// Threads on both sides.
    public let threads: Int
    /// onnxruntime's format and how the batch was divided.
    public let against: String
    /// Median over the rounds of its time divided by ours.
    public let median: Double
    /// Smallest over the rounds.
    public let low: Double
    /// Largest over the rounds.
    public let high: Double
    /// The largest error of an output, where onnxruntime's kernels for s8 weights saturate on this CPU.
    public let saturatedBy: Float?

    /// Every ratio that results allow: our `simd` path of int8 to each onnxruntime, and that of fp32 to
    /// its fp32.
    public static func all(_ results: [BenchResult]) -> [BenchRatio] {
        results.filter { $0.engine == "bridgecast" && $0.path == ComputeUnits.simd.rawValue }
            .flatMap { ours in
                results.filter {
                    $0.engine == "onnxruntime" && $0.network == ours.network
                        && $0.batch == ours.batch && $0.threads == ours.threads
                        && (ours.format == "int8" || $0.format == "fp32")
                }.map { peer in
                    let ratios = zip(peer.roundMedians, ours.roundMedians).map { $0 / $1 }
                    return BenchRatio(
                        network: ours.network, format: ours.format, batch: ours.batch,
                        threads: ours.threads,
                        against: "onnxruntime \(peer.format)"
                            + (peer.path == "whole" ? "" : " " + peer.path),
                        median: BridgecastBench.median(ratios), low: ratios.min() ?? .nan,
                        high: ratios.max() ?? .nan, saturatedBy: peer.saturatedBy)
                }
            }
    }
}
