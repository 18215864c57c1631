// Times networks by format, path, batch and threads, beside onnxruntime in the same rounds.
internal import BridgecastCore
internal import BridgecastEngine
private import Foundation

/// A contender with its name, and what it took so far.
private struct Entry {
    let engine: String
    let format: WeightFormat
    let path: String
    var contender: any Contender
    var single: [UInt64] = []
    var looped: [Double] = []
    var medians: [Double] = []

    mutating func takeTurn(_ nanoseconds: UInt64) {
        let timings = contender.round(calls: 20_000, nanoseconds: nanoseconds)
        single += timings.single
        looped.append(timings.looped / 1000)
        medians.append(median(timings.single.map { Double($0) / 1000 }))
    }
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

    /// onnxruntime's version, if it takes part.
    public var onnxRuntimeVersion: String? { runtime?.version }

    /// Times all contenders on one network; outputs are compared before anything is timed.
    ///
    /// - Parameters:
    ///   - progress: Called before each batch.
    /// - Throws: ``BenchError``, ``OnnxRuntimeError``.
    public func run(
        _ network: BenchNetwork, progress: (String) -> Void
    ) throws -> [BenchResult] {
        var results: [BenchResult] = []
        for threads in plan.threads {
            let sessions = try onnxSessions(network, threads: threads)
            for batch in plan.batches {
                progress("network \(network.name), batch \(batch), threads \(threads)")
                var entries = try self.entries(network, batch, threads, sessions)
                try verify(&entries, network, batch)
                let turn = UInt64(plan.turnMilliseconds * 1e6)
                for round in 0..<plan.rounds {
                    // Another order each time: nobody always comes after the same neighbour.
                    for index in entries.indices {
                        // Whoever had the turn before may leave threads behind that look for more work
                        // with a processor busy: onnxruntime's for some tens of milliseconds.
                        if threads > 1 { Thread.sleep(forTimeInterval: 0.1) }
                        entries[(index + round) % entries.count].takeTurn(turn)
                    }
                }
                results += entries.map { result($0, network, batch, threads) }
            }
        }
        return results
    }

    private func onnxSessions(
        _ network: BenchNetwork, threads: Int
    ) throws -> [(WeightFormat, OnnxSession)] {
        guard let runtime, let models = plan.onnxRuntime?.models else { return [] }
        return try [WeightFormat.fp32, .int8].map { format in
            let path = "\(models)/\(network.name).\(format.rawValue).onnx"
            return (format, try OnnxSession(runtime, model: path, threads: threads))
        }
    }

    private func entries(
        _ network: BenchNetwork, _ batch: Int, _ threads: Int,
        _ sessions: [(WeightFormat, OnnxSession)]
    ) throws -> [Entry] {
        var entries: [Entry] = []
        for format in plan.formats {
            guard let compiled = network.formats[format] else { continue }
            for units in plan.units {
                entries.append(
                    Entry(
                        engine: "bridgecast", format: format, path: units.rawValue,
                        contender: EngineContender(
                            network, compiled, rows: batch, units: units, threads: threads)))
            }
        }
        for (format, session) in sessions {
            let chunks =
                batch > plan.onnxChunkRows
                ? [("whole", batch), ("in \(plan.onnxChunkRows)s", plan.onnxChunkRows)]
                : [("whole", batch)]
            for (name, chunk) in chunks {
                let onnx = try OnnxBatch(
                    session, features: network.features(rows: batch),
                    prior: network.prior(rows: batch), rows: batch,
                    outputs: network.sizes.last ?? 0, chunk: chunk)
                entries.append(
                    Entry(
                        engine: "onnxruntime", format: format, path: name,
                        contender: OnnxContender(batch: onnx)))
            }
        }
        return entries
    }

    /// Compares every contender with our plain C of the same format, which runs as many rows as there
    /// are before they repeat.
    private func verify(_ entries: inout [Entry], _ network: BenchNetwork, _ batch: Int) throws {
        var expected: [WeightFormat: [Float]] = [:]
        for (format, compiled) in network.formats {
            var reference = EngineContender(
                network, compiled, rows: min(batch, network.period), units: .reference, threads: 1)
            _ = reference.round(calls: 1, nanoseconds: 1)
            expected[format] = reference.output()
        }
        for index in entries.indices {
            _ = entries[index].contender.round(calls: 1, nanoseconds: 1)
            let entry = entries[index]
            guard let reference = expected[entry.format] else { continue }
            // int8 elsewhere: a step of an input may round the other way, which moves a logit a little.
            let isOurs = entry.engine == "bridgecast"
            let tolerance: Float = entry.format == .int8 && !isOurs ? 0.5 : 1e-3
            for (at, value) in entry.contender.output().enumerated() {
                let difference = abs(value - reference[at % reference.count])
                guard difference <= tolerance else {
                    throw BenchError.disagreement(
                        network: network.name, contender: "\(entry.engine) \(entry.format)",
                        batch: batch, by: difference, at: at)
                }
            }
        }
    }

    private func result(
        _ entry: Entry, _ network: BenchNetwork, _ batch: Int, _ threads: Int
    ) -> BenchResult {
        let sorted = entry.single.sorted()
        let p50 = percentile(0.5, of: sorted)
        return BenchResult(
            network: network.name, engine: entry.engine, format: entry.format.rawValue,
            path: entry.path, batch: batch, threads: threads, p50: p50,
            p90: percentile(0.9, of: sorted),
            p99: percentile(0.99, of: sorted), p999: percentile(0.999, of: sorted),
            looped: median(entry.looped),
            rowsPerSecond: Double(batch) / p50 * 1e6, roundMedians: entry.medians,
            calls: sorted.count)
    }
}

extension NetworkBench {
    /// What onnxruntime takes from a file to the first result of one row, by format; the first time and
    /// all times.
    public func loadOnnxRuntime(_ network: String, rounds: Int) throws -> [PartResult] {
        guard let runtime, let models = plan.onnxRuntime?.models else { return [] }
        return try [WeightFormat.fp32, .int8].flatMap { format in
            let path = "\(models)/\(network).\(format.rawValue).onnx"
            let bins = DelayBins.count
            let before = residentKB()
            var grown = 0
            let timings = try (0..<rounds).map { round in
                let start = Stopwatch.now()
                let session = try OnnxSession(runtime, model: path, threads: 1)
                let onnx = try OnnxBatch(
                    session, features: Array(repeating: 0, count: FeatureSchema.count),
                    prior: Array(repeating: 0, count: bins), rows: 1, outputs: bins, chunk: 1)
                onnx.run()
                let time = Stopwatch.now() - start
                if round == 0 { grown = residentKB() - before }
                return time
            }
            let name = "onnxruntime \(format.rawValue): session and first run"
            return [
                PartResult(
                    name + ", first time", count: 1, [timings[0]], residentKB: grown),
                PartResult(name, count: 1, timings),
            ]
        }
    }
}
