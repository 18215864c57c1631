// Times networks by format, path, batch and threads, beside onnxruntime in the same rounds.
// Belongs here: measurements and their peer; not: the words of `bench` (BridgecastCLI).
internal import BridgecastCore
internal import BridgecastEngine
private import Foundation

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
                results += entries.map { $0.result(network, batch, threads) }
            }
        }
        return results
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
        _ network: BenchNetwork, _ batch: Int, _ threads: Int,
        _ sessions: [(OnnxForm, OnnxSession)]
    ) throws -> [BenchEntry] {
        let ours = plan.formats.flatMap { format -> [BenchEntry] in
            guard let compiled = network.formats[format] else { return [] }
            return plan.units.map { units in
                let contender = EngineContender(
                    network, compiled, rows: batch, units: units, threads: threads)
                return BenchEntry(format, units: units, contender)
            }
        }
        return try ours + sessions.flatMap { try onnxEntries(network, batch, $0, $1) }
    }

    /// onnxruntime on the whole batch and, if that is large, in chunks.
    private func onnxEntries(
        _ network: BenchNetwork, _ batch: Int, _ form: OnnxForm, _ session: OnnxSession
    ) throws -> [BenchEntry] {
        var chunks = [("whole", batch)]
        if batch > plan.onnxChunkRows {
            chunks.append(("in \(plan.onnxChunkRows)s", plan.onnxChunkRows))
        }
        return try chunks.map { path, chunk in
            let onnx = try OnnxBatch(
                session, features: network.features(rows: batch),
                prior: network.prior(rows: batch), rows: batch,
                outputs: network.sizes.last ?? 0, chunk: chunk)
            return BenchEntry(form, path: path, OnnxContender(batch: onnx))
        }
    }

    /// Compares every contender with our plain C of the same format, which runs as many rows as there
    /// are before they repeat.
    private func verify(
        _ entries: inout [BenchEntry], _ network: BenchNetwork, _ batch: Int
    ) throws {
        let expected = network.formats.mapValues { compiled -> [Float] in
            var reference = EngineContender(
                network, compiled, rows: min(batch, network.period), units: .reference, threads: 1)
            _ = reference.round(calls: 1, nanoseconds: 1)
            return reference.output()
        }
        for index in entries.indices {
            guard let outputs = expected[entries[index].format] else { continue }
            try entries[index].verify(against: outputs, network, batch)
        }
    }
}

extension NetworkBench {
    /// What onnxruntime takes from a file to the first result of one row, in fp32 and in int8; the
    /// first time and all times.
    public func loadOnnxRuntime(_ network: String, rounds: Int) throws -> [PartResult] {
        guard let runtime, let models = plan.onnxRuntime?.models else { return [] }
        return try [OnnxForm.fp32, .int8u8].flatMap { form in
            let path = "\(models)/\(network).\(form.rawValue).onnx"
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
            let name = "onnxruntime \(form.rawValue): session and first run"
            return [
                PartResult(
                    name + ", first time", count: 1, [timings[0]], residentKB: grown),
                PartResult(name, count: 1, timings),
            ]
        }
    }
}
