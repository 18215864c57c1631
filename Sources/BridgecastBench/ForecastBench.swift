// Times the parts of a forecast apart: features, network, scoring, actor; and loading a model.
public import BridgecastCore
public import BridgecastEngine
private import BridgecastTraining
public import Foundation

/// One part of a forecast and what it took.
public struct PartResult: Sendable, Encodable {
    /// What was done.
    public let part: String
    /// Things done in a call: rows, routes.
    public let count: Int
    /// Median, 90th and 99th percentile of a call, microseconds.
    public let p50: Double, p90: Double, p99: Double
    /// By how much the process grew, kB, where that was looked at.
    public let residentKB: Int?

    init(_ part: String, count: Int, _ timings: [UInt64], residentKB: Int? = nil) {
        self.residentKB = residentKB
        self.part = part
        self.count = count
        let sorted = timings.sorted()
        p50 = percentile(0.5, of: sorted)
        p90 = percentile(0.9, of: sorted)
        p99 = percentile(0.99, of: sorted)
    }
}

/// Times a forecast's parts on real situations.
public struct ForecastBench {
    private let model: LoadedModel
    private let situations: [Situation]
    private let routes: [Route]

    /// - Parameters:
    ///   - situations: At least one.
    ///   - routes: At least one, of one origin and destination.
    public init(_ model: LoadedModel, situations: [Situation], routes: [Route]) {
        precondition(!situations.isEmpty && !routes.isEmpty)
        self.model = model
        self.situations = situations
        self.routes = routes
    }

    /// Rows as `predict` asks for them, enough for a network benchmark.
    public func batch(rows: Int) -> FeatureBatch {
        var batch = FeatureBatch(capacity: rows)
        let builder = FeatureBuilder(climatology: model.climatology)
        var row = 0
        while batch.rowCount < rows {
            let situation = situations[row / (BridgeCatalogue.count * 30) % situations.count]
            builder.append(
                BridgeIndex.all[row % BridgeCatalogue.count],
                leadMinutes: Double(row / BridgeCatalogue.count % 30) * 2, density: 0.3,
                in: situation, to: &batch)
            row += 1
        }
        return batch
    }

    /// Predicts a batch so many times and does nothing else: for
    /// tools/checks/count_allocations, which counts what a call allocates and retains.
    public func predictOnly(rows: Int, calls: Int) {
        let batch = batch(rows: rows)
        var workspace = Workspace()
        var output: [Float] = []
        for _ in 0..<calls { model.predict(batch, into: &output, workspace: &workspace) }
    }

    /// Ranks candidates so many times and does nothing else: for
    /// tools/checks/count_allocations, as above.
    public func rankOnly(routes count: Int, calls: Int) async throws {
        let situation = situations[0]
        let set = try RouteSet(RouteBench.candidates(count))
        let table = try await TrafficInference(model).table(
            in: situation, reaching: set.reachMinutes, modes: set.modes)
        var scorer = RouteScorer()
        for _ in 0..<calls { try scorer.rank(set, with: table, leaving: situation.issueTime) }
    }

    /// What is served when more is asked than can be.
    public func overload() -> OverloadBench { OverloadBench(model, situation: situations[0]) }

    /// Times every part; the actor is called by one task.
    public func run() async throws -> [PartResult] {
        let inference = TrafficInference(model)
        let situation = situations[0]
        let table = try await inference.table(in: situation, reaching: 90)
        let rows = table.leadsMinutes.count * BridgeCatalogue.count * 2
        var results = [
            features(rows: rows), network(rows: rows), network(rows: 1),
            try await actor(inference), try scoring(table),
        ]
        var timings: [UInt64] = []
        for round in 0..<300 {
            let start = Stopwatch.now()
            let situation = situations[round % situations.count]
            let ranked = try await inference.rank(
                routes, leaving: situation.issueTime, in: situation)
            timings.append(Stopwatch.now() - start)
            precondition(ranked.count == routes.count)
        }
        results.append(
            PartResult("end to end: state to ranked routes", count: routes.count, timings))
        return results + (try await RouteBench(model, situations: situations).run())
    }

    private func features(rows: Int) -> PartResult {
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch(capacity: rows)
        let timings = timedRound(calls: 2_000, nanoseconds: 600_000_000) {
            batch.removeAll()
            for row in 0..<rows {
                builder.append(
                    BridgeIndex.all[row % BridgeCatalogue.count],
                    leadMinutes: Double(row % 45) * 2, density: 0.3, in: situations[0], to: &batch)
            }
        }
        return PartResult("features", count: rows, timings.single)
    }

    private func network(rows: Int) -> PartResult {
        let batch = batch(rows: rows)
        var workspace = Workspace()
        var output: [Float] = []
        let timings = timedRound(calls: 20_000, nanoseconds: 400_000_000) {
            model.predict(batch, into: &output, workspace: &workspace)
        }
        return PartResult("network", count: rows, timings.single)
    }

    /// One row through the actor: what it adds to `network` of one row.
    private func actor(_ inference: TrafficInference) async throws -> PartResult {
        let batch = batch(rows: 1)
        var timings: [UInt64] = []
        for _ in 0..<20_000 {
            let start = Stopwatch.now()
            _ = try await inference.predict(batch)
            timings.append(Stopwatch.now() - start)
        }
        return PartResult("network through the actor", count: 1, timings)
    }

    private func scoring(_ table: ForecastTable) throws -> PartResult {
        let timings = try timedRound(calls: 1_000, nanoseconds: 600_000_000) {
            _ = try table.rank(routes, leaving: table.issueTime)
        }
        return PartResult("scoring", count: routes.count, timings.single)
    }
}

/// Memory of this process that is in RAM, kB.
func residentKB() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4 } ?? 0
}

/// What it takes to begin: from a file to the first forecast.
public struct LoadBench {
    /// Loading times and memory.
    public struct Result: Sendable, Encodable {
        /// Steps and their times.
        public let parts: [PartResult]
        /// Bytes of the file and of the packed network in memory.
        public let fileBytes: Int, packedBytes: Int
    }

    /// Loads a file again and again; each time from disk to a forecast of one row, features included.
    ///
    /// The first time is the one that counts for a program that starts: call this before anything else.
    public static func run(_ file: URL, rounds: Int) throws -> Result {
        var (reading, building, whole): ([UInt64], [UInt64], [UInt64]) = ([], [], [])
        var (packed, grown) = (0, 0)
        let before = residentKB()
        for round in 0..<rounds {
            let start = Stopwatch.now()
            let model = try ModelFile.read(file)
            let loaded = Stopwatch.now()
            var batch = FeatureBatch()
            FeatureBuilder(climatology: model.climatology).append(
                BridgeIndex.all[0], leadMinutes: 10, density: 0.3,
                in: .unknown(at: Timestamp(secondsSinceEpoch: 1_700_000_000)), to: &batch)
            building.append(Stopwatch.now() - loaded)
            var workspace = Workspace()
            var output: [Float] = []
            model.predict(batch, into: &output, workspace: &workspace)
            whole.append(Stopwatch.now() - start)
            reading.append(loaded - start)
            if round == 0 { grown = residentKB() - before }
            packed = model.network.packedBytes
        }
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        return Result(
            parts: [
                PartResult(
                    "file to first forecast, first time", count: 1, [whole[0]], residentKB: grown),
                PartResult("of that, file to model", count: 1, [reading[0]]),
                PartResult("of that, features of the row", count: 1, [building[0]]),
                PartResult("file to model", count: 1, reading),
                PartResult("file to first forecast", count: 1, whole),
            ], fileBytes: size, packedBytes: packed)
    }
}
