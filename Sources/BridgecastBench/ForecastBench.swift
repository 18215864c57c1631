// Times the parts of a forecast separately, the ranking of many routes, and the loading of a model.
public import BridgecastCore
public import BridgecastEngine
internal import BridgecastRouting
private import BridgecastTraining
public import Foundation

/// Times a forecast's parts on real situations.
public struct ForecastBench {
    private let model: LoadedModel
    private let situations: [Situation]

    /// - Parameter situations: At least one.
    public init(_ model: LoadedModel, situations: [Situation]) {
        precondition(!situations.isEmpty)
        self.model = model
        self.situations = situations
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

    /// Predicts a batch `calls` times and does nothing else, for
    /// tools/checks/count_allocations, which counts what a call allocates and retains.
    public func predictOnly(rows: Int, calls: Int) {
        let batch = batch(rows: rows)
        var workspace = Workspace()
        var output: [Float] = []
        for _ in 0..<calls { model.predict(batch, into: &output, workspace: &workspace) }
    }

    /// Ranks candidates `calls` times and does nothing else, for tools/checks/count_allocations.
    public func rankOnly(routes count: Int, calls: Int) async throws {
        let situation = situations[0]
        let set = try RouteSet(RouteBench.candidates(count))
        let table = try await TrafficInference(model).table(
            in: situation, reaching: set.reachMinutes, modes: set.modes)
        var scorer = RouteScorer()
        for _ in 0..<calls { try scorer.rank(set, with: table, leaving: situation.issueTime) }
    }

    /// The benchmark of overload.
    public func overload() -> OverloadBench { OverloadBench(model, situation: situations[0]) }

    /// The benchmark of a network of roads, with the first situation.
    public func roads(_ file: URL) -> RoadBench {
        RoadBench(model, situation: situations[0], file: file)
    }

    /// Times every part; the actor is called by one task.
    ///
    /// - Parameter routes: At least one; ranked together, and crossed within an hour and a half.
    public func run(_ routes: [Route]) async throws -> [PartResult] {
        let inference = TrafficInference(model)
        let situation = situations[0]
        let table = try await inference.table(in: situation, reaching: 90)
        let rows = table.leadsMinutes.count * BridgeCatalogue.count * 2
        var results = [
            features(of: table), featuresOfOneRow(), featuresAndNetwork(of: table),
            network(rows: rows), network(rows: 1), try await actor(inference),
            try scoring(routes, by: table),
        ]
        results.append(try await endToEnd(routes, inference))
        return results + (try await RouteBench(model, situations: situations).run())
    }

    private func endToEnd(
        _ routes: [Route], _ inference: TrafficInference
    ) async throws -> PartResult {
        var timings: [UInt64] = []
        for round in 0..<300 {
            let start = Stopwatch.now()
            let situation = situations[round % situations.count]
            let ranked = try await inference.rank(
                routes, leaving: situation.issueTime, in: situation)
            timings.append(Stopwatch.now() - start)
            precondition(ranked.count == routes.count)
        }
        return PartResult("end to end: state to ranked routes", count: routes.count, timings)
    }

    /// The rows of a forecast table: every lead, with queueing and without, for every bridge.
    private func appendRows(
        of table: ForecastTable, by builder: FeatureBuilder, to batch: inout FeatureBatch
    ) {
        let situation = situations[0]
        for lead in table.leadsMinutes {
            for density: Float in [0, 0.3] {
                for bridge in BridgeIndex.all {
                    builder.append(
                        bridge, leadMinutes: lead, density: density, in: situation, to: &batch)
                }
            }
        }
    }

    private func features(of table: ForecastTable) -> PartResult {
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        let timings = timedRound(calls: 2_000, nanoseconds: 300_000_000) {
            batch.removeAll()
            appendRows(of: table, by: builder, to: &batch)
        }
        return PartResult("features", count: batch.rowCount, timings.single)
    }

    /// A row that has nothing in common with another.
    private func featuresOfOneRow() -> PartResult {
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        let timings = timedRound(calls: 20_000, nanoseconds: 300_000_000) {
            batch.removeAll()
            builder.append(
                BridgeIndex.all[1], leadMinutes: 15, density: 0.3, in: situations[0], to: &batch)
        }
        return PartResult("features", count: 1, timings.single)
    }

    private func featuresAndNetwork(of table: ForecastTable) -> PartResult {
        let builder = FeatureBuilder(climatology: model.climatology)
        var batch = FeatureBatch()
        var workspace = Workspace()
        var output: [Float] = []
        let timings = timedRound(calls: 2_000, nanoseconds: 300_000_000) {
            batch.removeAll()
            appendRows(of: table, by: builder, to: &batch)
            model.predict(batch, into: &output, workspace: &workspace)
        }
        return PartResult("features and network", count: batch.rowCount, timings.single)
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

    /// One row through the actor, to compare with `network` of one row.
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

    private func scoring(_ routes: [Route], by table: ForecastTable) throws -> PartResult {
        let timings = try timedRound(calls: 1_000, nanoseconds: 600_000_000) {
            _ = try table.rank(routes, leaving: table.issueTime)
        }
        return PartResult("scoring", count: routes.count, timings.single)
    }
}

// MARK: - Many routes

/// Times the ranking of random candidates with up to four crossings each, as a route service would have them ranked.
private struct RouteBench {
    private let model: LoadedModel
    private let situations: [Situation]

    init(_ model: LoadedModel, situations: [Situation]) {
        self.model = model
        self.situations = situations
    }

    /// Candidates with random stretches and crossings, the same each time.
    static func candidates(_ count: Int) -> [Route] {
        var random = SeededRandom(seed: 7)
        return (0..<count).map { number in
            let crossings = Int(random.next() % 5)
            var steps: [Route.Step] = []
            for index in 0...crossings {
                let minutes = 3 + Double(random.next() % 1_000) / 100
                steps.append(.travel(Route.Travel(minutes: minutes)))
                if index < crossings {
                    let bridge = Int(random.next() % UInt64(BridgeCatalogue.count))
                    steps.append(.crossing(BridgeIndex.all[bridge]))
                }
            }
            return Route(
                id: "\(number)", name: "", origin: "a", destination: "b", mode: .car, steps: steps)
        }
    }

    /// A new state each time, its inference, and the ranking; then the ranking and the packing alone.
    func run() async throws -> [PartResult] {
        let inference = TrafficInference(model)
        var results: [PartResult] = []
        for (count, calls) in [(1_000, 300), (10_000, 40), (100_000, 8)] {
            let routes = Self.candidates(count)
            var packing: [UInt64] = []
            var start = Stopwatch.now()
            var set = try RouteSet(routes)
            for _ in 0..<min(calls, 50) {
                start = Stopwatch.now()
                set = try RouteSet(routes)
                packing.append(Stopwatch.now() - start)
            }
            results += try await ranking(set, calls: calls, threads: 1, inference)
            if count >= 10_000 {
                results += try await ranking(set, calls: calls, threads: 2, inference)
            }
            results.append(PartResult("packing candidates, once", count: count, packing))
        }
        return results
    }

    private func ranking(
        _ set: RouteSet, calls: Int, threads: Int, _ inference: TrafficInference
    ) async throws -> [PartResult] {
        var scorer = RouteScorer(threads: threads)
        var whole: [UInt64] = []
        var ranking: [UInt64] = []
        for call in 0..<calls {
            let situation = situations[call % situations.count]
            let start = Stopwatch.now()
            let table = try await inference.table(
                in: situation, reaching: set.reachMinutes, modes: set.modes)
            let inferred = Stopwatch.now()
            try scorer.rank(set, with: table, leaving: situation.issueTime)
            let end = Stopwatch.now()
            whole.append(end - start)
            ranking.append(end - inferred)
        }
        let suffix = threads == 1 ? "" : ", \(threads) threads"
        return [
            PartResult("fresh state to ranked candidates\(suffix)", count: set.count, whole),
            PartResult("of that, ranking\(suffix)", count: set.count, ranking),
        ]
    }
}

// MARK: - Loading

/// Times loading, from a file to the first forecast.
public struct LoadBench {
    /// Loading times and memory.
    public struct Result: Sendable, Encodable {
        /// Steps and their times.
        public let parts: [PartResult]
        /// Size of the file.
        public let fileBytes: Int
        /// Size of the packed network in memory.
        public let packedBytes: Int
    }

    /// Loads a file `rounds` times, each time from disk to a forecast of one row, including features.
    ///
    /// The first time is what matters for a program that starts: call this before anything else.
    public static func run(_ file: URL, rounds: Int) throws -> Result {
        var reading: [UInt64] = []
        var building: [UInt64] = []
        var whole: [UInt64] = []
        var packed = 0
        var growth = 0
        let before = residentKB()
        for round in 0..<rounds {
            let start = Stopwatch.now()
            let model = try ModelFile.read(file)
            let loaded = Stopwatch.now()
            let batch = row(for: model)
            building.append(Stopwatch.now() - loaded)
            var workspace = Workspace()
            var output: [Float] = []
            model.predict(batch, into: &output, workspace: &workspace)
            whole.append(Stopwatch.now() - start)
            reading.append(loaded - start)
            if round == 0 { growth = residentKB() - before }
            packed = model.network.packedBytes
        }
        let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        let parts = [
            PartResult(
                "file to first forecast, first time", count: 1, [whole[0]], residentKB: growth),
            PartResult("of that, file to model", count: 1, [reading[0]]),
            PartResult("of that, features of the row", count: 1, [building[0]]),
            PartResult("file to model", count: 1, reading),
            PartResult("file to first forecast", count: 1, whole),
        ]
        return Result(parts: parts, fileBytes: size, packedBytes: packed)
    }

    private static func row(for model: LoadedModel) -> FeatureBatch {
        var batch = FeatureBatch()
        FeatureBuilder(climatology: model.climatology).append(
            BridgeIndex.all[0], leadMinutes: 10, density: 0.3,
            in: .unknown(at: Timestamp(secondsSinceEpoch: 1_700_000_000)), to: &batch)
        return batch
    }
}
